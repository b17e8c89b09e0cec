"""Copies in flight: what cp.async will bring stays in a queue of the warp until it is waited for.

Until then its place in shared memory holds a pattern that is NaN in every float format, so a kernel
that reads too early computes NaN here as it may compute anything on a GPU. Each lane counts its own
groups: `wait_group N` finishes a lane's copies of all but its N youngest committed groups.

The queue is a ring in the frame of the entry function, marked with launch and block: a mark of
another block means that the queue is stale, hence empty. When it is full everything in it is finished.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from trainer.ptx.lower.context import Context
from trainer.ptx.lower.values import I8, I32, I64, POINTER
from trainer.ptx.module import Instruction

ENTRIES = 64
_ENTRY_BYTES = 1024  # mask, words: i32; groups at 64; places at 192; four words of values at 448
_HEAD_BYTES = 192  # mark: i64; head, count: i32; committed groups at 64
QUEUE_BYTES = _HEAD_BYTES + ENTRIES * _ENTRY_BYTES
UNREADY = 0x7FFF7FFF  # NaN as f32, as two f16 and as two bf16
EVERYTHING = -1

_ROUTINES = f"""
declare i32 @llvm.cttz.i32(i32, i1)

define internal void @wd_copy_fresh(ptr %queue, i64 %mark) {{
entry:
  %old = load i64, ptr %queue, align 64
  %known = icmp eq i64 %old, %mark
  br i1 %known, label %done, label %reset
reset:
  store i64 %mark, ptr %queue, align 64
  %ends = getelementptr i8, ptr %queue, i64 8
  store i64 0, ptr %ends, align 8
  %groups = getelementptr i8, ptr %queue, i64 64
  store <W x i32> zeroinitializer, ptr %groups, align 64
  br label %done
done:
  ret void
}}

define internal ptr @wd_copy_entry(ptr %queue, i32 %number) {{
  %slot = and i32 %number, {ENTRIES - 1}
  %wide = zext i32 %slot to i64
  %scaled = mul i64 %wide, {_ENTRY_BYTES}
  %offset = add i64 %scaled, {_HEAD_BYTES}
  %entry.p = getelementptr i8, ptr %queue, i64 %offset
  ret ptr %entry.p
}}

define internal void @wd_copy_apply(ptr %item, i32 %lanes, ptr %shared, i64 %room) {{
entry:
  %words.p = getelementptr i8, ptr %item, i64 4
  %words = load i32, ptr %words.p, align 4
  %words.wide = zext i32 %words to i64
  %bytes = mul i64 %words.wide, 4
  br label %head
head:
  %left = phi i32 [ %lanes, %entry ], [ %rest, %next ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %done, label %lane.do
lane.do:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %k = zext i32 %lane to i64
  %places = getelementptr i8, ptr %item, i64 192
  %place.p = getelementptr i64, ptr %places, i64 %k
  %place = load i64, ptr %place.p, align 8
  %end = add i64 %place, %bytes
  %inside = icmp ule i64 %end, %room
  br i1 %inside, label %word, label %next
word:
  %w = phi i64 [ 0, %lane.do ], [ %w.next, %word ]
  %row = mul i64 %w, {4 * 32}
  %rows = getelementptr i8, ptr %item, i64 448
  %row.p = getelementptr i8, ptr %rows, i64 %row
  %value.p = getelementptr i32, ptr %row.p, i64 %k
  %value = load i32, ptr %value.p, align 4
  %target = getelementptr i8, ptr %shared, i64 %place
  %target.p = getelementptr i32, ptr %target, i64 %w
  store i32 %value, ptr %target.p, align 4
  %w.next = add i64 %w, 1
  %more = icmp ult i64 %w.next, %words.wide
  br i1 %more, label %word, label %next
next:
  br label %head
done:
  ret void
}}

define void @wd_copy_wait(ptr %queue, i64 %mark, i32 %active, i32 %keep, ptr %shared, i64 %room) {{
entry:
  call void @wd_copy_fresh(ptr %queue, i64 %mark)
  %head.p = getelementptr i8, ptr %queue, i64 8
  %count.p = getelementptr i8, ptr %queue, i64 12
  %first = load i32, ptr %head.p, align 4
  %count = load i32, ptr %count.p, align 4
  %end = add i32 %first, %count
  %groups.p = getelementptr i8, ptr %queue, i64 64
  %groups = load <W x i32>, ptr %groups.p, align 64
  %keep.head = insertelement <W x i32> poison, i32 %keep, i32 0
  %keep.all = shufflevector <W x i32> %keep.head, <W x i32> poison, <W x i32> zeroinitializer
  %limit = sub <W x i32> %groups, %keep.all
  %everything = icmp eq i32 %keep, {EVERYTHING}
  br label %head
head:
  %number = phi i32 [ %first, %entry ], [ %number.next, %body ]
  %over = icmp eq i32 %number, %end
  br i1 %over, label %shrink, label %body
body:
  %item = call ptr @wd_copy_entry(ptr %queue, i32 %number)
  %mask = load i32, ptr %item, align 64
  %own.p = getelementptr i8, ptr %item, i64 64
  %own = load <W x i32>, ptr %own.p, align 64
  %old = icmp slt <W x i32> %own, %limit
  %old.bits = call i32 @wd_bits(<W x i1> %old)
  %ready = select i1 %everything, i32 -1, i32 %old.bits
  %mine = and i32 %mask, %active
  %lanes = and i32 %mine, %ready
  call void @wd_copy_apply(ptr %item, i32 %lanes, ptr %shared, i64 %room)
  %others = xor i32 %lanes, -1
  %still = and i32 %mask, %others
  store i32 %still, ptr %item, align 64
  %number.next = add i32 %number, 1
  br label %head
shrink:
  %oldest = phi i32 [ %first, %head ], [ %oldest.next, %drop ]
  %empty = icmp eq i32 %oldest, %end
  br i1 %empty, label %done, label %look
look:
  %front = call ptr @wd_copy_entry(ptr %queue, i32 %oldest)
  %front.mask = load i32, ptr %front, align 64
  %gone = icmp eq i32 %front.mask, 0
  br i1 %gone, label %drop, label %done
drop:
  %oldest.next = add i32 %oldest, 1
  br label %shrink
done:
  %left = sub i32 %end, %oldest
  store i32 %oldest, ptr %head.p, align 4
  store i32 %left, ptr %count.p, align 4
  ret void
}}

define void @wd_copy_push(
    ptr %queue, i64 %mark, i32 %mask, i32 %words, <W x i64> %places, ptr %values, ptr %shared, i64 %room) {{
entry:
  call void @wd_copy_fresh(ptr %queue, i64 %mark)
  %head.p = getelementptr i8, ptr %queue, i64 8
  %count.p = getelementptr i8, ptr %queue, i64 12
  %count.old = load i32, ptr %count.p, align 4
  %full = icmp eq i32 %count.old, {ENTRIES}
  br i1 %full, label %finish, label %add
finish:
  call void @wd_copy_wait(ptr %queue, i64 %mark, i32 -1, i32 {EVERYTHING}, ptr %shared, i64 %room)
  br label %add
add:
  %head = load i32, ptr %head.p, align 4
  %count = load i32, ptr %count.p, align 4
  %number = add i32 %head, %count
  %count.new = add i32 %count, 1
  store i32 %count.new, ptr %count.p, align 4
  %item = call ptr @wd_copy_entry(ptr %queue, i32 %number)
  store i32 %mask, ptr %item, align 64
  %words.p = getelementptr i8, ptr %item, i64 4
  store i32 %words, ptr %words.p, align 4
  %groups.p = getelementptr i8, ptr %queue, i64 64
  %groups = load <W x i32>, ptr %groups.p, align 64
  %own.p = getelementptr i8, ptr %item, i64 64
  store <W x i32> %groups, ptr %own.p, align 64
  %places.p = getelementptr i8, ptr %item, i64 192
  store <W x i64> %places, ptr %places.p, align 64
  %rows = getelementptr i8, ptr %item, i64 448
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %rows, ptr align 64 %values, i64 {4 * 4 * 32}, i1 false)
  ret void
}}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @wd_copy_commit(ptr %queue, i64 %mark, i32 %active) {{
  call void @wd_copy_fresh(ptr %queue, i64 %mark)
  %lanes = call <W x i1> @wd_lanes(i32 %active)
  %one = zext <W x i1> %lanes to <W x i32>
  %groups.p = getelementptr i8, ptr %queue, i64 64
  %old = load <W x i32>, ptr %groups.p, align 64
  %new = add <W x i32> %old, %one
  store <W x i32> %new, ptr %groups.p, align 64
  ret void
}}
"""


def has_copies(instruction: Instruction) -> bool:
    """Whether an instruction issues, groups or awaits copies of a thread (not bulk copies)."""
    return (
        instruction.op == "cp"
        and instruction.modifiers[:1] == ("async",)
        and "bulk" not in instruction.modifiers
    )


def _queue(ctx: Context) -> Any:
    """Pointer to the warp's queue; None where copies are finished at issue.

    Only entry functions have one, and only if no device function copies: a queue in one frame could
    not be waited for from another.
    """
    function = ctx.function
    if function.layout.copy_queue is None:
        return None
    for other in ctx.kernel.module.functions.values():
        if not other.is_entry and other.body is not None and any(map(has_copies, other.body.instructions)):
            return None
    return ctx.builder.gep(ctx.frame, [I64(function.layout.copy_queue)], source_etype=I8)


def _mark(ctx: Context) -> Any:
    builder = ctx.builder
    launch = builder.shl(ctx.load_field("env.launch_id", I64), I64(36))
    return builder.or_(launch, builder.add(ctx.slot_field("slot.block", I64), I64(1)))


def _call(ctx: Context, name: str, arguments: list[Any]) -> None:
    ctx.helper("copy_wait", _ROUTINES)
    ctx.intrinsic(ctx.kernel.runtime(name), ir.VoidType(), arguments)


def _shared(ctx: Context) -> list[Any]:
    return [ctx.slot_field("slot.shared", POINTER), ctx.load_field("env.shared_bytes", I64)]


def issue(ctx: Context, places: Any, values: list[Any]) -> None:
    """The lanes' words are under way to shared memory at `places`."""
    queue = _queue(ctx)
    if queue is None:
        ctx.memory.store(ctx, "shared", values, places, op="async_copy")
        return
    unready = [ctx.constant(I32, UNREADY)] * len(values)
    ctx.memory.store(ctx, "shared", unready, places, op="async_copy")
    buffer = ctx.scratch(I64, 2)
    for k, value in enumerate(values):
        place = ctx.builder.gep(buffer, [I64(4 * 32 * k)], source_etype=I8)
        ctx.builder.store(value, place, align=64)
    arguments = [queue, _mark(ctx), ctx.mask_bits, I32(len(values)), places, buffer, *_shared(ctx)]
    _call(ctx, "copy_push", arguments)


def commit(ctx: Context) -> None:
    """The lanes close a group."""
    queue = _queue(ctx)
    if queue is not None:
        _call(ctx, "copy_commit", [queue, _mark(ctx), ctx.mask_bits])


def wait(ctx: Context, keep: int) -> None:
    """The lanes' copies arrive, but for those of their `keep` youngest groups (EVERYTHING: none)."""
    queue = _queue(ctx)
    if queue is not None:
        _call(ctx, "copy_wait", [queue, _mark(ctx), ctx.mask_bits, I32(keep), *_shared(ctx)])
