"""Which meetings at barriers break the rule that all threads of a block come to the same one.

Lanes of a warp may reach a barrier one group after the other, in any order, and threads that have ended
need not come. What is wrong is to wait for each other at different barriers, or to walk past one.
"""

from __future__ import annotations

from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.layout import MAX_LANES, Frame, Slot, Warp


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
