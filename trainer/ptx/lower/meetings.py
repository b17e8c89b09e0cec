"""Lanes of a warp that wait for each other in a collective, as on a GPU since Volta.

A collective with a mask holds its lanes until all live lanes of the mask have come to a collective of that
kind, be it another instruction; lanes that end need not come. Here it goes ahead with the lanes present,
which is how it ends on a GPU if the others come later. What lanes do meanwhile is counted: `warp.turns` of
each lane, and `warp.due`, the turns that others wait for. A lane that has fewer than it is due (in
`warp.owed`) and waits at a block barrier, or comes to another kind of collective that names those who wait,
hangs the warp for ever: a WARP_DEADLOCK event about such lanes. Measured on an H200: both of these hang;
shuffles on the two sides of a branch meet, and lanes that end set those free who wait for them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from trainer.ptx.lower import meetings_ir
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.values import I32

KINDS = {"shfl": 1, "vote": 2, "match": 3, "redux": 4, "elect": 5, "bar": 6}  # `warp.owing`; 0: all have met


def at_collective(ctx: Context, absent: Any, masks: Any) -> None:
    """Lanes are at a collective whose masks (i32 per lane) name the lanes `absent` (i32) too.

    Emit this where some are absent, or `warp.owing` tells that some were.
    """
    ctx.helper("hang", meetings_ir.HANG)
    kind = I32(KINDS[ctx.instruction.op])
    arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), ctx.mask_bits, absent, masks, kind]
    ctx.call_helper("take_turns", meetings_ir.COLLECTIVE, ir.VoidType(), arguments)


def at_barrier(ctx: Context, mask: Any) -> None:
    """The lanes of the i32 `mask` have begun to wait at a barrier of the whole block."""
    if ctx.width == 1:
        return
    ctx.helper("hang", meetings_ir.HANG)
    arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), mask]
    owing = ctx.load_field("warp.owing")
    ctx.if_any(owing, lambda: ctx.call_helper("stand_still", meetings_ir.BARRIER, ir.VoidType(), arguments))
