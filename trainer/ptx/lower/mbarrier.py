"""mbarrier objects in shared memory: arrivals, expected bytes and phases.

The 64 bits are opaque in PTX. Here: bits 0-19 arrivals still missing, 20-39 arrivals expected,
40-62 bytes still missing (modulo 2^23), bit 63 the phase. A phase ends when nothing is missing: the
phase bit flips and the arrivals are expected anew. Lanes act one after the other.
"""

from __future__ import annotations

from typing import Any

from trainer.ptx.layout import SHARED_WINDOW
from trainer.ptx.lower import copy_queue
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I32, I64, POINTER
from trainer.ptx.module import Address, Instruction, Operand, Sink

_COUNT = 0xFFFFF
_BYTES_SHIFT = 40
_BYTES = 0x7FFFFF << _BYTES_SHIFT

# For each active lane: missing arrivals -= count, expected -= dropped, missing bytes += bytes; the phase
# ends when nothing is missing. Returns the states before.
_UPDATE = f"""
declare i32 @llvm.cttz.i32(i32, i1)

define <W x i64> @wd_mbarrier_update(
    ptr %shared, i64 %room, <W x i64> %places, <W x i64> %counts, <W x i64> %drops, <W x i64> %bytes,
    i32 %active) {{
entry:
  br label %head
head:
  %left = phi i32 [ %active, %entry ], [ %rest, %next ]
  %states = phi <W x i64> [ zeroinitializer, %entry ], [ %states.next, %next ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %done, label %body
body:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %place = extractelement <W x i64> %places, i32 %lane
  %end = add i64 %place, 8
  %inside = icmp ule i64 %end, %room
  br i1 %inside, label %apply, label %skip
apply:
  %where = getelementptr i8, ptr %shared, i64 %place
  %old = load i64, ptr %where, align 8
  %count = extractelement <W x i64> %counts, i32 %lane
  %drop = extractelement <W x i64> %drops, i32 %lane
  %more = extractelement <W x i64> %bytes, i32 %lane
  %expected.old = lshr i64 %old, 20
  %expected.less = sub i64 %expected.old, %drop
  %expected = and i64 %expected.less, {_COUNT}
  %missing.less = sub i64 %old, %count
  %missing = and i64 %missing.less, {_COUNT}
  %more.high = shl i64 %more, {_BYTES_SHIFT}
  %bytes.sum = add i64 %old, %more.high
  %bytes.left = and i64 %bytes.sum, {_BYTES}
  %open = or i64 %missing, %bytes.left
  %complete = icmp eq i64 %open, 0
  %missing.new = select i1 %complete, i64 %expected, i64 %missing
  %phase.old = and i64 %old, -9223372036854775808
  %phase.flipped = xor i64 %phase.old, -9223372036854775808
  %phase = select i1 %complete, i64 %phase.flipped, i64 %phase.old
  %expected.high = shl i64 %expected, 20
  %low = or i64 %missing.new, %expected.high
  %high = or i64 %phase, %bytes.left
  %new = or i64 %low, %high
  store i64 %new, ptr %where, align 8
  br label %next
skip:
  br label %next
next:
  %state = phi i64 [ %old, %apply ], [ 0, %skip ]
  %states.next = insertelement <W x i64> %states, i64 %state, i32 %lane
  br label %head
done:
  ret <W x i64> %states
}}
"""


def _place(ctx: Context, instruction: Instruction, operand: Operand) -> Any:
    """<W x i64> offset in shared memory of the barrier object."""
    address = ctx.address(operand)
    if any(m.split("::")[0] == "shared" for m in instruction.modifiers):
        return address
    return ctx.builder.sub(address, ctx.constant(I64, SHARED_WINDOW))


def _update(ctx: Context, places: Any, counts: Any, drops: Any, nbytes: Any) -> Any:
    """Apply to the barrier objects of the active lanes; returns the states before."""
    ctx.memory.load(ctx, "shared", 64, 1, places, op="atomic")  # bounds and alignment
    room = ctx.load_field("env.shared_bytes", I64)
    shared = ctx.slot_field("slot.shared", POINTER)
    arguments = [shared, room, places, counts, drops, nbytes, ctx.mask_bits]
    return ctx.call_helper("mbarrier_update", _UPDATE, ctx.vector(I64), arguments)


def complete_bytes(ctx: Context, places: Any, nbytes: Any) -> None:
    """A bulk copy has brought `nbytes`."""
    zero = ctx.constant(I64, 0)
    _update(ctx, places, zero, zero, ctx.builder.sub(zero, nbytes))


def copy_arrive(ctx: Context, instruction: Instruction) -> None:
    """cp.async.mbarrier.arrive: the copies so far are completed, so `.noinc` arrives now; the plain form,
    which first adds the arrival that it makes, changes nothing."""
    ctx.modifiers("async", "mbarrier", "arrive", "noinc", "shared", "shared::cta", "b64")
    copy_queue.wait(ctx, copy_queue.EVERYTHING)
    ctx.memory.fence(ctx, instruction)
    if "noinc" in instruction.modifiers:
        zero = ctx.constant(I64, 0)
        _update(ctx, _place(ctx, instruction, instruction.operands[0]), ctx.constant(I64, 1), zero, zero)


@lowers("mbarrier")
def mbarrier(ctx: Context, instruction: Instruction) -> None:
    operation = instruction.modifiers[0]
    ctx.modifiers(
        operation, "shared", "shared::cta", "shared::cluster", "expect_tx", "noComplete", "parity",
        "acquire", "release", "relaxed", "cta", "cluster", "b64",
    )  # fmt: skip
    handler = {
        "init": _init, "inval": _inval, "arrive": _arrive, "arrive_drop": _arrive,
        "expect_tx": _expect, "complete_tx": _expect, "test_wait": _wait, "try_wait": _wait,
        "pending_count": _pending,
    }.get(operation)  # fmt: skip
    if handler is None:
        ctx.unsupported()
    handler(ctx, instruction)


def _init(ctx: Context, instruction: Instruction) -> None:
    place, count = instruction.operands
    missing = ctx.convert(ctx.read(count, "u32"), I64)
    expected = ctx.builder.shl(missing, ctx.constant(I64, 20))
    state = ctx.builder.or_(missing, expected)
    ctx.memory.store(ctx, "shared", [state], _place(ctx, instruction, place))


def _inval(ctx: Context, instruction: Instruction) -> None:
    place = _place(ctx, instruction, instruction.operands[0])
    ctx.memory.load(ctx, "shared", 64, 1, place, op="atomic")


def _arrive(ctx: Context, instruction: Instruction) -> None:
    """arrive and arrive_drop, with .expect_tx (the last operand is bytes) and .noComplete."""
    operands = list(instruction.operands)
    target = None if isinstance(operands[0], Address) else operands.pop(0)
    place = _place(ctx, instruction, operands.pop(0))
    zero, count = ctx.constant(I64, 0), ctx.constant(I64, 1)
    nbytes = zero
    if "expect_tx" in instruction.modifiers:
        nbytes = ctx.convert(ctx.read(operands.pop(), "u32"), I64)
    elif operands:
        count = ctx.convert(ctx.read(operands.pop(), "u32"), I64)
    drops = count if instruction.modifiers[0] == "arrive_drop" else zero
    states = _update(ctx, place, count, drops, nbytes)
    if target is not None and not isinstance(target, Sink):
        ctx.write(target, states)


def _expect(ctx: Context, instruction: Instruction) -> None:
    place, size = instruction.operands
    nbytes = ctx.convert(ctx.read(size, "u32"), I64)
    zero = ctx.constant(I64, 0)
    if instruction.modifiers[0] == "complete_tx":
        nbytes = ctx.builder.sub(zero, nbytes)
    _update(ctx, _place(ctx, instruction, place), zero, zero, nbytes)


def _wait(ctx: Context, instruction: Instruction) -> None:
    """True once the phase of the token (or of that parity) is over. A lane that must wait ends the
    warp's slice, so that spinning costs little."""
    builder = ctx.builder
    target, place, token = instruction.operands[:3]
    (state,) = ctx.memory.load(ctx, "shared", 64, 1, _place(ctx, instruction, place), op="atomic")
    phase = builder.lshr(state, ctx.constant(I64, 63))
    if "parity" in instruction.modifiers:
        waited = builder.and_(ctx.convert(ctx.read(token, "u32"), I64), ctx.constant(I64, 1))
    else:
        waited = builder.lshr(ctx.read(token, "b64"), ctx.constant(I64, 63))
    over = builder.icmp_unsigned("!=", phase, waited)
    ctx.write(target, over)
    waiting = builder.and_(ctx.bits(builder.not_(over)), ctx.mask_bits)
    ctx.if_any(waiting, lambda: builder.store(I64(-1), ctx.field("env.slice")))


def _pending(ctx: Context, instruction: Instruction) -> None:
    target, token = instruction.operands
    missing = ctx.builder.and_(ctx.read(token, "b64"), ctx.constant(I64, _COUNT))
    ctx.write(target, ctx.convert(missing, I32))
