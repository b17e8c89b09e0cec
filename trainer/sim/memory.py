"""Simulated device memory: one arena, allocations with exact ends, poison, and shadow arrays.

Simulated addresses start at ARENA_BASE and stay valid when the arena grows, for only the host side
moves. Between allocations lies at least GUARD bytes that belong to nobody; a freed allocation stays
unused for a while, so that stale pointers are recognised.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trainer.errors import DeviceFault
from trainer.ptx.layout import ARENA_BASE

ALIGNMENT = 256
GUARD = 512
QUARANTINE_BYTES = 64 << 20
MAX_BYTES = 6 << 30  # of real memory; a GPU may have more, this machine has not
FROM_HOST = np.int64(1 << 40)  # shadow entry of a word that the host wrote, see observe_ir
_POISON_BYTES = 1 << 16


@dataclass
class Region:
    """One allocation: [lo, hi) in simulated addresses.

    `element` is the size of what the buffer holds, for naming places in it. `initialised`: all of
    it was written by the host. `space` is "global" or "const".
    """

    name: str
    lo: int
    hi: int
    element: int = 4
    initialised: bool = False
    freed: bool = False
    space: str = "global"
    scratch: bool = False  # the submission's own, which it may free

    @property
    def nbytes(self) -> int:
        return self.hi - self.lo


class Arena:
    """Device memory of one run."""

    def __init__(self, seed: int, *, shadows: bool, limit: int = MAX_BYTES) -> None:
        self._rng = np.random.default_rng(seed)
        self._poison = self._rng.integers(0, 256, _POISON_BYTES, dtype=np.uint8)
        self._limit = limit
        self._shadows = shadows
        self._top = GUARD
        self._starts: list[int] = []
        self._regions: dict[int, Region] = {}
        self._quarantine: deque[Region] = deque()
        self._quarantined = 0
        self._reusable: dict[int, list[int]] = {}
        self.version = 0  # changes whenever the table of live allocations does
        self._grow(1 << 16)

    # host side

    def _grow(self, capacity: int) -> None:
        old = getattr(self, "data", None)
        self.data: NDArray[np.uint8] = np.zeros(capacity, dtype=np.uint8)
        writers = np.zeros(capacity // 4 if self._shadows else 0, dtype=np.int64)
        if old is not None:
            self.data[: len(old)] = old
            writers[: len(self.writers)] = self.writers
        self.writers: NDArray[np.int64] = writers
        # readers and stamps mean nothing between launches
        self.readers: NDArray[np.int64] = np.zeros_like(writers)
        self.read_stamps: NDArray[np.int32] = np.zeros(capacity // 32, dtype=np.int32)
        self.write_stamps: NDArray[np.int32] = np.zeros(capacity // 32, dtype=np.int32)
        self.seen: NDArray[np.bool_] = np.zeros(capacity // 32, dtype=np.bool_)

    @property
    def host_address(self) -> int:
        """Host address of the byte at ARENA_BASE."""
        return int(self.data.ctypes.data)

    @property
    def used(self) -> int:
        """Bytes from the start that any allocation ever reached, plus a guard."""
        return self._top

    # allocations

    def allocate(
        self, name: str, nbytes: int, *, element: int = 4, space: str = "global", scratch: bool = False
    ) -> Region:
        """Poisoned memory; `DeviceFault` when there is not so much."""
        room = -(-max(nbytes, 1) // ALIGNMENT) * ALIGNMENT + GUARD
        reusable = self._reusable.get(room)
        lo = reusable.pop() if reusable else self._extend(room)
        start = ARENA_BASE + lo
        region = Region(name, start, start + nbytes, element, space=space, scratch=scratch)
        if region.lo not in self._regions:
            insort(self._starts, region.lo)
        self._regions[region.lo] = region
        self._fill_with_poison(region)
        if self._shadows:
            self.writers[lo // 4 : (lo + nbytes + 3) // 4] = 0
        self.version += 1
        return region

    def _extend(self, room: int) -> int:
        lo = -(-self._top // ALIGNMENT) * ALIGNMENT
        if lo + room > self._limit:
            raise DeviceFault(
                "out of memory: the allocations together exceed what the simulator can hold "
                f"({self._limit >> 30} GiB)",
                hint="Allocate less, free what is no longer needed, or grade on a GPU.",
            )
        self._top = lo + room
        if self._top > len(self.data):
            self._grow(max(2 * len(self.data), -(-self._top // ALIGNMENT) * ALIGNMENT))
        return lo

    def _fill_with_poison(self, region: Region) -> None:
        view = self.view(region.lo, region.nbytes)
        shift = int(self._rng.integers(0, _POISON_BYTES // 16)) * 4
        pattern = np.roll(self._poison, shift)
        whole = len(view) // _POISON_BYTES * _POISON_BYTES
        view[:whole].reshape(-1, _POISON_BYTES)[:] = pattern
        view[whole:] = pattern[: len(view) - whole]

    def free(self, address: int) -> None:
        """Give a whole allocation back; `DeviceFault` when `address` is not the start of one."""
        region = self._regions.get(address)
        if region is None:
            raise DeviceFault(f"cudaFree of 0x{address:x}, which cudaMalloc never returned")
        if region.freed:
            raise DeviceFault(f"cudaFree of {region.name}, which was freed before")
        if not region.scratch:
            raise DeviceFault(f"cudaFree of {region.name}, which belongs to the caller")
        region.freed = True
        self.version += 1
        self._quarantine.append(region)
        self._quarantined += region.nbytes
        while self._quarantined > QUARANTINE_BYTES and len(self._quarantine) > 1:
            oldest = self._quarantine.popleft()
            self._quarantined -= oldest.nbytes
            room = -(-max(oldest.nbytes, 1) // ALIGNMENT) * ALIGNMENT + GUARD
            self._reusable.setdefault(room, []).append(oldest.lo - ARENA_BASE)

    def live(self) -> list[Region]:
        """Allocations in order of address."""
        return [r for r in (self._regions[lo] for lo in self._starts) if not r.freed]

    def find(self, address: int) -> Region | None:
        """The allocation, live or freed, that holds `address`."""
        region = self.below(address)
        return region if region is not None and address < region.hi else None

    def below(self, address: int) -> Region | None:
        """The last allocation that starts at or below `address`."""
        at = bisect_right(self._starts, address) - 1
        return self._regions[self._starts[at]] if at >= 0 else None

    def above(self, address: int) -> Region | None:
        """The first allocation that starts above `address`."""
        at = bisect_right(self._starts, address)
        return self._regions[self._starts[at]] if at < len(self._starts) else None

    # contents

    def check(self, what: str, address: int, nbytes: int) -> Region | None:
        """The live allocation that holds the range; `DeviceFault` naming `what` when none does."""
        if nbytes == 0:
            return None
        region = self.find(address)
        if region is None:
            raise DeviceFault(f"{what} 0x{address:x}, which is not device memory")
        if region.freed:
            raise DeviceFault(f"{what} {region.name} after cudaFree")
        if address + nbytes > region.hi:
            past = address + nbytes - region.hi
            raise DeviceFault(f"{what} {region.name} goes {past} bytes past its end ({region.nbytes} bytes)")
        return region

    def view(self, address: int, nbytes: int) -> NDArray[np.uint8]:
        """The bytes themselves."""
        lo = address - ARENA_BASE
        return self.data[lo : lo + nbytes]

    def mark_written(self, address: int, nbytes: int) -> None:
        """The host wrote here: nothing in the range is uninitialised any more."""
        region = self.find(address)
        if region is not None and address == region.lo and nbytes >= region.nbytes:
            region.initialised = True
        if self._shadows:
            lo = address - ARENA_BASE
            self.writers[lo // 4 : (lo + nbytes + 3) // 4] = FROM_HOST

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        """Device to device; what was uninitialised in the source is so in the destination."""
        self.view(destination, nbytes)[:] = self.view(source, nbytes).copy()
        origin = self.find(source)
        if origin is not None and origin.initialised:
            self.mark_written(destination, nbytes)
        elif self._shadows:
            there, here = destination - ARENA_BASE, source - ARENA_BASE
            words = (nbytes + 3) // 4
            known = self.writers[here // 4 : here // 4 + words] != 0
            self.writers[there // 4 : there // 4 + words] = np.where(known, FROM_HOST, 0)

    def forget_launches(self) -> None:
        """Make all shadow entries as old as can be; block numbers may start again."""
        self.writers[self.writers != 0] = FROM_HOST
        self.readers[:] = 0

    def describe(self, address: int, nbytes: int) -> str:
        """`address` as people write it: "output[1024]", "4 bytes past the end of output"."""
        region = self.find(address)
        if region is None:
            return self._outside(address, nbytes)
        offset = address - region.lo
        element = max(region.element, 1)
        text = f"{region.name}[{offset // element}]"
        return text + (f" (byte {offset % element} of it)" if offset % element else "")

    def _outside(self, address: int, nbytes: int) -> str:
        below, above = self.below(address), self.above(address)
        past = address + nbytes - below.hi if below else None
        before = above.lo - address if above else None
        if below is not None and past is not None and (before is None or past <= before):
            index = (address - below.lo) // max(below.element, 1)
            return f"{below.name}[{index}] ({_bytes(past)} past the end: it has {_elements(below)})"
        if above is not None and before is not None:
            index = (address - above.lo) // max(above.element, 1)
            return f"{above.name}[{index}] ({_bytes(before)} before its start)"
        return f"0x{address:x}"


def _bytes(count: int) -> str:
    return f"{count} byte" + ("" if count == 1 else "s")


def _elements(region: Region) -> str:
    count = region.nbytes // max(region.element, 1)
    return f"{count} element" + ("" if count == 1 else "s")
