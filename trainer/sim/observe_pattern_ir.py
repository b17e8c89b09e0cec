"""LLVM text of what counts requests (runtime-template syntax of trainer.ptx.jit), and of block starts."""

from __future__ import annotations

from trainer.sim.observe_layout import (
    COUNTING,
    EVENT_DRAIN,
    FLAGS,
    POISON,
    RECORD_BYTES,
    RECORD_COUNT,
    RECORD_LIMIT,
    RECORDS,
    SITE_BYTES,
    SITE_COUNT,
    SITE_HEAD,
    SITES,
)

PATTERN = f"""
declare i32 @llvm.cttz.i32(i32, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @wd_event(ptr, ptr, ptr, i64, i32, i32, ptr)

; Counts one request: most repeat a pattern (lanes, place within 128 bytes, distances) met before.
define void @wd_see_pattern(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, <W x i64> %addresses) noinline {{
entry:
  %first.lane = call i32 @llvm.cttz.i32(i32 %mask, i1 true)
  %low = trunc <W x i64> %addresses to <W x i32>
  %first = extractelement <W x i32> %low, i32 %first.lane
  %head = insertelement <W x i32> poison, i32 %first, i32 0
  %all = shufflevector <W x i32> %head, <W x i32> poison, <W x i32> zeroinitializer
  %apart = sub <W x i32> %low, %all
  %lanes = bitcast i32 %mask to <W x i1>
  %distance = select <W x i1> %lanes, <W x i32> %apart, <W x i32> zeroinitializer
  %phase = and i32 %first, 127
  %sites = load ptr, ptr %env->env.extra[{SITES} x 8]
  %site.wide = zext i32 %site to i64
  %site.at = mul i64 %site.wide, {SITE_BYTES}
  %place = lshr i32 %phase, 2
  %place.wide = zext i32 %place to i64
  %slot.at = mul i64 %place.wide, {RECORD_BYTES}
  %at.0 = add i64 %site.at, %slot.at
  %at = add i64 %at.0, {SITE_HEAD}
  %e = getelementptr i8, ptr %sites, i64 %at
  %e.mask.p = getelementptr i8, ptr %e, i64 4
  %e.phase.p = getelementptr i8, ptr %e, i64 8
  %e.warp.p = getelementptr i8, ptr %e, i64 12
  %e.hits.p = getelementptr i8, ptr %e, i64 16
  %e.block.p = getelementptr i8, ptr %e, i64 24
  %e.distance.p = getelementptr i8, ptr %e, i64 32
  %e.mask = load i32, ptr %e.mask.p
  %e.phase = load i32, ptr %e.phase.p
  %e.distance = load <W x i32>, ptr %e.distance.p, align 32
  %e.hits = load i64, ptr %e.hits.p
  %mask.same = icmp eq i32 %e.mask, %mask
  %phase.same = icmp eq i32 %e.phase, %phase
  %distance.differ = icmp ne <W x i32> %e.distance, %distance
  %differ.bits = bitcast <W x i1> %distance.differ to i32
  %distance.same = icmp eq i32 %differ.bits, 0
  %same.0 = and i1 %mask.same, %phase.same
  %same = and i1 %same.0, %distance.same
  %more = add i64 %e.hits, 1
  br i1 %same, label %hit, label %miss
hit:
  store i64 %more, ptr %e.hits.p
  ret void
miss:
  %used = icmp ne i64 %e.hits, 0
  br i1 %used, label %evict, label %fill
evict:
  %records = load ptr, ptr %env->env.extra[{RECORDS} x 8]
  %count = load i64, ptr %env->env.extra[{RECORD_COUNT} x 8]
  %record.at = mul i64 %count, {RECORD_BYTES}
  %record = getelementptr i8, ptr %records, i64 %record.at
  call void @llvm.memcpy.p0.p0.i64(ptr %record, ptr %e, i64 {RECORD_BYTES}, i1 false)
  %count.new = add i64 %count, 1
  store i64 %count.new, ptr %env->env.extra[{RECORD_COUNT} x 8]
  %limit = load i64, ptr %env->env.extra[{RECORD_LIMIT} x 8]
  %full = icmp uge i64 %count.new, %limit
  br i1 %full, label %drain, label %fill
drain:
  %ignored = call i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 {EVENT_DRAIN}, i32 %mask, i32 0, ptr null)
  br label %fill
fill:
  %index = load i32, ptr %warp->warp.index
  %slot = load ptr, ptr %warp->warp.slot
  %block = load i64, ptr %slot->slot.block
  store i32 %site, ptr %e
  store i32 %mask, ptr %e.mask.p
  store i32 %phase, ptr %e.phase.p
  store i32 %index, ptr %e.warp.p
  store i64 1, ptr %e.hits.p
  store i64 %block, ptr %e.block.p
  store <W x i32> %distance, ptr %e.distance.p, align 32
  ret void
}}
"""

COPY = f"""
declare i32 @llvm.cttz.i32(i32, i1)
declare i64 @wd_event(ptr, ptr, ptr, i64, i32, i32, ptr)

; Records an asynchronous copy as two records, source and destination, of site number + 2 SITE_COUNT.
define void @wd_see_copy(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, <W x i64> %from, <W x i64> %to) noinline {{
entry:
  %idle = icmp eq i32 %mask, 0
  br i1 %idle, label %done, label %begin
begin:
  %flags = load i64, ptr %env->env.extra[{FLAGS} x 8]
  %counting.0 = and i64 %flags, {COUNTING}
  %counting = icmp ne i64 %counting.0, 0
  br i1 %counting, label %room, label %done
room:
  %have = load i64, ptr %env->env.extra[{RECORD_COUNT} x 8]
  %after = add i64 %have, 2
  %limit = load i64, ptr %env->env.extra[{RECORD_LIMIT} x 8]
  %full = icmp ugt i64 %after, %limit
  br i1 %full, label %drain, label %write
drain:
  %ignored = call i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 {EVENT_DRAIN}, i32 %mask, i32 0, ptr null)
  br label %write
write:
  %count = load i64, ptr %env->env.extra[{RECORD_COUNT} x 8]
  %count.new = add i64 %count, 2
  store i64 %count.new, ptr %env->env.extra[{RECORD_COUNT} x 8]
  %records = load ptr, ptr %env->env.extra[{RECORDS} x 8]
  %at = mul i64 %count, {RECORD_BYTES}
  %r0 = getelementptr i8, ptr %records, i64 %at
  %r1 = getelementptr i8, ptr %r0, i64 {RECORD_BYTES}
  call void @wd_see_side(ptr %env, ptr %warp, i32 %site, i32 %mask, <W x i64> %from, ptr %r0)
  call void @wd_see_side(ptr %env, ptr %warp, i32 %site, i32 %mask, <W x i64> %to, ptr %r1)
  br label %done
done:
  ret void
}}

define internal void @wd_see_side(ptr %env, ptr %warp, i32 %site, i32 %mask, <W x i64> %addresses, ptr %e) {{
  %lane = call i32 @llvm.cttz.i32(i32 %mask, i1 true)
  %low = trunc <W x i64> %addresses to <W x i32>
  %first = extractelement <W x i32> %low, i32 %lane
  %head = insertelement <W x i32> poison, i32 %first, i32 0
  %all = shufflevector <W x i32> %head, <W x i32> poison, <W x i32> zeroinitializer
  %apart = sub <W x i32> %low, %all
  %lanes = bitcast i32 %mask to <W x i1>
  %distance = select <W x i1> %lanes, <W x i32> %apart, <W x i32> zeroinitializer
  %phase = and i32 %first, 127
  %sites = load i32, ptr %env->env.extra[{SITE_COUNT} x 8]
  %twice = shl i32 %sites, 1
  %number = add i32 %site, %twice
  %index = load i32, ptr %warp->warp.index
  %slot = load ptr, ptr %warp->warp.slot
  %block = load i64, ptr %slot->slot.block
  store i32 %number, ptr %e
  %f1 = getelementptr i8, ptr %e, i64 4
  store i32 %mask, ptr %f1
  %f2 = getelementptr i8, ptr %e, i64 8
  store i32 %phase, ptr %f2
  %f3 = getelementptr i8, ptr %e, i64 12
  store i32 %index, ptr %f3
  %f4 = getelementptr i8, ptr %e, i64 16
  store i64 1, ptr %f4
  %f5 = getelementptr i8, ptr %e, i64 24
  store i64 %block, ptr %f5
  %f6 = getelementptr i8, ptr %e, i64 32
  store <W x i32> %distance, ptr %f6, align 32
  ret void
}}
"""

BLOCK_START = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; A block starts with garbage in its shared memory.
define void @wd_see_block(ptr %env, ptr %slot) {{
  %from = load ptr, ptr %env->env.extra[{POISON} x 8]
  %to = load ptr, ptr %slot->slot.shared
  %bytes = load i64, ptr %env->env.shared_bytes
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}}
"""
