from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.gpu.fake_driver import ABOUT, BASE, FakeDriver, launch, program
from trainer.errors import DeviceFault
from trainer.gpu.device import GpuDevice, LoadedModule, with_resources
from trainer.gpu.driver import DriverError, FunctionAttribute
from trainer.gpu.memory import Memory


@pytest.fixture
def driver() -> FakeDriver:
    driver = FakeDriver()
    driver.kernels["k"] = lambda driver, parameters: None
    return driver


@pytest.fixture
def device(driver: FakeDriver) -> GpuDevice:
    return GpuDevice(driver, ABOUT, LoadedModule(driver, program("k")), Memory(driver, 1))


def test_memory_written_filled_and_copied_reads_back(device: GpuDevice) -> None:
    a, b = device.allocate(8), device.allocate(8)
    device.write(a, b"abcdefgh")
    device.fill(a, 0x41, 2)
    device.copy(b, a, 8)
    assert device.read(b, 8) == b"AAcdefgh"
    assert device.owns(a) and not device.owns(0)


def test_a_plan_can_be_issued_again(driver: FakeDriver, device: GpuDevice) -> None:
    a = device.allocate(4)
    device.write(a, b"wxyz")
    device.launch(launch("k"))
    driver.view(a, 4)[:] = 0
    for operation in device.plan.segments[0].operations:
        operation.issue(driver)
    assert device.read(a, 4) == b"wxyz" and len(driver.launched) == 2


def test_a_last_read_does_not_make_the_plan_data_dependent(device: GpuDevice) -> None:
    a = device.allocate(4)
    device.launch(launch("k"))
    device.read(a, 4)
    assert not device.plan.data_dependent
    device.launch(launch("k"))
    assert device.plan.data_dependent


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"grid": (0, 1, 1)}, "the grid is empty"),
        ({"block": (0, 1, 1)}, "the block is empty"),
        ({"block": (1025, 1, 1)}, "block.x is 1025, the limit is 1024"),
        ({"block": (32, 33, 1)}, "1056 threads in a block"),
        ({"grid": (1, 65536, 1)}, "grid.y is 65536, the limit is 65535"),
        ({"grid": (2**31, 1, 1)}, "grid.x"),
        ({"shared_bytes": 300_000}, "300000 bytes of shared memory"),
        ({"shared_bytes": 50_000}, "but may have 49152"),
    ],
)
def test_a_launch_beyond_a_limit_names_the_limit(
    device: GpuDevice, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(DeviceFault, match=message):
        device.launch(launch("k", **changes))
    assert not device.dead


def test_more_dynamic_shared_memory_after_asking_for_it(device: GpuDevice) -> None:
    device.set_max_dynamic_shared("k", 100_000)
    device.launch(launch("k", shared_bytes=100_000))
    with pytest.raises(DeviceFault, match="cannot have 300000 bytes"):
        device.set_max_dynamic_shared("k", 300_000)


def test_an_illegal_access_names_its_kernel_and_line_and_kills_the_context(
    driver: FakeDriver, device: GpuDevice
) -> None:
    driver.fail = DriverError("cuStreamSynchronize", 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal access")
    with pytest.raises(DeviceFault, match=r"illegal memory access in k<<<7, 32>>>, launched in line 12"):
        device.launch(launch("k", grid=(7, 1, 1), line=12))
    assert device.dead


def test_occupancy_and_shared_memory_are_noted(device: GpuDevice) -> None:
    device.launch(launch("k", block=(256, 1, 1), shared_bytes=64))
    record = device.launches[0]
    assert (record.kernel, record.occupancy, record.shared_bytes) == ("k", 1.0, 64)


def test_a_variable_of_the_file_can_be_written_within_its_bounds(
    driver: FakeDriver, device: GpuDevice
) -> None:
    where = driver.allocate(16)
    driver.symbols["weights"] = (where, 16)
    address, nbytes = device.symbol("weights")
    device.write(address, b"x" * nbytes)
    assert driver.view(where, 16).tobytes() == b"x" * 16
    with pytest.raises(DeviceFault, match="4 bytes past the end of the variable weights"):
        device.write(address + 8, b"x" * 12)
    with pytest.raises(DeviceFault, match="no __device__ or __constant__ variable"):
        device.symbol("nothing")


def test_a_host_pointer_is_no_device_memory(device: GpuDevice) -> None:
    with pytest.raises(DeviceFault, match="no device memory"):
        device.fill(BASE - 4096, 0, 4)


def test_freeing_null_does_nothing(device: GpuDevice) -> None:
    device.free(0)


def test_uploads_of_read_only_arrays_do_not_copy_their_type(driver: FakeDriver) -> None:
    array = np.arange(3, dtype=np.float32)
    array.flags.writeable = False
    where = driver.allocate(12)
    driver.upload(where, array.data)
    assert driver.view(where, 12).view(np.float32).tolist() == [0, 1, 2]


def test_the_driver_tells_what_ptxas_did_not(driver: FakeDriver) -> None:
    driver.attributes |= {FunctionAttribute.REGISTERS: 40, FunctionAttribute.SHARED_BYTES: 512}
    told = program("k")
    untold = replace(told, kernels=tuple(replace(k, registers=None, shared_bytes=None) for k in told.kernels))
    assert [(k.registers, k.shared_bytes) for k in with_resources(driver, untold).kernels] == [(40, 512)]  # type: ignore[arg-type]
    assert with_resources(driver, told) is told  # type: ignore[arg-type]
