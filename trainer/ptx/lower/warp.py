"""Warp collectives: shuffle, vote, match, redux, elect, activemask and the warp barrier.

They act on the lanes present. A member mask that names a live lane which is not here is reported as an
ABSENT_LANE event, and so is a shuffle from a named lane that has ended; its data are two i32: the absent
lanes, and the lanes that read from one that is named and not here; both are empty in the event of lanes
that are here though their own mask does not name them. What comes from any lane that is not here is
undefined (PTX ISA 8.5, shfl.sync). An H200 gives 0, whatever that lane's register held, whether it has ended
or is in another branch (measured; tests/gpu/test_on_gpu.py holds it), and so does this.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from trainer.ptx.lower import meetings, routine, warp_ir
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I1, I32
from trainer.ptx.module import Immediate, Instruction, Operand, Pair

_MODES = ("idx", "up", "down", "bfly")


class Members:
    """The member mask of the current instruction: `lanes` (i32 per lane), `constant` when literal."""

    def __init__(self, ctx: Context, operand: Operand) -> None:
        self.ctx = ctx
        self.constant = operand.value & 0xFFFFFFFF if isinstance(operand, Immediate) else None
        self.lanes = ctx.read(operand, "b32")
        self.gather()

    def named(self) -> Any:
        """i32: all lanes that the masks of the lanes here name."""
        ctx, b = self.ctx, self.ctx.builder
        if self.constant is not None:
            return I32(self.constant)
        masks = b.select(ctx.mask, self.lanes, ctx.constant(I32, 0))
        return ctx.intrinsic(f"llvm.vector.reduce.or.v{ctx.width}i32", I32, [masks])

    def absent(self) -> Any:
        """i32: live lanes that some mask names and that are not here."""
        ctx, b = self.ctx, self.ctx.builder
        missing = b.and_(ctx.load_field("warp.alive"), b.not_(ctx.mask_bits))
        return missing if self.constant == 0xFFFFFFFF else b.and_(missing, self.named())

    def gather(self) -> None:
        """Wait for lanes that are still on their way here.

        In most kernels the lanes furthest back always run first, so who is absent will not come. In those
        that may wait for other threads lanes take turns and get here early: the block starts with this
        instruction, so they go back and are held until the others have come, or can no longer.
        """
        ctx, b, function = self.ctx, self.ctx.builder, self.ctx.function
        index = ctx.instruction.index
        number = next((block.number for block in function.flow.blocks if block.start == index), None)
        if ctx.width == 1 or number is None or not function.flow.waits:
            return
        arguments = [ctx.warp, ctx.frame, ctx.block_mask_bits, self.named(), I32(number)]
        answer = ctx.intrinsic(ctx.kernel.runtime("meet"), I32, arguments)
        back = function.ir.append_basic_block(f"early{index}")
        go = function.ir.append_basic_block(f"gathered{index}")
        b.cbranch(b.icmp_unsigned("!=", answer, I32(0)), go, back)
        b.position_at_end(back)
        function.go_dispatch()
        b.position_at_end(go)

    def present(self) -> Any:
        """i32 per lane: its mask's lanes that are here."""
        return self.ctx.builder.and_(self.lanes, self.ctx.splat(self.ctx.mask_bits))

    def check(self, readers: Any = None) -> None:
        """Report absent lanes, and a shuffle's `readers` (i32): those whose source is named and not here."""
        ctx = self.ctx
        if ctx.width == 1:
            return
        absent = self.absent()
        meets = ctx.builder.or_(absent, ctx.load_field("warp.owing"))
        ctx.if_any(meets, lambda: meetings.at_collective(ctx, absent, self.lanes))
        report_absent(ctx, absent, I32(0) if readers is None else readers)
        if self.constant != 0xFFFFFFFF:
            unnamed = self.unnamed()
            ctx.if_any(unnamed, lambda: _report(ctx, unnamed, I32(0), I32(0)))

    def unnamed(self) -> Any:
        """i32: lanes that are here though their own mask does not name them."""
        ctx, b = self.ctx, self.ctx.builder
        if self.constant is not None:
            return b.and_(ctx.mask_bits, I32(~self.constant & 0xFFFFFFFF))
        own = b.trunc(b.lshr(self.lanes, ctx.lane_ids()), ctx.vector(I1))
        return b.and_(ctx.mask_bits, b.not_(ctx.bits(own)))


def report_absent(ctx: Context, absent: Any, readers: Any) -> None:
    """An ABSENT_LANE event where one of the i32 `absent` and `readers` (from lanes not here) is not empty."""
    ctx.if_any(ctx.builder.or_(absent, readers), lambda: _report(ctx, ctx.mask_bits, absent, readers))


def _report(ctx: Context, lanes: Any, absent: Any, readers: Any) -> None:
    arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), lanes, absent, readers]
    ctx.call_helper("report_absent", warp_ir.REPORT_ABSENT, ir.VoidType(), arguments)


def _sources(width: int, mode: str, b: int, c: int) -> tuple[list[int], list[bool]]:
    """Source lane and predicate of each lane, as the PTX manual computes them."""
    clamp, segment = c & 31, (c >> 8) & 31
    b &= 31
    sources, valid = [], []
    for lane in range(width):
        most = (lane & segment) | (clamp & ~segment & 31)
        least = lane & segment
        j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": least | (b & ~segment & 31)}[mode]
        ok = j >= most if mode == "up" else j <= most
        sources.append(j if ok else lane)
        valid.append(ok)
    return sources, valid


def _variable_sources(ctx: Context, mode: str, b: Operand, c: Operand) -> tuple[Any, Any]:
    """The same as vector code, for operands that only the kernel knows."""
    build = ctx.builder
    five = ctx.constant(I32, 31)
    lane = ctx.lane_ids()
    amount = build.and_(ctx.read(b, "b32"), five)
    control = ctx.read(c, "b32")
    segment = build.and_(build.lshr(control, ctx.constant(I32, 8)), five)
    outside = build.xor(segment, five)
    least = build.and_(lane, segment)
    most = build.or_(least, build.and_(control, outside))
    if mode == "up":
        j = build.sub(lane, amount)
        ok = build.icmp_signed(">=", j, most)
    else:
        if mode == "down":
            j = build.add(lane, amount)
        elif mode == "bfly":
            j = build.xor(lane, amount)
        else:
            j = build.or_(least, build.and_(amount, outside))
        ok = build.icmp_signed("<=", j, most)
    return build.select(ok, j, lane), ok


@lowers("shfl")
def shfl(ctx: Context, instruction: Instruction) -> None:
    present = ctx.modifiers("sync", *_MODES)
    if "sync" not in present:
        ctx.unsupported("only .sync shuffles exist since sm_70")
    mode = next(m for m in _MODES if m in present)
    target, a, b, c, mask = instruction.operands
    members = Members(ctx, mask)
    value = ctx.read(a, "b32")
    builder = ctx.builder
    if isinstance(b, Immediate) and isinstance(c, Immediate):
        lanes, flags = _sources(ctx.width, mode, b.value, c.value)
        source = ir.Constant(ctx.vector(I32), lanes)
        valid = ir.Constant(ctx.vector(I1), [int(f) for f in flags])
        result = builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), source)
    else:
        source, valid = _variable_sources(ctx, mode, b, c)
        result = ctx.call_helper("shuffle", warp_ir.GATHER, value.type, [value, source])

    if ctx.width > 1:
        here = builder.trunc(builder.lshr(ctx.splat(ctx.mask_bits), source), ctx.vector(I1))
        result = builder.select(here, result, ir.Constant(value.type, [0] * ctx.width))
        named = builder.trunc(builder.lshr(members.lanes, source), ctx.vector(I1))
        lost = builder.and_(builder.and_(named, valid), builder.not_(here))
        members.check(ctx.bits(builder.and_(lost, ctx.mask)))
    if isinstance(target, Pair):
        ctx.write(target.first, result)
        ctx.write(target.second, valid)
    else:
        ctx.write(target, result)


@lowers("vote")
def vote(ctx: Context, instruction: Instruction) -> None:
    present = ctx.modifiers("sync", "any", "all", "uni", "ballot")
    target, predicate, mask = instruction.operands
    members = Members(ctx, mask)
    builder = ctx.builder
    here = members.present()
    holds = builder.and_(ctx.splat(ctx.bits(ctx.read(predicate, "pred"))), here)
    members.check()
    zero = ctx.constant(I32, 0)
    if "ballot" in present:
        ctx.write(target, holds)
    elif "any" in present:
        ctx.write(target, builder.icmp_unsigned("!=", holds, zero))
    else:
        result = builder.icmp_unsigned("==", holds, here)
        if "uni" in present:
            result = builder.or_(result, builder.icmp_unsigned("==", holds, zero))
        ctx.write(target, result)


@lowers("match")
def match(ctx: Context, instruction: Instruction) -> None:
    present = ctx.modifiers("sync", "any", "all")
    target, a, mask = instruction.operands
    type_ = instruction.modifiers[-1]
    members = Members(ctx, mask)
    members.check()
    build = warp_ir.match_any if "any" in present else warp_ir.match_all
    name, text = build("i64" if type_ == "b64" else "i32")
    value = ctx.read(a, type_)
    found = ctx.call_helper(name, text, ctx.vector(I32), [value, members.lanes, ctx.mask_bits])
    if isinstance(target, Pair):
        ctx.write(target.first, found)
        ctx.write(target.second, ctx.builder.icmp_unsigned("!=", found, ctx.constant(I32, 0)))
    else:
        ctx.write(target, found)


@lowers("redux")
def redux(ctx: Context, instruction: Instruction) -> None:
    present = ctx.modifiers("sync", "add", "min", "max", "and", "or", "xor")
    target, a, mask = instruction.operands
    type_ = instruction.modifiers[-1]
    operation = next(m for m in ("add", "min", "max", "and", "or", "xor") if m in present)
    key = (operation, type_ == "s32")
    if type_ not in ("s32", "u32", "b32") or key not in warp_ir.REDUCTIONS:
        ctx.unsupported()
    members = Members(ctx, mask)
    members.check()
    name, text = warp_ir.reduce(*key)
    value = ctx.read(a, "b32")
    ctx.write(target, ctx.call_helper(name, text, value.type, [value, members.lanes, ctx.mask_bits]))


@lowers("activemask")
def activemask(ctx: Context, instruction: Instruction) -> None:
    ctx.write(instruction.operands[0], ctx.splat(ctx.mask_bits))


@lowers("fns")
def fns(ctx: Context, instruction: Instruction) -> None:
    """Which lane is the n-th of a mask, counted from a lane upwards (n > 0) or downwards (n < 0)."""
    target, *operands = instruction.operands
    mask, base, offset = (ctx.read(o, t) for o, t in zip(operands, ("b32", "b32", "s32"), strict=True))
    ctx.write(target, routine.call(ctx, "nth_set_bit", warp_ir.nth_set_bit, [mask, base, offset], I32))


@lowers("elect")
def elect(ctx: Context, instruction: Instruction) -> None:
    """The lowest lane present of the mask leads."""
    target, mask = instruction.operands
    members = Members(ctx, mask)
    members.check()
    builder = ctx.builder
    vector = ctx.vector(I32)
    here = members.present()
    leader = ctx.intrinsic(f"llvm.cttz.v{ctx.width}i32", vector, [here, ir.Constant(I1, 0)])
    if isinstance(target, Pair):
        ctx.write(target.first, leader)
        ctx.write(target.second, builder.icmp_unsigned("==", leader, ctx.lane_ids()))
    else:
        ctx.write(target, leader)


@lowers("bar.sync")
def warp_barrier(ctx: Context, instruction: Instruction) -> None:
    """`bar.warp.sync`: lanes run in step, so only its mask needs looking at."""
    if "warp" not in instruction.modifiers:
        ctx.unsupported()
    Members(ctx, instruction.operands[0]).check()
    ctx.memory.warp_barrier(ctx, instruction)
