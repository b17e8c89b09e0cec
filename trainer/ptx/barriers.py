"""Which meetings at barriers break the rule that all threads of a block come to the same one.

Lanes of a warp may reach a barrier one group after the other, in any order, and threads that have ended
need not come. What is wrong is to wait for each other at different barriers, or to walk past one.
"""

from __future__ import annotations

from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.events import Group
from trainer.ptx.layout import MAX_LANES, WARP_BYTES, Frame, Slot, Warp
from trainer.ptx.module import Instruction


def passed_by(kernel: CompiledKernel, warp: Warp, frame_at: int, left: int) -> bool:
    """Whether lanes of `left`, which ended while others waited, had gone on behind the barrier.

    They had if they ended in a block that the waiting lanes may come to. Otherwise they took another
    way out: an early return, which is no error.
    """
    frame = Frame.from_address(frame_at)
    if frame.pending:  # the barrier is in a called function, whose frame is not this one
        return False
    blocks = [b.block for b in kernel.blocks if b.function == kernel.name]
    waiting = {frame.pc[k] for k in range(MAX_LANES) if warp.waiting >> k & 1}
    reached, todo = set(waiting), list(waiting)
    while todo:
        number = todo.pop()
        fresh = set(blocks[number].successors) - reached if number < len(blocks) else set()
        reached |= fresh
        todo.extend(fresh)
    return any(frame.pc[k] in reached for k in range(MAX_LANES) if left >> k & 1)


def differs(kernel: CompiledKernel, slot: Slot, site: int) -> bool:
    """Whether threads of the block wait at a barrier of another source line (copies of one are the same)."""
    mine = kernel.sites[site].instruction
    others = (kernel.sites[b.site - 1].instruction for b in slot.barriers if b.site and b.site - 1 != site)
    return any(o.line != mine.line or o.line == 0 for o in others)


def held(kernel: CompiledKernel, slot: Slot, warp: Warp) -> tuple[int, Instruction | None]:
    """Lanes of a warp that wait at one barrier, and which."""
    for mask, barrier in zip(warp.bar_masks, slot.barriers, strict=True):
        if mask and barrier.site:
            return mask, kernel.sites[barrier.site - 1].instruction
    return warp.waiting, None


def outside(slot: Slot) -> Group | None:
    """In a block where nobody can go on, lanes that do not wait themselves, of one warp: they are in a
    function that has called the one whose lanes wait."""
    for warp in warps(slot):
        lanes = lanes_of(warp.alive & ~warp.waiting)
        if lanes:
            return _group(warp, lanes, None)
    return None


def elsewhere(kernel: CompiledKernel, slot: Slot, here: Instruction) -> Group | None:
    """Threads of the block that wait at a barrier of another source line than `here`, of one warp."""
    for warp in warps(slot):
        found: dict[int, list[int]] = {}
        for lane in lanes_of(warp.waiting):
            at = _waits_at(kernel, warp, lane)
            if at is not None and (at.line != here.line or at.line == 0) and at is not here:
                found.setdefault(at.index, []).append(lane)
        if found:
            lanes = next(iter(found.values()))
            return _group(warp, lanes, _waits_at(kernel, warp, lanes[0]))
    return None


def gone(kernel: CompiledKernel, slot: Slot) -> Group | None:
    """Threads of the block that have ended, of one warp."""
    for warp in warps(slot):
        ended = lanes_of(warp.start & ~warp.alive)
        if ended:
            return left(kernel, warp, ended)
    return None


def left(kernel: CompiledKernel, warp: Warp, lanes: list[int]) -> Group:
    """`lanes` of a warp, which have ended, and where the first did."""
    frame = Frame.from_address(int(warp.frame))
    blocks = [b for b in kernel.blocks if b.function == kernel.name]
    number = frame.pc[lanes[0]]
    at = blocks[number].instructions[-1] if not frame.pending and number < len(blocks) else None
    return _group(warp, lanes, at, ended=True)


def warps(slot: Slot) -> list[Warp]:
    return [Warp.from_address(int(slot.warps) + k * WARP_BYTES) for k in range(int(slot.warp_count))]


def lanes_of(mask: int) -> list[int]:
    return [lane for lane in range(MAX_LANES) if mask >> lane & 1]


def _waits_at(kernel: CompiledKernel, warp: Warp, lane: int) -> Instruction | None:
    """The barrier behind which a lane that waits will go on; None where a called function has it."""
    frame = Frame.from_address(int(warp.frame))
    if frame.pending:
        return None
    own = (b for b in kernel.blocks if b.function == kernel.name and b.block.following == frame.pc[lane])
    found = [b.instructions[-1] for b in own]
    return next((i for i in found if isinstance(i, Instruction) and i.op in ("bar", "barrier")), None)


def _group(warp: Warp, lanes: list[int], at: Instruction | None, *, ended: bool = False) -> Group:
    threads = tuple((warp.x[k], warp.y[k], warp.z[k]) for k in lanes)
    return Group(warp.index, tuple(lanes), threads, at, ended)
