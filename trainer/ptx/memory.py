"""Simulated device memory: one lazily committed arena, an allocation table, loud gaps in between.

A simulated address plus `delta` is a host address, so an access costs one addition. Allocations lie
`RED_ZONE` bytes apart at least; whatever falls between them is out of bounds.
"""

from __future__ import annotations

import ctypes
import mmap
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from trainer.errors import DeviceFault
from trainer.ptx.layout import ARENA_BASE, Allocation
from trainer.ptx.module import Module

DEFAULT_BYTES = 16 << 30
RED_ZONE = 4096
PAGE = 4096


@dataclass
class Block:
    """One allocation. `name` is what messages call it."""

    address: int
    nbytes: int
    name: str = ""
    read_only: bool = False
    freed: bool = False
    alive: bool = True
    tags: dict[str, Any] = field(default_factory=dict)

    @property
    def end(self) -> int:
        return self.address + self.nbytes


class Memory:
    """The memory of one simulated device (or of the simulated host)."""

    def __init__(self, nbytes: int = DEFAULT_BYTES, base: int = ARENA_BASE) -> None:
        """`base` is the simulated address of the first byte: those of device and host must differ."""
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self.map = mmap.mmap(-1, nbytes, flags=flags)
        self.capacity = nbytes
        self._view = (ctypes.c_char * nbytes).from_buffer(self.map)
        self.host_base = ctypes.addressof(self._view)
        self.base = base
        self.delta = self.host_base - base
        self.blocks: list[Block] = []  # sorted by address; freed ones stay, to name them
        self._starts: list[int] = []
        self._free: dict[int, list[int]] = {}
        self._next = self.base + PAGE
        self.version = 0
        self._table: Any = None
        self._table_version = -1

    # allocation

    def allocate(self, nbytes: int, *, align: int = 256, name: str = "", read_only: bool = False) -> int:
        """Space for `nbytes` (contents zero or stale); returns its simulated address."""
        address = -(-self._next // align) * align
        end = address + nbytes + RED_ZONE
        if end - self.base > self.capacity:
            return self._recycle(Block(0, nbytes, name, read_only), align)
        self._next = end
        self.blocks.append(Block(address, nbytes, name, read_only))
        self._starts.append(address)
        self.version += 1
        return address

    def _recycle(self, wanted: Block, align: int) -> int:
        """The arena is used up: take the place of a freed block that is large enough."""
        for k, old in enumerate(self.blocks):
            if old.freed and old.nbytes >= wanted.nbytes and old.address % align == 0:
                wanted.address = old.address
                self.blocks[k] = wanted
                self.version += 1
                return wanted.address
        raise DeviceFault(f"out of simulated memory: {wanted.nbytes} bytes wanted", hint="allocate less")

    def free(self, address: int) -> None:
        """Free an allocation; later accesses to it are faults that name it."""
        block = self.find(address)
        if block is None or block.address != address:
            raise DeviceFault(f"free of 0x{address:x}, which is not the start of an allocation")
        if not block.alive:
            raise DeviceFault(f"0x{address:x} is freed twice")
        block.alive, block.freed = False, True
        self.version += 1
        self._release(block)

    def _release(self, block: Block) -> None:
        """Give whole pages of a freed block back to the system."""
        first = -(-(block.address - self.base) // PAGE) * PAGE
        last = (block.end - self.base) // PAGE * PAGE
        if last > first:
            self.map.madvise(mmap.MADV_DONTNEED, first, last - first)

    def reset(self) -> None:
        """Forget every allocation and return the memory."""
        used = self._next - self.base
        self.blocks, self._starts = [], []
        self._next = self.base + PAGE
        self.map.madvise(mmap.MADV_DONTNEED, 0, -(-used // PAGE) * PAGE)
        self.version += 1

    def find(self, address: int) -> Block | None:
        """The allocation (freed ones too) that holds `address`, or the last one before it."""
        k = bisect_right(self._starts, address) - 1
        return self.blocks[k] if k >= 0 else None

    def holds(self, address: int, nbytes: int = 1) -> bool:
        """Whether [address, address + nbytes) lies in one live allocation."""
        block = self.find(address)
        return (
            block is not None and block.alive and block.address <= address and address + nbytes <= block.end
        )

    # contents

    def view(self, address: int, nbytes: int) -> memoryview:
        """Bytes at a simulated address, writable, without a copy."""
        start = address - self.base
        if start < 0 or start + nbytes > self.capacity:
            raise DeviceFault(f"0x{address:x} is no simulated address")
        return memoryview(self._view).cast("B")[start : start + nbytes]

    def read(self, address: int, nbytes: int) -> bytes:
        return bytes(self.view(address, nbytes))

    def write(self, address: int, data: bytes | bytearray | memoryview) -> None:
        self.view(address, len(data))[:] = data

    def fill(self, address: int, value: int, nbytes: int) -> None:
        ctypes.memset(address + self.delta, value, nbytes)

    def text(self, address: int, limit: int = 4096) -> bytes:
        """A zero-terminated string."""
        raw = self.read(address, min(limit, self.capacity - (address - self.base)))
        return raw.split(b"\0", 1)[0]

    # for generated code

    def table(self) -> tuple[int, int]:
        """Host address and length of the table of live allocations."""
        if self._table_version != self.version:
            live = [b for b in self.blocks if b.alive and b.nbytes]
            table = (Allocation * max(len(live), 1))()
            for entry, block in zip(table, live, strict=False):
                entry.lo, entry.hi, entry.flags = block.address, block.end, int(block.read_only)
            self._table, self._table_version, self._count = table, self.version, len(live)
        return ctypes.addressof(self._table), self._count

    def describe(self, address: int, nbytes: int) -> str:
        """Where an address is, in words: "output[4096..] (4 bytes past the end)", "null pointer", ..."""
        if 0 <= address < 4096:
            return f"null pointer + {address}" if address else "null pointer"
        block = self.find(address)
        follower = self._after(address)
        if block is not None and address < block.end + RED_ZONE:
            name = block.name or f"allocation of {block.nbytes} bytes"
            if address < block.end:
                state = "freed " if block.freed else ""
                return f"{state}{name} + {address - block.address}"
            gap = address - block.end
            if follower is None or gap <= follower.address - address:
                return f"{name} + {address - block.address} ({gap + nbytes} bytes past the end)"
        if follower is not None and follower.address - address <= RED_ZONE:
            name = follower.name or f"allocation of {follower.nbytes} bytes"
            return f"{follower.address - address} bytes before {name}"
        return f"0x{address & (2**64 - 1):x}"

    def _after(self, address: int) -> Block | None:
        k = bisect_right(self._starts, address)
        return self.blocks[k] if k < len(self.blocks) else None


def load_globals(memory: Memory, module: Module, functions: dict[str, int], values: dict[str, int]) -> None:
    """Place the `.global` and `.const` variables of a module and initialise them.

    `values` receives name -> address; `functions` are the addresses of device functions.
    """
    variables = [v for v in module.variables.values() if v.space in ("global", "const") and not v.external]
    for variable in variables:
        nbytes = max(variable.nbytes, 1)
        constant = variable.space == "const"
        values[variable.name] = memory.allocate(
            nbytes, align=max(variable.align, 256), name=variable.name, read_only=constant
        )
        memory.fill(values[variable.name], 0, nbytes)
    for variable in variables:
        for piece in variable.pieces:
            data = piece.data
            if piece.symbol is not None:
                target = values.get(piece.symbol, functions.get(piece.symbol))
                if target is None:
                    raise DeviceFault(
                        f"`{variable.name}` is initialised with unknown symbol `{piece.symbol}`"
                    )
                data = (target + piece.addend).to_bytes(8, "little")[: piece.nbytes]
            memory.write(values[variable.name] + piece.offset, data)
