"""Device memory with guard zones: who owns an address, what was written outside its bounds.

    | guard 4 KiB | data, exactly nbytes | guard 4 KiB |

The end guard starts right behind the last byte, so that one element too many is seen even when
N is odd. Guards and fresh memory hold bytes of one random pattern drawn from the run's seed.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass

import numpy as np

from trainer.errors import DeviceFault
from trainer.gpu.driver import Driver, DriverError
from trainer.gpu.faults import OUT_OF_MEMORY

GUARD_BYTES = 4096

# Poison repeats with this period. A prime number of 4-byte words, so that it does not line up
# with rows, tiles or strides of powers of two.
PATTERN_BYTES = 4 * 65537


@dataclass
class Allocation:
    """One buffer. `name` is what messages call it."""

    name: str
    base: int
    nbytes: int
    offset: int  # of the guards' bytes in the pattern
    scratch: bool = False  # the submission's own, which it may free
    freed: bool = False

    @property
    def address(self) -> int:
        return self.base + GUARD_BYTES

    @property
    def end(self) -> int:
        return self.address + self.nbytes


class Memory:
    """All memory of one run. Close it to give the memory back."""

    def __init__(self, driver: Driver, seed: int) -> None:
        self._driver = driver
        self.mallocs = 0  # calls of cudaMalloc so far
        self._allocations: list[Allocation] = []
        self._addresses: list[int] = []  # sorted, in step with _allocations
        rng = np.random.default_rng(seed)
        self._pattern = rng.integers(0, 256, PATTERN_BYTES, dtype=np.uint8).tobytes()
        self._device_pattern = driver.allocate(PATTERN_BYTES)
        driver.upload(self._device_pattern, self._pattern)
        self._rng = rng

    def allocate(self, name: str, nbytes: int, *, scratch: bool = False) -> Allocation:
        """Poisoned memory, 256-byte aligned. Raises DeviceFault when the device has not so much."""
        base = self._reserve(name, nbytes + 2 * GUARD_BYTES)
        offset = int(self._rng.integers(0, PATTERN_BYTES - GUARD_BYTES))
        allocation = Allocation(name, base, nbytes, offset, scratch)
        self._driver.copy(base, self._device_pattern + allocation.offset, GUARD_BYTES)
        self._driver.copy(allocation.end, self._device_pattern + allocation.offset, GUARD_BYTES)
        self.poison(allocation)
        at = bisect.bisect(self._addresses, allocation.address)
        self._addresses.insert(at, allocation.address)
        self._allocations.insert(at, allocation)
        return allocation

    def _reserve(self, name: str, nbytes: int) -> int:
        for last_try in (False, True):
            try:
                return self._driver.allocate(nbytes)
            except DriverError as error:
                if error.code != OUT_OF_MEMORY:
                    raise
                if last_try or not self._reclaim():
                    free = self._driver.free_memory()
                    raise DeviceFault(
                        f"{name}: {_size(nbytes)} asked for, {_size(free)} free on the device",
                        hint="Scratch memory should be of the order of the input.",
                    ) from error
        raise AssertionError("unreachable")

    def _reclaim(self) -> bool:
        """Gives back what the submission has freed; whether there was any."""
        freed = [allocation for allocation in self._allocations if allocation.freed]
        self._driver.synchronize()
        for allocation in freed:
            self._driver.free(allocation.base)
            self._allocations.remove(allocation)
            self._addresses.remove(allocation.address)
        return bool(freed)

    def poison(self, allocation: Allocation) -> None:
        """Random bytes everywhere inside: one piece of the pattern, then doubling copies of it."""
        done = min(allocation.nbytes, PATTERN_BYTES)
        self._driver.copy(allocation.address, self._device_pattern, done)
        while done < allocation.nbytes:
            step = min(done, allocation.nbytes - done)
            self._driver.copy(allocation.address + done, allocation.address, step)
            done += step

    def free(self, address: int) -> None:
        """cudaFree. The memory is poisoned and kept until `close`, so that late uses read garbage."""
        allocation = self._at(address)
        if allocation is None or allocation.address != address:
            raise DeviceFault(f"cudaFree of {address:#x}, which cudaMalloc never returned")
        if allocation.freed:
            raise DeviceFault(f"cudaFree of {allocation.name}, which was freed before")
        if not allocation.scratch:
            raise DeviceFault(f"cudaFree of the argument {allocation.name}, which belongs to the caller")
        self.release(allocation)

    def release(self, allocation: Allocation) -> None:
        """Marks as freed, poisons, and keeps until `close` or until memory is short."""
        allocation.freed = True
        self.poison(allocation)

    def check(self, what: str, address: int, nbytes: int) -> None:
        """Raises DeviceFault unless [address, address + nbytes) lies inside one live buffer."""
        allocation = self._at(address)
        if allocation is None:
            place = "a null pointer" if address == 0 else f"{address:#x}, which is no device memory"
            raise DeviceFault(f"{what}: {place}", hint="Host and device pointers may be mixed up.")
        if allocation.freed:
            raise DeviceFault(f"{what}: {allocation.name} was freed before")
        past = address + nbytes - allocation.end
        if past > 0:
            raise DeviceFault(f"{what}: {past} bytes past the end of {allocation.name}")

    def owns(self, address: int) -> bool:
        """Freed memory too: whoever uses it should be told that, not that it is none."""
        return self._at(address) is not None

    def broken_guards(self) -> tuple[str, ...]:
        """ "output: 4 bytes written past the end", for every buffer. Waits for the device."""
        found = []
        for allocation in self._allocations:
            expected = self._guard(allocation)
            before = self._changed(allocation.base, expected)
            after = self._changed(allocation.end, expected)
            if before.size:
                count = GUARD_BYTES - int(before[0])
                found.append(f"{allocation.name}: {_bytes(count)} written before the start")
            if after.size:
                found.append(f"{allocation.name}: {_bytes(int(after[-1]) + 1)} written past the end")
        return tuple(found)

    def close(self) -> None:
        for allocation in self._allocations:
            self._driver.free(allocation.base)
        self._driver.free(self._device_pattern)
        self._allocations.clear()
        self._addresses.clear()

    def _at(self, address: int) -> Allocation | None:
        """The buffer that `address` is in; its very end counts, as the address of nothing."""
        index = bisect.bisect_right(self._addresses, address) - 1
        if index < 0:
            return None
        allocation = self._allocations[index]
        return allocation if address <= allocation.end else None

    def _guard(self, allocation: Allocation) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return np.frombuffer(self._pattern, np.uint8, GUARD_BYTES, allocation.offset)

    def _changed(
        self, address: int, expected: np.ndarray[tuple[int], np.dtype[np.uint8]]
    ) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Offsets of guard bytes that no longer hold the pattern."""
        found = np.empty(GUARD_BYTES, np.uint8)
        self._driver.download(address, found.data)
        return np.flatnonzero(found != expected)


def _bytes(count: int) -> str:
    """The count, as a lower bound where the whole guard is overwritten."""
    return f"at least {count} bytes" if count >= GUARD_BYTES else f"{count} bytes"


def _size(nbytes: int) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if nbytes >= scale:
            return f"{nbytes / scale:.1f} {unit}"
    return f"{nbytes} bytes"
