"""The GPU as the host function sees it: does what it asks, checks it, and notes it down as a plan."""

from __future__ import annotations

from dataclasses import replace

from trainer.cuda.device import DeviceProperties, Launch
from trainer.cuda.limits import check_shape
from trainer.cuda.model import KernelResources, Program
from trainer.cuda.tensor_map import TensorMap
from trainer.errors import DeviceFault
from trainer.gpu import faults
from trainer.gpu.driver import Attribute, Driver, DriverError, FunctionAttribute
from trainer.gpu.memory import Memory
from trainer.gpu.plan import Copy, Fill, Kernel, Plan
from trainer.sim.report import LaunchRecord

# Eight blocks in a cluster run on every device that has clusters; 16 must be asked for.
_PORTABLE_CLUSTER = 8

# A loop of a million launches is told by its first ones.
MAX_LAUNCH_RECORDS = 256


def properties(driver: Driver) -> DeviceProperties:
    """What cudaGetDeviceProperties says of this device."""
    ask = driver.attribute
    return DeviceProperties(
        name=driver.name(),
        compute_capability=(ask(Attribute.CAPABILITY_MAJOR), ask(Attribute.CAPABILITY_MINOR)),
        multiprocessors=ask(Attribute.MULTIPROCESSORS),
        max_threads_per_multiprocessor=ask(Attribute.THREADS_PER_MULTIPROCESSOR),
        max_blocks_per_multiprocessor=ask(Attribute.BLOCKS_PER_MULTIPROCESSOR),
        registers_per_multiprocessor=ask(Attribute.REGISTERS_PER_MULTIPROCESSOR),
        shared_bytes_per_multiprocessor=ask(Attribute.SHARED_PER_MULTIPROCESSOR),
        shared_bytes_per_block=ask(Attribute.SHARED_PER_BLOCK),
        shared_bytes_per_block_optin=ask(Attribute.SHARED_PER_BLOCK_OPTIN),
        l2_bytes=ask(Attribute.L2_BYTES),
        total_bytes=driver.total_memory(),
        clock_khz=ask(Attribute.CLOCK_KHZ),
        memory_clock_khz=ask(Attribute.MEMORY_CLOCK_KHZ),
        memory_bus_bits=ask(Attribute.MEMORY_BUS_BITS),
    )


class LoadedModule:
    """One copy of a program's cubin on the device, with `__device__` variables of its own."""

    def __init__(self, driver: Driver, program: Program) -> None:
        self._driver = driver
        self._names = {kernel.symbol: kernel.name for kernel in program.kernels}
        self._functions: dict[str, int] = {}
        self._symbols: dict[str, tuple[int, int]] = {}
        self._module = driver.load_module(program.cubin)

    def display(self, kernel: str) -> str:
        return self._names.get(kernel, kernel)

    def function(self, kernel: str) -> int:
        if kernel not in self._functions:
            try:
                self._functions[kernel] = self._driver.function(self._module, kernel)
            except DriverError as error:
                raise DeviceFault(f"there is no kernel {self.display(kernel)} in this file") from error
        return self._functions[kernel]

    def symbol(self, name: str) -> tuple[int, int]:
        if name not in self._symbols:
            try:
                self._symbols[name] = self._driver.symbol(self._module, name)
            except DriverError as error:
                raise DeviceFault(f"there is no __device__ or __constant__ variable {name}") from error
        return self._symbols[name]

    def symbol_at(self, address: int) -> tuple[str, int, int] | None:
        """Name, address and size of the variable that holds `address`."""
        for name, (start, nbytes) in self._symbols.items():
            if start <= address < start + nbytes:
                return name, start, nbytes
        return None

    def close(self) -> None:
        self._driver.unload_module(self._module)


def with_resources(driver: Driver, program: Program) -> Program:
    """The program with registers and static shared memory from the driver where ptxas told nothing."""
    if all(kernel.registers is not None for kernel in program.kernels):
        return program
    module = LoadedModule(driver, program)
    try:
        kernels = tuple(_told_by_driver(driver, module, kernel) for kernel in program.kernels)
    finally:
        module.close()
    return replace(program, kernels=kernels)


def _told_by_driver(driver: Driver, module: LoadedModule, kernel: KernelResources) -> KernelResources:
    function = module.function(kernel.symbol)
    return replace(
        kernel,
        registers=driver.function_attribute(function, FunctionAttribute.REGISTERS),
        shared_bytes=driver.function_attribute(function, FunctionAttribute.SHARED_BYTES),
    )


class GpuDevice:
    """A `trainer.cuda.device.Device`.

    Every launch is waited for, so that a fault has the name of its kernel. `plan` and `launches`
    tell afterwards what was done. After a fault for which `faults.is_deadly`, `dead` is True and
    nothing works in this process any more.
    """

    def __init__(self, driver: Driver, about: DeviceProperties, module: LoadedModule, memory: Memory) -> None:
        self._driver = driver
        self._about = about
        self._module = module
        self._memory = memory
        self.plan = Plan()
        self.launches: list[LaunchRecord] = []
        self.dead = False

    @property
    def properties(self) -> DeviceProperties:
        return self._about

    def allocate(self, nbytes: int) -> int:
        self._memory.mallocs += 1
        name = f"the scratch memory of cudaMalloc number {self._memory.mallocs}"
        return self._memory.allocate(name, nbytes, scratch=True).address

    def free(self, address: int) -> None:
        if address:
            self._memory.free(address)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        self._check("cudaMemset", address, nbytes)
        self._do(Fill(address, value, nbytes))

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self._check("cudaMemcpy to", destination, nbytes)
        self._check("cudaMemcpy from", source, nbytes)
        self._do(Copy(destination, source, nbytes))

    def write(self, address: int, data: bytes) -> None:
        """Through a buffer on the device that keeps the data, so that the plan can be issued again."""
        self._check("cudaMemcpy to", address, len(data))
        staging = self._memory.allocate("data from the host", len(data))
        self._driver.upload(staging.address, data)
        self._do(Copy(address, staging.address, len(data)))

    def read(self, address: int, nbytes: int) -> bytes:
        self._check("cudaMemcpy from", address, nbytes)
        self.plan.add_read(address, nbytes)
        data = bytearray(nbytes)
        try:
            self._driver.download(address, memoryview(data))
        except DriverError as error:
            raise self._fault(error) from error
        return bytes(data)

    def symbol(self, name: str) -> tuple[int, int]:
        return self._module.symbol(name)

    def encode(self, described: TensorMap) -> bytes:
        self._check("cuTensorMapEncodeTiled", described.address, described.nbytes)
        try:
            return self._driver.encode(described)
        except DriverError as error:
            raise self._fault(error) from error

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None:
        function = self._module.function(kernel)
        try:
            self._driver.set_function_attribute(function, FunctionAttribute.MAX_DYNAMIC_SHARED, nbytes)
        except DriverError as error:
            most = self._about.shared_bytes_per_block_optin
            raise DeviceFault(
                f"{self._module.display(kernel)} cannot have {nbytes} bytes of dynamic shared memory",
                hint=f"The most here is {most} bytes, static shared memory included.",
            ) from error

    def launch(self, launch: Launch) -> None:
        name = self._module.display(launch.kernel)
        check_shape(launch, self._about, name)
        function = self._module.function(launch.kernel)
        self._check_shared(launch, function, name)
        cluster = launch.cluster
        if cluster[0] * cluster[1] * cluster[2] > _PORTABLE_CLUSTER:
            self._driver.set_function_attribute(function, FunctionAttribute.NON_PORTABLE_CLUSTER, 1)
        self._note(launch, function, name)
        kernel = Kernel(
            function,
            launch.grid,
            launch.block,
            launch.shared_bytes,
            launch.parameters,
            launch.cooperative,
            cluster,
            launch.offsets,
        )
        self.plan.add(kernel)
        try:
            kernel.issue(self._driver)
            self._driver.synchronize()
        except DriverError as error:
            raise self._fault(error, launch, name) from error

    def synchronize(self) -> None:
        try:
            self._driver.synchronize()
        except DriverError as error:
            raise self._fault(error) from error

    def owns(self, address: int) -> bool:
        return self._memory.owns(address) or self._module.symbol_at(address) is not None

    def _do(self, operation: Fill | Copy) -> None:
        self.plan.add(operation)
        try:
            operation.issue(self._driver)
        except DriverError as error:
            raise self._fault(error) from error

    def _check(self, what: str, address: int, nbytes: int) -> None:
        variable = self._module.symbol_at(address)
        if variable is None:
            self._memory.check(what, address, nbytes)
            return
        name, start, size = variable
        past = address + nbytes - (start + size)
        if past > 0:
            raise DeviceFault(f"{what}: {past} bytes past the end of the variable {name}")

    def _check_shared(self, launch: Launch, function: int, name: str) -> None:
        """The driver calls this launch an "invalid argument"; the reason deserves its own words."""
        allowed = self._driver.function_attribute(function, FunctionAttribute.MAX_DYNAMIC_SHARED)
        if launch.shared_bytes > allowed:
            raise DeviceFault(
                f"{name} is launched with {launch.shared_bytes} bytes of dynamic shared memory, "
                f"but may have {allowed}",
                hint="More than 48 KiB needs cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch.",
                where=faults.place(launch),
            )
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        most = self._driver.function_attribute(function, FunctionAttribute.MAX_THREADS)
        if threads > most:
            registers = self._driver.function_attribute(function, FunctionAttribute.REGISTERS)
            raise DeviceFault(
                f"{name} is launched with {threads} threads in a block, but may have {most} "
                f"({registers} registers a thread, or its __launch_bounds__)",
                hint="Use a smaller block, or __launch_bounds__ with the size you launch.",
                where=faults.place(launch),
            )

    def _note(self, launch: Launch, function: int, name: str) -> None:
        if len(self.launches) >= MAX_LAUNCH_RECORDS:
            return
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        blocks = self._driver.resident_blocks(function, threads, launch.shared_bytes)
        occupancy = blocks * -(-threads // 32) * 32 / self._about.max_threads_per_multiprocessor
        static = self._driver.function_attribute(function, FunctionAttribute.SHARED_BYTES)
        shared = launch.shared_bytes + static
        self.launches.append(LaunchRecord(name, launch.grid, launch.block, shared, occupancy))

    def _fault(self, error: DriverError, launch: Launch | None = None, name: str = "") -> DeviceFault:
        self.dead = self.dead or faults.is_deadly(error)
        return faults.fault(error, launch, name)
