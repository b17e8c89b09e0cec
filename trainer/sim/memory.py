"""Device memory as hazards need it: the engine's arena plus names, poison and shadow arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.errors import DeviceFault
from trainer.ptx.layout import ARENA_BASE
from trainer.ptx.memory import RED_ZONE, Block, Memory
from trainer.sim import places

FROM_HOST = np.int64(1 << 40)  # shadow entry of a word that the host wrote, see observe_layout
FIRST_BLOCK = 2  # block numbers of launches start above the host's
LAST_BLOCK = (1 << 24) - 1
# A prime number of words, so that poison does not line up with rows, tiles or strides.
_POISON_BYTES = 4 * 16381
_POISON_LIMIT = 32 << 20
_SLACK = 1 << 16
_WIDEST = 16  # bytes of one load
_FAR = 1 << 20  # an address farther from a buffer than this (and its size) has nothing to do with it


class SimMemory(Memory):
    """All memory of one run.

    Tags of a `Block`: `element` (bytes of what it holds, for naming places), `initialised` (all of it
    was written by the host), `scratch` (the submission's own).
    """

    def __init__(self, nbytes: int, seed: int, *, shadows: bool) -> None:
        super().__init__(nbytes)
        rng = np.random.default_rng(seed)
        self.poison: NDArray[np.uint8] = rng.integers(0, 256, _POISON_BYTES, dtype=np.uint8)
        self._rng = rng
        self._shadows = shadows
        self._covered = 0
        self.writers: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.readers: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.read_stamps: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.write_stamps: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.seen: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self.next_block = FIRST_BLOCK
        self.stamp = 0
        self.mallocs = 0  # calls of cudaMalloc so far

    # allocations

    def create(self, name: str, nbytes: int, *, element: int = 4, scratch: bool = False) -> int:
        """Poisoned memory that `name` will call; returns its address."""
        address = self.allocate(max(nbytes, 1), name=name)
        block = self.find(address)
        assert block is not None
        block.nbytes = nbytes
        block.tags.update(element=element, scratch=scratch, initialised=False)
        # A vector load may reach over the end: what it finds there is as arbitrary.
        self.fill_with_poison(address, -(-nbytes // _WIDEST) * _WIDEST)
        return address

    def fill_with_poison(self, address: int, nbytes: int) -> None:
        """Random bytes, different from allocation to allocation and from seed to seed.

        What lies beyond the first `_POISON_LIMIT` bytes stays zero: room that is reserved and hardly used
        costs nothing then, and whoever reads there without writing is still found by the shadows.
        """
        nbytes = min(nbytes, _POISON_LIMIT)
        view = self.array(address, nbytes)
        pattern = np.roll(self.poison, 4 * int(self._rng.integers(0, _POISON_BYTES // 4)))
        whole = nbytes // _POISON_BYTES * _POISON_BYTES
        view[:whole].reshape(-1, _POISON_BYTES)[:] = pattern
        view[whole:] = pattern[: nbytes - whole]

    def array(self, address: int, nbytes: int) -> NDArray[np.uint8]:
        """The bytes at a simulated address, as an array that shares memory."""
        return np.frombuffer(self.view(address, nbytes), dtype=np.uint8)

    def holder(self, address: int) -> Block | None:
        """The allocation, live or freed, that holds `address`."""
        block = self.find(address)
        return block if block is not None and address < block.end else None

    def check(self, what: str, address: int, nbytes: int) -> None:
        """Raises DeviceFault unless [address, address + nbytes) lies inside one live allocation."""
        if nbytes == 0 or self.holds(address, nbytes):
            return
        block = self.holder(address)
        if block is None:
            place = "a null pointer" if address == 0 else f"{address:#x}, which is no device memory"
            raise DeviceFault(f"{what}: {place}", hint="Host and device pointers may be mixed up.")
        if block.freed:
            raise DeviceFault(f"{what}: {block.name} was freed before")
        past = address + nbytes - block.end
        raise DeviceFault(f"{what}: {past} bytes past the end of {block.name}")

    def release(self, address: int) -> None:
        """cudaFree: DeviceFault for what is not the submission's to free."""
        block = self.holder(address)
        if block is None or block.address != address:
            raise DeviceFault(f"cudaFree of {address:#x}, which cudaMalloc never returned")
        if block.freed:
            raise DeviceFault(f"cudaFree of {block.name}, which was freed before")
        if not block.tags.get("scratch"):
            raise DeviceFault(f"cudaFree of {block.name}, which belongs to the caller")
        self.free(address)

    # shadows

    def cover(self) -> None:
        """Make the shadow arrays reach over everything allocated so far."""
        used = self._next - ARENA_BASE + _SLACK
        if used <= self._covered:
            return
        size = max(used, 2 * self._covered)
        if self._shadows:
            self.writers = _grown(self.writers, size // 4)
            self.readers = _grown(self.readers, size // 4)
        self.read_stamps = _grown(self.read_stamps, size // 32)
        self.write_stamps = _grown(self.write_stamps, size // 32)
        self.seen = _grown(self.seen, size // 32)
        self._covered = size

    @property
    def covered(self) -> int:
        """Bytes of the arena that the shadow arrays reach over."""
        return self._covered

    def number_blocks(self, count: int) -> int:
        """Numbers for the blocks of a launch; returns the first."""
        if self.next_block + count > LAST_BLOCK:
            self.writers[self.writers != 0] = FROM_HOST
            self.readers[:] = 0
            self.next_block = FIRST_BLOCK
        first = self.next_block
        self.next_block += count
        return first

    def mark_written(self, address: int, nbytes: int) -> None:
        """The host wrote here: nothing in the range is uninitialised any more."""
        block = self.holder(address)
        if block is not None and address == block.address and nbytes >= block.nbytes:
            block.tags["initialised"] = True
        elif self._shadows:
            self.cover()
            lo = address - ARENA_BASE
            self.writers[lo // 4 : (lo + nbytes + 3) // 4] = FROM_HOST

    def duplicate(self, destination: int, source: int, nbytes: int) -> None:
        """Device to device copy; what was uninitialised in the source is so in the destination."""
        self.array(destination, nbytes)[:] = self.array(source, nbytes).copy()
        origin = self.holder(source)
        if not self._shadows or (origin is not None and origin.tags.get("initialised", True)):
            self.mark_written(destination, nbytes)
            return
        self.cover()
        there, here, words = destination - ARENA_BASE, source - ARENA_BASE, (nbytes + 3) // 4
        known = self.writers[here // 4 : here // 4 + words] != 0
        self.writers[there // 4 : there // 4 + words] = np.where(known, FROM_HOST, 0)

    # names

    def place(self, address: int) -> str:
        """`address` as people write it: "output[1024]"."""
        block = self.holder(address)
        return places.in_block(block, address) if block is not None else places.number(address)

    def outside(self, address: int, nbytes: int) -> places.Stray:
        """What an access to memory that belongs to nobody was meant for: the nearest array, if near."""
        below, above = self.find(address), self._after(address)
        if below is not None and address - below.end > max(below.nbytes, _FAR):
            below = None
        if above is not None and above.address - address > max(above.nbytes, _FAR):
            above = None
        gap = address + nbytes - below.end if below is not None else None
        lead = above.address - address if above is not None else None
        if below is not None and gap is not None and (lead is None or gap <= lead or gap <= RED_ZONE):
            return places.past_end(below, address, nbytes)
        return places.before_start(above, address) if above is not None else places.nowhere(address)


def _grown(old: NDArray[Any], size: int) -> NDArray[Any]:
    new = np.zeros(size, dtype=old.dtype)
    new[: len(old)] = old
    return new
