from __future__ import annotations

import numpy as np
import pytest

from tests.gpu.fake_driver import FakeDriver
from trainer.errors import DeviceFault
from trainer.gpu.memory import GUARD_BYTES, PATTERN_BYTES, Memory


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver()


@pytest.fixture
def memory(driver: FakeDriver) -> Memory:
    return Memory(driver, seed=3)


def test_untouched_guards_are_whole(memory: Memory) -> None:
    for nbytes in (0, 1, 4, 257, 4096, PATTERN_BYTES + 4):
        memory.allocate("x", nbytes)
    assert memory.broken_guards() == ()


def test_one_element_past_an_odd_end_is_seen(driver: FakeDriver, memory: Memory) -> None:
    buffer = memory.allocate("output", 4 * 33)
    driver.view(buffer.end, 4)[:] = 0
    assert memory.broken_guards() == ("output: 4 bytes written past the end",)


def test_one_byte_before_the_start_is_seen(driver: FakeDriver, memory: Memory) -> None:
    buffer = memory.allocate("output", 64)
    driver.view(buffer.address - 1, 1)[:] ^= 0xFF
    assert memory.broken_guards() == ("output: 1 bytes written before the start",)


def test_a_whole_guard_overwritten_is_a_lower_bound(driver: FakeDriver, memory: Memory) -> None:
    buffer = memory.allocate("output", 64)
    driver.view(buffer.end, GUARD_BYTES)[:] ^= 0xFF
    assert memory.broken_guards() == (f"output: at least {GUARD_BYTES} bytes written past the end",)


@pytest.mark.parametrize("nbytes", [4, PATTERN_BYTES - 1, PATTERN_BYTES * 3 + 17])
def test_poison_fills_every_byte_with_random_ones(driver: FakeDriver, memory: Memory, nbytes: int) -> None:
    buffer = memory.allocate("output", nbytes)
    driver.view(buffer.address, nbytes)[:] = 0
    memory.poison(buffer)
    found = driver.view(buffer.address, nbytes)
    assert np.count_nonzero(found == 0) <= max(1, nbytes // 100)
    assert memory.broken_guards() == ()


def test_equal_seeds_give_equal_poison_and_others_do_not(driver: FakeDriver) -> None:
    first, again, other = (Memory(driver, seed).allocate("x", 256) for seed in (5, 5, 6))
    view = [driver.view(each.address, 256).tobytes() for each in (first, again, other)]
    assert view[0] == view[1] != view[2]


def test_addresses_are_aligned_to_256_bytes(memory: Memory) -> None:
    assert all(memory.allocate("x", nbytes).address % 256 == 0 for nbytes in (1, 3, 1000))


def test_freed_memory_is_poisoned_and_its_use_named(driver: FakeDriver, memory: Memory) -> None:
    buffer = memory.allocate("scratch", 64, scratch=True)
    driver.view(buffer.address, 64)[:] = 7
    memory.free(buffer.address)
    assert not (driver.view(buffer.address, 64) == 7).all()
    with pytest.raises(DeviceFault, match="scratch was freed before"):
        memory.check("cudaMemset", buffer.address, 4)
    with pytest.raises(DeviceFault, match="freed before"):
        memory.free(buffer.address)


def test_only_what_cudamalloc_gave_can_be_freed(memory: Memory) -> None:
    scratch = memory.allocate("scratch", 64, scratch=True)
    argument = memory.allocate("A", 64)
    with pytest.raises(DeviceFault, match="never returned"):
        memory.free(scratch.address + 4)
    with pytest.raises(DeviceFault, match="belongs to the caller"):
        memory.free(argument.address)


def test_a_copy_past_the_end_says_by_how_much(memory: Memory) -> None:
    buffer = memory.allocate("A", 100)
    memory.check("cudaMemcpy to", buffer.address, 100)
    with pytest.raises(DeviceFault, match="cudaMemcpy to: 5 bytes past the end of A"):
        memory.check("cudaMemcpy to", buffer.address + 5, 100)
    with pytest.raises(DeviceFault, match="null pointer"):
        memory.check("cudaMemcpy to", 0, 1)


def test_freed_memory_is_used_again_when_the_device_is_full() -> None:
    driver = FakeDriver(capacity=PATTERN_BYTES + 600_000)
    memory = Memory(driver, seed=1)
    for _ in range(10):
        buffer = memory.allocate("scratch", 400_000, scratch=True)
        memory.free(buffer.address)


def test_too_much_memory_is_a_fault_that_says_how_much_there_is(driver: FakeDriver, memory: Memory) -> None:
    with pytest.raises(DeviceFault, match=r"100\.0 GB asked for, 16\.5 MB free"):
        memory.allocate("scratch", 10**11)


def test_close_gives_everything_back(driver: FakeDriver) -> None:
    memory = Memory(driver, seed=1)
    memory.allocate("x", 10)
    memory.close()
    assert driver.live == {}
