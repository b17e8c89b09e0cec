"""Special registers."""

from __future__ import annotations

import re

from llvmlite import ir

from trainer.ptx.layout import EventKind
from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I32, I64
from trainer.ptx.module import Instruction

_LAUNCH = {
    "%ntid.x": "block_x",
    "%ntid.y": "block_y",
    "%ntid.z": "block_z",
    "%nctaid.x": "grid_x",
    "%nctaid.y": "grid_y",
    "%nctaid.z": "grid_z",
    "%dynamic_smem_size": "dynamic_shared",
}
_ONE = frozenset(f"%{name}.{axis}" for name in ("cluster_nctaid",) for axis in "xyz") | {"%cluster_nctarank"}
_ZERO = frozenset(f"%cluster_ctaid.{axis}" for axis in "xyz") | {"%cluster_ctarank", "%is_explicit_cluster"}
_SAME_AS_BLOCK = {f"%clusterid.{a}": f"%ctaid.{a}" for a in "xyz"} | {
    f"%nclusterid.{a}": f"%nctaid.{a}" for a in "xyz"
}
_LANE_MASKS = ("%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge")


def special_register(ctx: Context, name: str) -> Value:
    """Value of a special register in every lane, i32 (i64 for the 64-bit ones)."""
    name = _SAME_AS_BLOCK.get(name, name)
    if name in _LAUNCH:
        return ctx.splat(ctx.load_field(f"env.{_LAUNCH[name]}"))
    if name.startswith("%tid."):
        return ctx.builder.load(ctx.field(f"warp.{name[-1]}"), typ=ctx.vector(I32), align=64)
    if name.startswith("%ctaid."):
        return ctx.splat(ctx.slot_field(f"slot.{name[-1]}", I32))
    if name == "%laneid":
        return ctx.lane_ids()
    if name == "%warpid":
        return ctx.splat(ctx.load_field("warp.index"))
    if name == "%nwarpid":
        return ctx.constant(32, 64)
    if name in _LANE_MASKS:
        return _lane_mask(ctx, name)
    if name in _ONE:
        return ctx.constant(32, 1)
    if name in _ZERO:
        return ctx.constant(32, 0)
    return _other(ctx, name)


def _other(ctx: Context, name: str) -> Value:
    builder = ctx.builder
    if name in ("%total_smem_size", "%aggr_smem_size"):
        return ctx.splat(builder.trunc(ctx.load_field("env.shared_bytes", I64), I32))
    if name in ("%smid", "%nsmid"):
        block = builder.trunc(ctx.slot_field("slot.block", I64), I32)
        return ctx.constant(32, 132) if name == "%nsmid" else ctx.splat(builder.urem(block, I32(132)))
    if name == "%gridid":
        return ctx.splat(ctx.load_field("env.launch_id", I64))
    if name in ("%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"):
        return _clock(ctx, name)
    if name == "%reserved_smem_offset_1":
        return ctx.constant(32, ctx.kernel.reserved_shared())
    envreg = re.fullmatch(r"%envreg(\d)", name)
    if envreg:
        return ctx.splat(ctx.load_field("env.envreg", I32, int(envreg.group(1))))
    ctx.unsupported(f"special register {name}")


def _clock(ctx: Context, name: str) -> Value:
    """A clock that advances by about one a warp instruction: monotonic, and the same in every run."""
    builder = ctx.builder
    given, left = ctx.load_field("env.executed", I64), ctx.load_field("env.slice", I64)
    now_at = ctx.field("env.clock")
    ticks = builder.add(builder.load(now_at, typ=I64), I64(1))
    builder.store(ticks, now_at)
    now = builder.add(builder.sub(given, left), builder.add(ticks, I64(1 << 40)))
    if name.endswith("_hi"):
        return ctx.splat(builder.trunc(builder.lshr(now, I64(32)), I32))
    if name in ("%clock", "%globaltimer_lo"):
        return ctx.splat(builder.trunc(now, I32))
    return ctx.splat(now)


def _lane_mask(ctx: Context, name: str) -> Value:
    def mask(lane: int) -> int:
        below = (1 << lane) - 1
        own = 1 << lane
        everything = 0xFFFFFFFF
        return {
            "eq": own,
            "lt": below,
            "le": below | own,
            "gt": everything & ~(below | own),
            "ge": everything & ~below,
        }[name[-2:]]

    return ir.Constant(ctx.vector(I32), [I32(mask(k)) for k in range(ctx.width)])


@lowers(
    "membar",
    "fence",
    "nanosleep",
    "setmaxnreg",
    "prefetch",
    "prefetchu",
    "griddepcontrol",
    "applypriority",
    "discard",
    "pmevent",
)
def _nothing(ctx: Context, instruction: Instruction) -> None:
    """Lanes and warps run one after another, so ordering and hints have nothing to do."""
    ctx.memory.fence(ctx, instruction)


@lowers("bar", "barrier")
def _other_barriers(ctx: Context, instruction: Instruction) -> None:
    """`bar.warp.sync`: lanes present run in lock step; block barriers never get here."""
    if "warp" in instruction.modifiers:
        ctx.memory.warp_barrier(ctx, instruction)
    elif "cluster" in instruction.modifiers:
        ctx.memory.fence(ctx, instruction)
    else:
        ctx.unsupported()


@lowers("brkpt")
def _breakpoint(ctx: Context, instruction: Instruction) -> None:
    ctx.event(EventKind.TRAP)


@lowers("block_collect")
def _collect(ctx: Context, instruction: Instruction) -> None:
    """Second half of `bar.red`: the result, after the barrier."""
    from trainer.ptx.control import collect_reduction

    collect_reduction(ctx, instruction)
