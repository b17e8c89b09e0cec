"""Where a function keeps things: registers in its frame, its depot in local memory."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.ptx.flow import Flow
from trainer.ptx.layout import FRAME_HEAD
from trainer.ptx.lower.copy_queue import QUEUE_BYTES, has_copies
from trainer.ptx.module import Function, Register
from trainer.ptx.types import Kind


@dataclass(frozen=True)
class FrameLayout:
    """Byte offsets of registers in the frame, and of variables in the depot of a thread."""

    registers: dict[str, int]
    frame_bytes: int
    depot: dict[str, int]
    depot_bytes: int
    copy_queue: int | None = None  # offset of the queue of copies in flight, where there are any


def register_bytes(register: Register, width: int) -> int:
    """Predicates are one lane mask; everything else is stored lane after lane at its natural width."""
    if register.type.kind is Kind.PREDICATE:
        return 4
    return max(register.type.bits // 8, 1) * width


def lay_out(function: Function, flow: Flow, width: int) -> FrameLayout:
    """Registers that live across blocks go to the frame, `.local` and `.param` variables to the depot."""
    crossing = {r.name: r for block in flow.blocks for r in block.live_in}
    registers, end = {}, FRAME_HEAD
    for register in sorted(crossing.values(), key=lambda r: (r.type.kind is Kind.PREDICATE, r.name)):
        nbytes = register_bytes(register, width)
        if nbytes >= 64:
            end = -(-end // 64) * 64
        else:
            end = -(-end // nbytes) * nbytes
        registers[register.name] = end
        end += nbytes
    depot, bottom = {}, 0
    for variable in flow.body.variables.values():
        if variable.space in ("local", "param"):
            bottom = -(-bottom // variable.align) * variable.align
            depot[variable.name] = bottom
            bottom += variable.nbytes
    end = -(-end // 64) * 64
    queue = None
    if function.is_entry and any(map(has_copies, flow.body.instructions)):
        queue, end = end, end + QUEUE_BYTES
    return FrameLayout(registers, end, depot, -(-bottom // 16) * 16, queue)
