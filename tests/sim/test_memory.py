from __future__ import annotations

import numpy as np
import pytest

from trainer.errors import DeviceFault
from trainer.sim.memory import FIRST_BLOCK, FROM_HOST, LAST_BLOCK, SimMemory
from trainer.sim.report import Beyond


@pytest.fixture
def memory() -> SimMemory:
    return SimMemory(1 << 24, seed=1, shadows=True)


def test_fresh_memory_holds_garbage_of_its_seed() -> None:
    first, same, other = (
        m.array(m.create("x", 1000), 1000).copy()
        for m in (SimMemory(1 << 20, seed, shadows=False) for seed in (1, 1, 2))
    )
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)
    assert len(np.unique(first)) > 100


def test_places_are_told_in_elements(memory: SimMemory) -> None:
    address = memory.create("out", 80, element=8)
    assert memory.place(address + 16) == "out[2]"
    assert memory.place(address + 19) == "out[2] (byte 3 of it)"


@pytest.mark.parametrize(
    ("name", "element", "offset", "nbytes", "said"),
    [
        ("out", 8, 80, 8, "out[10], one past the end of out[0..9]"),
        ("out", 4, 100, 4, "out[25], 6 past the end of out[0..19]"),
        ("out", 4, 72, 16, "out[18..21], which reaches 2 past the end of out[0..19]"),
        ("out", 4, 83, 1, "out[20] (byte 3 of it), one past the end of out[0..19]"),
        ("out", 80, 80, 80, "out[1], one past the end of out, which has 1 element"),
        ("out", 4, -8, 4, "out[-2], 2 before the start of out[0..19]"),
        (
            "the scratch",
            4,
            80,
            4,
            "element 20 of the scratch, one past the end of its 20 elements of 4 bytes",
        ),
    ],
)
def test_what_lies_outside_is_told_from_the_nearest_array_in_elements(
    memory: SimMemory, name: str, element: int, offset: int, nbytes: int, said: str
) -> None:
    stray = memory.outside(memory.create(name, 80, element=element) + offset, nbytes)
    assert (stray.place + stray.wrong, stray.beyond) == (said, Beyond.ARRAY)


def test_an_address_far_from_everything_is_only_a_number(memory: SimMemory) -> None:
    memory.create("out", 80)
    stray = memory.outside(0x1234, 4)
    assert (stray.place + stray.wrong, stray.beyond) == (
        "address 0x1234, which is no device memory", Beyond.NOTHING,
    )  # fmt: skip


def test_only_scratch_memory_may_be_freed_and_only_once(memory: SimMemory) -> None:
    scratch, argument = memory.create("t", 8, scratch=True), memory.create("in", 8)
    memory.release(scratch)
    with pytest.raises(DeviceFault, match="t, which was freed before"):
        memory.release(scratch)
    with pytest.raises(DeviceFault, match="in, which belongs to the caller"):
        memory.release(argument)
    with pytest.raises(DeviceFault, match="never returned"):
        memory.release(argument + 4)


def test_ranges_of_the_host_are_checked(memory: SimMemory) -> None:
    address = memory.create("in", 8)
    memory.check("cudaMemcpy to", address, 8)
    with pytest.raises(DeviceFault, match="4 bytes past the end of in"):
        memory.check("cudaMemcpy to", address + 4, 8)
    with pytest.raises(DeviceFault, match="a null pointer"):
        memory.check("cudaMemcpy to", 0, 8)


def words(memory: SimMemory, address: int, count: int) -> list[int]:
    lo = (address - memory.base) // 4
    return [int(w) for w in memory.writers[lo : lo + count]]


def test_a_part_written_by_the_host_is_no_longer_uninitialised(memory: SimMemory) -> None:
    address = memory.create("t", 16, scratch=True)
    memory.mark_written(address + 4, 8)
    assert words(memory, address, 4) == [0, int(FROM_HOST), int(FROM_HOST), 0]


def test_a_copy_takes_along_what_was_never_written(memory: SimMemory) -> None:
    source, target = memory.create("a", 16, scratch=True), memory.create("b", 16, scratch=True)
    memory.mark_written(source, 4)
    memory.mark_written(target, 16)
    memory.duplicate(target, source, 8)
    assert words(memory, target, 2) == [int(FROM_HOST), 0]


def test_block_numbers_start_again_before_they_run_out(memory: SimMemory) -> None:
    memory.cover()
    memory.writers[5] = 12345
    assert memory.number_blocks(10) == FIRST_BLOCK
    assert memory.number_blocks(LAST_BLOCK - 5) == FIRST_BLOCK
    assert memory.writers[5] == FROM_HOST
