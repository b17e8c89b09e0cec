# ruff: noqa: E501  (code in another language reads better unbroken)
"""LLVM text of routines that check the addresses of a request and turn them into host addresses.

For instructions whose work is done by other routines: atomics, asynchronous copies, matrix loads.
"""

from __future__ import annotations

from trainer.ptx.access_ir import CHECK_DECLARATIONS, SITE_BOUNDS, lane_numbers
from trainer.ptx.jit import expand
from trainer.ptx.layout import LOCAL_WINDOW, SHARED_WINDOW

_RESOLVE = """
define i32 @wd_{name}(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, ptr %data) noinline {{
entry:
  %from.shared = sub <W x i64> %addresses, splat (i64 {shared_window})
  %in.shared = icmp ult <W x i64> %from.shared, splat (i64 4294967296)
  %from.local = sub <W x i64> %addresses, splat (i64 {local_window})
  %in.local = icmp ult <W x i64> %from.local, splat (i64 4294967296)
  %shared.bits = call i32 @wd_bits(<W x i1> %in.shared)
  %local.bits = call i32 @wd_bits(<W x i1> %in.local)
  %shared = and i32 %active, {shared_lanes}
  %local = and i32 %active, {local_lanes}
  %window = or i32 %shared, %local
  %rest = xor i32 %window, -1
  %global = and i32 %active, %rest
  %shared.offsets = {shared_offsets}
  %local.offsets = {local_offsets}
  %slot = load ptr, ptr %warp->warp.slot
  %shared.base = load i64, ptr %slot->slot.shared
  %local.base = load i64, ptr %warp->warp.local
  %stride = load i64, ptr %env->env.local_stride
  %shared.limit.0 = load i64, ptr %env->env.shared_bytes
  %shared.limit = sub i64 %shared.limit.0, {nbytes}
  %local.limit = sub i64 %stride, {nbytes}
  %delta = load i64, ptr %env->env.delta
  %global.good = call i32 @wd_check_quick(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %global, <W x i64> %addresses, i64 {nbytes}, i64 {align}, i32 {writes})
  %shared.good = call i32 @wd_check_span(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %shared, <W x i64> %shared.offsets, i64 %shared.limit, i64 {align})
  %local.good = call i32 @wd_check_span(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %local, <W x i64> %local.offsets, i64 %local.limit, i64 {align})
  %delta.head = insertelement <W x i64> poison, i64 %delta, i32 0
  %delta.all = shufflevector <W x i64> %delta.head, <W x i64> poison, <W x i32> zeroinitializer
  %shared.head = insertelement <W x i64> poison, i64 %shared.base, i32 0
  %shared.all = shufflevector <W x i64> %shared.head, <W x i64> poison, <W x i32> zeroinitializer
  %local.head = insertelement <W x i64> poison, i64 %local.base, i32 0
  %local.all = shufflevector <W x i64> %local.head, <W x i64> poison, <W x i32> zeroinitializer
  %stride.head = insertelement <W x i64> poison, i64 %stride, i32 0
  %stride.all = shufflevector <W x i64> %stride.head, <W x i64> poison, <W x i32> zeroinitializer
  %lane.starts = mul <W x i64> %stride.all, {lanes}
  %local.places = add <W x i64> %local.all, %lane.starts
  %a = add <W x i64> %addresses, %delta.all
  %b = add <W x i64> %shared.offsets, %shared.all
  %c = add <W x i64> %local.offsets, %local.places
  %is.shared = call <W x i1> @wd_lanes(i32 %shared)
  %is.local = call <W x i1> @wd_lanes(i32 %local)
  %ab = select <W x i1> %is.shared, <W x i64> %b, <W x i64> %a
  %abc = select <W x i1> %is.local, <W x i64> %c, <W x i64> %ab
  store <W x i64> %abc, ptr %data
  %good.1 = or i32 %global.good, %shared.good
  %good = or i32 %good.1, %local.good
  ret i32 %good
}}
"""

_CHECKS = (
    """
define internal i32 @wd_check_quick(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, i64 %size, i64 %align, i32 %writes) {
entry:"""
    + SITE_BOUNDS
    + """  %span = sub i64 %room, %size
  %lo.head = insertelement <W x i64> poison, i64 %lo, i32 0
  %lo.all = shufflevector <W x i64> %lo.head, <W x i64> poison, <W x i32> zeroinitializer
  %leads = sub <W x i64> %addresses, %lo.all
  %wrong = call i32 @wd_outside(<W x i64> %leads, <W x i64> %addresses, i64 %span, i64 %align)
  %bad = and i32 %wrong, %active
  %fine = icmp eq i32 %bad, 0
  br i1 %fine, label %good, label %slow
good:
  ret i32 %active
slow:
  %checked = call i32 @wd_check(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, i64 %size, i64 %align, i32 %writes)
  ret i32 %checked
}

define internal i32 @wd_check_span(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, i64 %span, i64 %align) {
entry:
  %wrong = call i32 @wd_outside(<W x i64> %addresses, <W x i64> %addresses, i64 %span, i64 %align)
  %bad = and i32 %wrong, %active
  %fine = icmp eq i32 %bad, 0
  br i1 %fine, label %good, label %slow
good:
  ret i32 %active
slow:
  %checked = call i32 @wd_check_window(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, i64 %span, i64 %align)
  ret i32 %checked
}

define internal i32 @wd_outside(<W x i64> %leads, <W x i64> %addresses, i64 %span, i64 %align) {
entry:
  %span.head = insertelement <W x i64> poison, i64 %span, i32 0
  %span.all = shufflevector <W x i64> %span.head, <W x i64> poison, <W x i32> zeroinitializer
  %inside = icmp ule <W x i64> %leads, %span.all
  %less = sub i64 %align, 1
  %less.head = insertelement <W x i64> poison, i64 %less, i32 0
  %less.all = shufflevector <W x i64> %less.head, <W x i64> poison, <W x i32> zeroinitializer
  %low = and <W x i64> %addresses, %less.all
  %even = icmp eq <W x i64> %low, zeroinitializer
  %both = and <W x i1> %inside, %even
  %bits = call i32 @wd_bits(<W x i1> %both)
  %not = xor i32 %bits, -1
  %negative = icmp slt i64 %span, 0
  %all = select i1 %negative, i32 -1, i32 %not
  ret i32 %all
}
"""
)


def resolve_text(name: str, space: str, nbytes: int, align: int, writes: bool, width: int) -> str:
    """A module with one routine that checks addresses and turns them into host addresses."""
    whole = "add <W x i64> %addresses, zeroinitializer"
    text = _RESOLVE.format(
        name=name,
        nbytes=nbytes,
        align=align,
        writes=int(writes),
        lanes=lane_numbers(width, 1),
        shared_window=SHARED_WINDOW,
        local_window=LOCAL_WINDOW,
        shared_lanes={"shared": "-1", "generic": "%shared.bits"}.get(space, "0"),
        local_lanes={"local": "-1", "generic": "%local.bits"}.get(space, "0"),
        shared_offsets="add <W x i64> %from.shared, zeroinitializer" if space == "generic" else whole,
        local_offsets="add <W x i64> %from.local, zeroinitializer" if space == "generic" else whole,
    )
    return expand(CHECK_DECLARATIONS + _CHECKS + text, width)
