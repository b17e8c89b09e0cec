"""The simulated GPU as the host function sees it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from trainer.cuda.device import DeviceProperties, Dim3, Launch
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.limits import check_shape
from trainer.cuda.model import KernelResources, Program
from trainer.cuda.tensor_map import MAP_BYTES, TensorMap
from trainer.errors import DeviceFault, Location, TimeLimitError, UnsupportedError
from trainer.ptx.engine import Engine, Event, LaunchState
from trainer.sim import devices, watch
from trainer.sim import observe_layout as native
from trainer.sim.conditional import is_unconditional
from trainer.sim.faults import hazard_of
from trainer.sim.hazards import LaunchShape, hazards_of
from trainer.sim.memory import SimMemory
from trainer.sim.recording import MAX_LAUNCH_RECORDS, Recording
from trainer.sim.report import Hazard, HazardKind

DEFAULT_SHARED = 48 * 1024
# After so many faults in one launch the rest of it tells nothing new.
MAX_FAULTS = 64
# Time that runs out after so many launches, in one that has just begun, went into launching.
MANY_LAUNCHES = 1000
JUST_BEGUN_S = 1.0


class SimDevice:
    """A `trainer.cuda.device.Device` for one run of a program.

    `recording` tells afterwards what happened. Faulty accesses are noted and skipped, so that a launch
    goes on and says more; `stopped` is True when it was cut short.
    """

    def __init__(
        self, program: Program, engine: Engine, memory: SimMemory, model: devices.Model,
        kernels: dict[str, watch.WatchedKernel], *, counting: bool, hazards: bool, deadline: float,
        backwards: bool = False, dynamic: dict[str, int],
    ) -> None:  # fmt: skip
        """`kernels` caches analysed kernels between runs; `deadline` is a `time.monotonic` moment; `dynamic`
        is what kernels were allowed of dynamic shared memory, and lasts from run to run of a process;
        `backwards`: blocks and warps run from the last to the first, as on a GPU they might.
        """
        self._program = program
        self._engine = engine
        self._memory = memory
        self._about = devices.properties(model)
        self._kernels = kernels
        self._counting, self._hazards = counting, hazards
        self._deadline = deadline
        self.backwards = backwards
        self.launches_done = 0
        self._resources: Mapping[str, KernelResources] = {k.symbol: k for k in program.kernels}
        self._dynamic = dynamic
        self._buffers = watch.Buffers()
        self.recording = Recording(model, program.source)
        self._symbols = engine.load(memory)
        for kernel in kernels.values():
            kernel.reset()
        for block in memory.blocks:
            block.tags.setdefault("initialised", True)

    @property
    def source(self) -> str:
        """The submission's text."""
        return self._program.source

    @property
    def properties(self) -> DeviceProperties:
        return self._about

    # memory

    def allocate(self, nbytes: int) -> int:
        if nbytes > self._about.total_bytes:
            raise DeviceFault(f"out of memory: {nbytes / 1e9:.1f} GB asked for")
        self._memory.mallocs += 1
        return self._memory.create(
            f"the scratch memory of cudaMalloc number {self._memory.mallocs}", nbytes, scratch=True
        )

    def free(self, address: int) -> None:
        if address:
            self._memory.release(address)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        self._memory.check("cudaMemset", address, nbytes)
        self._memory.fill(address, value, nbytes)
        self._memory.mark_written(address, nbytes)

    def write(self, address: int, data: bytes) -> None:
        self._memory.check("cudaMemcpy to", address, len(data))
        self._memory.write(address, data)
        self._memory.mark_written(address, len(data))

    def read(self, address: int, nbytes: int) -> bytes:
        self._memory.check("cudaMemcpy from", address, nbytes)
        return self._memory.read(address, nbytes)

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self._memory.check("cudaMemcpy to", destination, nbytes)
        self._memory.check("cudaMemcpy from", source, nbytes)
        self._memory.duplicate(destination, source, nbytes)

    def symbol(self, name: str) -> tuple[int, int]:
        if name not in self._symbols:
            raise DeviceFault(f"there is no __device__ or __constant__ variable {name}")
        return self._symbols[name], self._engine.module.variables[name].nbytes

    def owns(self, address: int) -> bool:
        return self._memory.holder(address) is not None

    def kernel_allocate(self, nbytes: int, state: LaunchState) -> int:
        """`malloc` in a kernel."""
        address = self._memory.create("memory from a kernel's malloc", nbytes, scratch=True)
        state.env.allocations, state.env.allocation_count = self._memory.table()
        return address

    def kernel_free(self, address: int, state: LaunchState) -> None:
        """`free` in a kernel."""
        self._memory.release(address)
        state.env.allocations, state.env.allocation_count = self._memory.table()
        for site in state.sites:
            site.lo = site.hi = 0

    # launches

    def name_of(self, symbol: str) -> str:
        """The kernel's name as the user wrote it."""
        known = self._resources.get(symbol)
        return known.name if known else symbol

    def _static_shared(self, symbol: str) -> int:
        known = self._resources.get(symbol)
        return known.least_shared_bytes if known else 0

    def encode(self, described: TensorMap) -> bytes:
        """Nothing here reads a map, since the copies that would are not simulated: the address will do."""
        self._memory.check("cuTensorMapEncodeTiled", described.address, described.nbytes)
        return described.address.to_bytes(8, "little") + bytes(MAP_BYTES - 8)

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None:
        static = self._static_shared(kernel)
        most = self._about.shared_bytes_per_block_optin - static
        if nbytes > most:
            raise DeviceFault(
                f"{self.name_of(kernel)} cannot have {nbytes} bytes of dynamic shared memory",
                hint=f"The most here is {most} bytes beside its static shared memory.",
            )
        self._dynamic[kernel] = nbytes

    def launch(self, launch: Launch) -> None:
        name = self.name_of(launch.kernel)
        self._check(launch, name)
        if max(launch.cluster) > 1:
            raise UnsupportedError(
                f"{name} is launched in thread block clusters, which the simulator does not have",
                hint="launch without the cluster attribute, or grade on a GPU",
            )
        kernel = self._watched(launch.kernel)
        noted = len(self.recording.launches) < MAX_LAUNCH_RECORDS
        self.recording.begin(launch, name, self._resources.get(launch.kernel))
        observer = _Observer(self, launch, kernel, name)
        try:
            result = self._engine.launch(
                launch.kernel, launch.grid, launch.block, launch.shared_bytes, launch.parameters,
                self._memory, hooks=observer, on_slice=self._on_slice(observer),
                cooperative=launch.cooperative,
            )  # fmt: skip
        except DeviceFault as error:
            plain = error.message.replace(launch.kernel, name)
            raise DeviceFault(plain, where=error.where, hint=error.hint or self._alone(launch)) from error
        finally:
            observer.finish()
        touched = watch.touched_bytes(self._memory) if self._counting else None
        self.recording.finish(name, result, touched, noted=noted)
        self.launches_done += 1

    def _alone(self, launch: Launch) -> str:
        """What to say of a kernel that failed and has a grid barrier, whose place %envreg1 tells."""
        if launch.cooperative or "%envreg1" not in self._program.device_ptx:
            return ""
        return "grid.sync() fails unless cudaLaunchCooperativeKernel has launched the kernel."

    def synchronize(self) -> None:
        """Launches have run when `launch` returns."""

    def finish(self) -> None:
        """The run is over: cost what is still only recorded."""
        for kernel in self._kernels.values():
            kernel.flush()

    def _watched(self, symbol: str) -> watch.WatchedKernel:
        if symbol not in self._kernels:
            self._kernels[symbol] = watch.WatchedKernel.of(self._engine, symbol)
        return self._kernels[symbol]

    def _check(self, launch: Launch, name: str) -> None:
        check_shape(launch, self._about, name)
        declared = self._engine.module.functions[launch.kernel].directives.get("reqnctapercluster", ())
        cluster = declared or launch.cluster
        if math.prod(cluster) > 1:
            raise UnsupportedError(
                f"{name} is launched in clusters of {math.prod(cluster)} blocks, which the simulator lacks",
                where=Location("", launch.line) if launch.line else None,
                hint="Let blocks meet in global memory, or grade on a GPU.",
            )
        static = self._static_shared(launch.kernel)
        allowed = self._dynamic.get(launch.kernel, DEFAULT_SHARED - static)
        if launch.shared_bytes > max(allowed, 0):
            raise DeviceFault(
                f"{name} is launched with {launch.shared_bytes} bytes of dynamic shared memory, "
                f"but may have {max(allowed, 0)}",
                hint="More than 48 KiB needs cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch.",
            )

    def _on_slice(self, observer: _Observer) -> Callable[[int], None]:
        def look(executed: int) -> None:
            if time.monotonic() > self._deadline:
                raise observer.out_of_time(executed)

        look(0)
        return look

    def standing(self, state: LaunchState) -> tuple[int, Dim3, Dim3]:
        """The source line that a launch in progress is at, and a block and thread of it that are there."""
        instruction, block, thread = self._engine.running(state)
        return instruction.line, block, thread

    @property
    def observes(self) -> bool:
        """Whether launches run instrumented code."""
        return self._counting or self._hazards

    def set_up(self, state: LaunchState, kernel: watch.WatchedKernel, parameters: bytes) -> int:
        """See `watch.set_up`."""
        return watch.set_up(
            state, kernel, self._memory, self._buffers, parameters,
            counting=self._counting, hazards=self._hazards and not kernel.facts.opaque_shared,
        )  # fmt: skip

    @property
    def memory(self) -> SimMemory:
        return self._memory

    @property
    def buffers(self) -> watch.Buffers:
        return self._buffers

    @property
    def counting(self) -> bool:
        return self._counting


class _Observer:
    """Hooks of one launch."""

    def __init__(self, device: SimDevice, launch: Launch, kernel: watch.WatchedKernel, name: str) -> None:
        self._device = device
        self._launch = launch
        self._kernel = kernel
        self._name = name
        self._began = time.monotonic()
        self._faults = 0
        self._first = 0
        self._state: LaunchState | None = None
        self._shared = kernel.names

    def on_launch(self, launch: LaunchState) -> None:
        self._state = launch
        launch.env.reversed = int(self._device.backwards)
        self._shared.limit = int(launch.env.shared_bytes)
        if self._device.observes:
            self._first = self._device.set_up(launch, self._kernel, self._launch.parameters)

    def on_event(self, event: Event) -> bool:
        if event.kind == native.EVENT_DRAIN:
            assert self._state is not None
            watch.drain(self._state, self._kernel, self._device.buffers)
            return True
        if event.walked_past and is_unconditional(self._device.source, event.line):
            return True
        nbytes = self._kernel.width_at(event.instruction)
        hazard = hazard_of(event, self._name, self._device.memory, self._shared, nbytes)
        if hazard is None:
            return False
        self._device.recording.hazards.append(hazard)
        self._faults += hazard.fatal  # advice never stops a launch
        return self._faults < MAX_FAULTS

    def out_of_time(self, executed: int) -> TimeLimitError:
        """The error for a launch that does not end; noted as a finding too."""
        before = self._device.launches_done
        if before >= MANY_LAUNCHES and time.monotonic() - self._began < JUST_BEGUN_S:
            raise TimeLimitError(
                f"The host function is still launching {self._name} after {before:,} launches",
                where=Location(FILE_NAME, self._launch.line or None),
                hint="Look for a loop of launches that never ends, or do more work in each launch.",
            )
        line, block, thread = 0, (0, 0, 0), (0, 0, 0)
        if self._state is not None and executed:
            line, block, thread = self._device.standing(self._state)
        text = f"{self._name} is still running after {executed:,} warp instructions"
        hazard = Hazard(HazardKind.RUNAWAY, line, self._name, block, thread, "", text)
        self._device.recording.hazards.append(hazard)
        return TimeLimitError(
            text,
            where=Location(FILE_NAME, line or None),
            hint="Look for a loop that does not end, or for one that waits for another thread.",
        )

    def finish(self) -> None:
        """Collect counts and events; also after a launch that failed."""
        state = self._state
        if state is None or not self._device.observes:
            return
        if self._device.counting:
            watch.drain(state, self._kernel, self._device.buffers)
            self._device.recording.tallies[self._name] = self._kernel.tally
        shape = LaunchShape(self._name, self._launch.grid, self._launch.block, self._first)
        events = watch.events_of(state, self._device.buffers)
        more = self._kernel.unrecorded(events)
        found = hazards_of(events, shape, self._kernel.sites, self._kernel.site_count, self._place, more)
        excused = set()  # what only a lock orders, we cannot see
        if self._kernel.facts.orders_shared:
            excused.add(HazardKind.SHARED_RACE)
        if self._kernel.facts.locks_global:
            excused.add(HazardKind.GLOBAL_RACE)
        found = [replace(h, fatal=h.fatal and h.kind not in excused) for h in found]
        self._device.recording.hazards.extend(found)

    def _place(self, address: int, nbytes: int, shared: bool) -> str:
        return self._shared.place(address) if shared else self._device.memory.place(address)
