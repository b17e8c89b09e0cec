"""Engine events - accesses and barriers that a GPU would trap or hang on - as findings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.engine import Event
from trainer.ptx.layout import EventKind
from trainer.sim.memory import SimMemory
from trainer.sim.report import Hazard, HazardKind, Space
from trainer.sim.sites import space_of

_NULL_PAGE = 4096
_LOCAL_NAME = re.compile(r"(?<=E)(\d+)([A-Za-z_]\w*)")
_ACCESSES = (EventKind.BOUNDS, EventKind.ALIGNMENT, EventKind.READ_ONLY)
_OTHERS = {
    EventKind.BARRIER_DIVERGENCE: (
        HazardKind.BARRIER_DIVERGENCE,
        "waits at a barrier that not all threads of the block reach together",
    ),
    EventKind.DEADLOCK: (
        HazardKind.BARRIER_DIVERGENCE,
        "waits at a barrier for ever: the other threads of the block never get there",
    ),
    EventKind.ABSENT_LANE: (
        HazardKind.ABSENT_LANE,
        "takes part in a warp operation whose mask names lanes that are not there",
    ),
}


class SharedNames:
    """Names places in a kernel's shared memory."""

    def __init__(self, compiled: CompiledKernel, elements: Mapping[str, int], dynamic: str | None) -> None:
        """`elements`: bytes of what each variable holds; `dynamic`: the `extern __shared__` array."""
        placed = [(offset, readable(name), elements.get(name, 4)) for name, offset in compiled.shared.items()]
        if dynamic is not None:  # its declared alignment says nothing of its elements
            placed.append((compiled.shared_bytes, readable(dynamic), 4))
        self._placed = sorted(placed)

    def place(self, offset: int) -> str:
        """ "tile[33]", or "shared memory + 0x84"."""
        holder = next((p for p in reversed(self._placed) if p[0] <= offset), None)
        if holder is None:
            return f"shared memory + {offset:#x}"
        start, name, element = holder
        return f"{name}[{(offset - start) // max(element, 1)}]"


def readable(symbol: str) -> str:
    """The variable's own name out of "kernel::_ZZ6kernelE4tile", "_ZZ6kernelE4tile" or "tile"."""
    name = symbol.split("::")[-1]
    if not name.startswith("_Z"):
        return name
    # a local variable is mangled as its function, E, and its own name behind its length
    for length, text in reversed(_LOCAL_NAME.findall(name)):
        if int(length) <= len(text):
            return str(text[: int(length)])
    return name


def hazard_of(
    event: Event, kernel: str, memory: SimMemory, shared: SharedNames, nbytes: int
) -> Hazard | None:
    """The finding for an engine event; None for what is no hazard but a plain fault (a trap, ...).

    `nbytes`: bytes per lane of the instruction.
    """
    thread = event.threads[0] if event.threads else (0, 0, 0)
    me = f"thread {thread} of block {event.block}"
    if event.kind in _ACCESSES:
        kind, where, wrong = _access(event, memory, shared, nbytes)
        verb = {"st": "writes", "atom": "updates", "red": "updates"}.get(event.instruction.op, "reads")
        return Hazard(
            kind, event.line, kernel, event.block, thread, where, f"{me} {verb} {where}{wrong}",
            count=max(len(event.lanes), 1),
        )  # fmt: skip
    if isinstance(event.kind, EventKind) and event.kind in _OTHERS:
        hazard, text = _OTHERS[event.kind]
        fatal = hazard is not HazardKind.ABSENT_LANE
        return Hazard(
            hazard, event.line, kernel, event.block, thread, "", f"{me} {text}", fatal=fatal
        )
    return None


def _access(
    event: Event, memory: SimMemory, shared: SharedNames, nbytes: int
) -> tuple[HazardKind, str, str]:
    """(kind, place, what is wrong with it)"""
    address = event.addresses[0] if event.addresses else 0
    space = space_of(event.instruction)
    if event.kind is EventKind.ALIGNMENT:
        where = shared.place(address) if space is Space.SHARED else memory.place(address)
        return HazardKind.MISALIGNED, where, f" with {nbytes} bytes at once, but the address is not aligned"
    if event.kind is EventKind.READ_ONLY:
        return HazardKind.OUT_OF_BOUNDS, memory.place(address), ", which is constant memory"
    if space is Space.SHARED:
        where = f"shared memory + {_signed(address)}"
        return HazardKind.OUT_OF_BOUNDS, where, ", which the block does not have"
    if space is Space.LOCAL:
        where = f"local memory + {_signed(address)}"
        return HazardKind.OUT_OF_BOUNDS, where, ", which the thread does not have"
    if address < _NULL_PAGE:
        return HazardKind.NULL_POINTER, "a null pointer", f" (address {address:#x})" if address else ""
    block = memory.holder(address)
    if block is not None and block.freed:
        return HazardKind.FREED_POINTER, memory.place(address), " after cudaFree"
    if block is not None:
        past = address + nbytes - block.end
        return HazardKind.OUT_OF_BOUNDS, memory.place(address), f" and {past} bytes past its end"
    return HazardKind.OUT_OF_BOUNDS, memory.outside(address, nbytes), ""


def _signed(address: int) -> str:
    value = address - (1 << 64) if address >> 63 else address
    value = value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value
    return str(value)
