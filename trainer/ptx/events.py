"""What generated code reports, and the exception it becomes when a launch must stop."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.errors import DeviceFault, Location
from trainer.ptx.layout import Dim3, EventKind
from trainer.ptx.memory import Memory
from trainer.ptx.module import Instruction, Vector
from trainer.ptx.types import TYPES

_MESSAGES = {
    EventKind.BOUNDS: "out of bounds",
    EventKind.ALIGNMENT: "misaligned access",
    EventKind.READ_ONLY: "write to constant memory",
    EventKind.TRAP: "the kernel executed a trap",
    EventKind.BARRIER_DIVERGENCE: "a barrier that not all threads of the block reach together",
    EventKind.DEADLOCK: "deadlock",
    EventKind.STACK_OVERFLOW: "the call stack is used up (recursion without end?)",
    EventKind.ABSENT_LANE: "a warp operation names lanes that do not take part",
    EventKind.WARP_DEADLOCK: "lanes of a warp wait for each other for ever",
    EventKind.BAD_CALL: "a call through a pointer that is no device function",
}


@dataclass(frozen=True)
class Group:
    """Lanes of one warp that wait for others, or that others wait for."""

    warp: int
    lanes: tuple[int, ...]
    threads: tuple[Dim3, ...]
    at: Instruction | None  # where they wait, or where they ended
    ended: bool = False


@dataclass(frozen=True)
class Event:
    """Something generated code reports. `addresses` are of the lanes in `lanes` (memory events)."""

    kind: EventKind | int
    kernel: str
    function: str
    instruction: Instruction
    block: Dim3
    warp: int
    lanes: tuple[int, ...]
    threads: tuple[Dim3, ...]
    addresses: tuple[int, ...] = ()
    text: str = ""
    absent: tuple[int, ...] = ()  # lanes that a collective names and that are not there
    readers: tuple[int, ...] = ()  # lanes that read from one of them
    waiters: tuple[int, ...] = ()  # warp deadlock: lanes that wait for `lanes`
    waiters_at: Instruction | None = None  # in this collective
    walked_past: bool = False  # barrier divergence: `others` ended behind it, without having been there
    others: Group | None = None  # barrier divergence, deadlock: some that do not come

    @property
    def line(self) -> int:
        return self.instruction.line

    @property
    def bytes_per_lane(self) -> int:
        """How much each lane accesses."""
        return access_bytes(self.instruction)


def access_bytes(instruction: Instruction) -> int:
    """Bytes per lane of a load, store or atomic (1 for anything else)."""
    kind = TYPES.get(instruction.modifiers[-1]) if instruction.modifiers else None
    if kind is None or instruction.op not in ("ld", "ldu", "st", "atom", "red"):
        return 1
    vectors = [o for o in instruction.operands if isinstance(o, Vector)]
    return kind.bytes * (len(vectors[0].elements) if vectors else 1)


def fault_of(event: Event, memory: Memory) -> DeviceFault:
    """The exception for an event that stops a launch."""
    message = (
        event.text or _MESSAGES.get(event.kind, "fault") if isinstance(event.kind, EventKind) else "fault"
    )
    if event.addresses:
        message += f": {memory.describe(event.addresses[0], event.bytes_per_lane)}"
    if event.threads:
        message += f" (block {event.block}, thread {event.threads[0]})"
    where = Location("source", event.line) if event.line else None
    return DeviceFault(f"`{event.kernel}`: {message}", where=where)
