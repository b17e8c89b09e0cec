"""Engine events - accesses and barriers that a GPU would trap or hang on - as findings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.engine import Event
from trainer.ptx.layout import ARENA_BASE, EventKind
from trainer.ptx.module import Immediate, Instruction
from trainer.sim.memory import SimMemory
from trainer.sim.places import Stray, past_end
from trainer.sim.report import Beyond, Deed, Hazard, HazardKind, Space
from trainer.sim.sites import space_of

_NULL_PAGE = 4096
_LOCAL_NAME = re.compile(r"(?<=E)(\d+)([A-Za-z_]\w*)")
_ACCESSES = (EventKind.BOUNDS, EventKind.ALIGNMENT, EventKind.READ_ONLY)
_MEETINGS = (EventKind.BARRIER_DIVERGENCE, EventKind.DEADLOCK)


class SharedNames:
    """Names places in a kernel's shared memory."""

    def __init__(self, compiled: CompiledKernel, elements: Mapping[str, int], dynamic: str | None) -> None:
        """`elements`: bytes of what each variable holds; `dynamic`: the `extern __shared__` array."""
        placed = [(offset, readable(name), elements.get(name, 4)) for name, offset in compiled.shared.items()]
        if dynamic is not None:  # its declared alignment says nothing of its elements
            placed.append((compiled.shared_bytes, readable(dynamic), 4))
        self._placed = sorted(placed)
        self.limit = 0  # bytes of shared memory that the block of the present launch has

    def place(self, offset: int) -> str:
        """ "tile[33]", or "shared memory + 0x84"."""
        holder = self._holder(offset)
        if holder is None:
            return f"shared memory + {offset:#x}"
        start, name, element = holder
        return f"{name}[{(offset - start) // max(element, 1)}]"

    def array(self, offset: int) -> str:
        """The name of the array that lies there; "" where none is known."""
        holder = self._holder(offset)
        return holder[1] if holder else ""

    def _holder(self, offset: int) -> tuple[int, str, int] | None:
        return next((p for p in reversed(self._placed) if p[0] <= offset), None)


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
    if event.kind is EventKind.WARP_DEADLOCK and event.waiters_at is not None:
        return _warp_deadlock(event, event.waiters_at, kernel)
    if event.kind in _MEETINGS:
        return _barrier(event, kernel)
    me = f"thread {thread} of block {event.block}"
    if event.kind in _ACCESSES:
        kind, stray = _access(event, memory, shared, nbytes)
        verb = {"st": "writes", "atom": "updates", "red": "updates"}.get(event.instruction.op, "reads")
        deed = Deed(verb, stray.array, stray.place)
        return Hazard(
            kind, event.line, kernel, event.block, thread, stray.place, f"{me} {deed}{stray.wrong}",
            count=max(len(event.lanes), 1), straddles=_straddles(event, memory, nbytes),
            beyond=stray.beyond, deed=deed,
        )  # fmt: skip
    if event.kind is EventKind.ABSENT_LANE:
        uninvited = not event.absent and not event.readers
        text = _uninvited(event) if uninvited else _absence(event)
        return Hazard(
            HazardKind.ABSENT_LANE, event.line, kernel, event.block, thread, "", f"{me} {text}",
            # an H200 stops there (illegal instruction); at shuffles and reductions it mostly goes on with all
            fatal=uninvited and event.instruction.op == "vote", undefined=bool(event.readers),
        )  # fmt: skip
    return None


def _barrier(event: Event, kernel: str) -> Hazard:
    """Threads that wait at a barrier, and some that do not come there."""
    others = event.others
    verb = "waits" if len(event.lanes) == 1 else "wait"
    text = (
        f"{_lanes(event.lanes)} of warp {event.warp} of block {event.block} {verb} "
        f"at {cuda_name(event.instruction)}{_at(event.line)}"
    )
    forever = " for ever" if event.kind is EventKind.DEADLOCK else ""
    line = others.at.line if others is not None and others.at is not None else 0
    if others is None:
        text += f"{forever}, where not all come that it waits for"
    else:
        whose = f" of warp {others.warp}" if others.warp != event.warp else ""
        them, it = f"{_lanes(others.lanes)}{whose}", "it" if len(others.lanes) == 1 else "they"
        if others.at is None and not others.ended:
            text += f"{forever}, where {them} never came: {it} did not call the function that it is in"
        elif others.at is not None and not others.ended:
            verb = "waits" if it == "it" else "wait"
            text += f"{forever} while {them} {verb} at {cuda_name(others.at)}{_at(line)}"
        elif event.walked_past:
            text += f", where {them} never came: {it} went past and ended{_at(line)}"
        else:
            text += f"{forever}, where {them} never came: {it} ended{_at(line)}"
    thread = event.threads[0] if event.threads else (0, 0, 0)
    return Hazard(
        HazardKind.BARRIER_DIVERGENCE, event.line, kernel, event.block, thread, "", text,
        other_line=line or None,
        other_thread=others.threads[0] if others is not None else None,
        other_block=event.block if others is not None else None,
    )  # fmt: skip


def _uninvited(event: Event) -> str:
    return f"takes part in {cuda_name(event.instruction)}, whose mask does not name it"


def _absence(event: Event) -> str:
    """Who is missing at a warp operation, and who reads from them."""
    name = cuda_name(event.instruction)
    verb = "reads" if len(event.readers) == 1 else "read"
    if not event.absent:
        return f"takes part in {name}, where {_lanes(event.readers)} {verb} from lanes that have ended"
    text = f"takes part in {name}, whose mask also names {_lanes(event.absent)}: not there"
    return f"{text}; {_lanes(event.readers)} {verb} from there" if event.readers else text


def _warp_deadlock(event: Event, collective: Instruction, kernel: str) -> Hazard:
    """Lanes that will never get to where others of their warp wait for them."""
    here, there = cuda_name(event.instruction), cuda_name(collective)
    verb, whom = ("waits", "it") if len(event.lanes) == 1 else ("wait", "them")
    verb_there = "waits" if len(event.waiters) == 1 else "wait"
    text = (
        f"{_lanes(event.lanes)} of warp {event.warp} of block {event.block} {verb} "
        f"at {here}{_at(event.line)} while {_lanes(event.waiters)} {verb_there} for {whom} "
        f"in {there}{_at(collective.line)}, whose mask names {whom}: a GPU hangs here"
    )
    thread = event.threads[0] if event.threads else (0, 0, 0)
    return Hazard(
        HazardKind.ABSENT_LANE, collective.line or event.line, kernel, event.block, thread, "", text,
        other_line=event.line or None,
    )  # fmt: skip


def _at(line: int) -> str:
    return f" (line {line})" if line else ""


_SHUFFLES = {"idx": "", "up": "_up", "down": "_down", "bfly": "_xor"}


def cuda_name(instruction: Instruction) -> str:
    """What CUDA C++ calls a warp collective or a barrier: "__shfl_down_sync"."""
    op, modifiers = instruction.op, instruction.modifiers
    if op == "shfl":
        return f"__shfl{next((_SHUFFLES[m] for m in modifiers if m in _SHUFFLES), '')}_sync"
    if op == "bar" and "warp" in modifiers:
        return "__syncwarp()"
    if op in ("bar", "barrier"):
        return "__syncthreads()" if instruction.operands[:1] == (Immediate(0),) else instruction.opcode
    how = next((m for m in modifiers if m != "sync"), "")
    prefix = {"vote": "", "match": "match_", "redux": "reduce_"}.get(op)
    return f"{op}.sync" if prefix is None else f"__{prefix}{how}_sync"


def _lanes(lanes: tuple[int, ...]) -> str:
    """ "lane 3", "lanes 4-7, 12" """
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and lane == runs[-1][-1] + 1:
            runs[-1].append(lane)
        else:
            runs.append([lane])
    parts = [str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs]
    return f"lane{'s' if len(lanes) > 1 else ''} {', '.join(parts)}"


def _access(event: Event, memory: SimMemory, shared: SharedNames, nbytes: int) -> tuple[HazardKind, Stray]:
    """What an access that a GPU would trap is, where it goes, and what is wrong with it."""
    address = event.addresses[0] if event.addresses else 0
    space = space_of(event.instruction)
    if event.instruction.op == "cp" and address >= ARENA_BASE:  # of a copy's two ends the global one
        space = Space.GLOBAL
    if event.kind is EventKind.ALIGNMENT:
        wrong = f" with {nbytes} bytes at once, but the address is not aligned"
        if space is Space.SHARED:
            return HazardKind.MISALIGNED, Stray(shared.array(address), shared.place(address), wrong)
        return HazardKind.MISALIGNED, _in_global(memory, address, wrong)
    if event.kind is EventKind.READ_ONLY:
        wrong = ", which is constant memory"
        return HazardKind.OUT_OF_BOUNDS, _in_global(memory, address, wrong, Beyond.CONSTANT)
    if space is Space.SHARED:
        return HazardKind.OUT_OF_BOUNDS, _out_of_shared(shared, _signed(address))
    if space is Space.LOCAL:
        where = f"local memory + {_signed(address)}"
        return HazardKind.OUT_OF_BOUNDS, Stray("", where, ", which the thread does not have", Beyond.LOCAL)
    if address < _NULL_PAGE:
        wrong = f" (address {address:#x})" if address else ""
        return HazardKind.NULL_POINTER, Stray("", "a null pointer", wrong)
    block = memory.holder(address)
    if block is not None and block.freed:
        return HazardKind.FREED_POINTER, _in_global(memory, address, " after cudaFree")
    if block is not None:
        return HazardKind.OUT_OF_BOUNDS, past_end(block, address, nbytes)
    return HazardKind.OUT_OF_BOUNDS, memory.outside(address, nbytes)


def _in_global(memory: SimMemory, address: int, wrong: str, beyond: Beyond | None = None) -> Stray:
    block = memory.holder(address)
    return Stray(block.name if block else "", memory.place(address), wrong, beyond)


def _out_of_shared(shared: SharedNames, offset: int) -> Stray:
    beyond = Beyond.SHARED if shared.limit else Beyond.NO_SHARED
    wrong = f"; the block has {shared.limit} bytes of shared memory"
    if offset < 0:
        return Stray("", f"{-offset} bytes before the start of shared memory", wrong, beyond)
    return Stray(shared.array(offset), shared.place(offset), wrong, beyond)


def _straddles(event: Event, memory: SimMemory, nbytes: int) -> bool:
    """Whether all these are loads that begin inside a live array and reach over its end. CUDA aligns
    allocations to 256 bytes and more, so an aligned load never leaves what belongs to the array.
    """
    if event.kind is not EventKind.BOUNDS or event.instruction.op not in ("ld", "ldu"):
        return False
    if space_of(event.instruction) in (Space.SHARED, Space.LOCAL) or not event.addresses:
        return False
    holders = map(memory.holder, event.addresses)
    aligned = all(address % nbytes == 0 for address in event.addresses)
    return aligned and all(block is not None and block.alive for block in holders)


def _signed(address: int) -> int:
    """An offset in a window, which wraps at 32 bits."""
    value = address - (1 << 64) if address >> 63 else address
    return value - (1 << 32) if 1 << 31 <= value < 1 << 32 else value
