"""LLVM text of the routines that write event records, and take back those that turn out harmless."""

from __future__ import annotations

from trainer.sim.observe_layout import (
    EVENT_BYTES,
    EVENT_COUNT,
    EVENT_LIMIT,
    EVENTS,
    EVENTS_PER_SITE,
    FLAGS,
    HAZARDS,
    PENDING,
    SITE_BYTES,
    SITE_COUNT,
    SITES,
    UNINITIALISED,
    UNREADY,
    WRITE_WRITE,
)

NOTE = f"""
declare i32 @llvm.cttz.i32(i32, i1)

; Appends an event for the first of %lanes (all of them when %each), unless the site has said enough.
define void @wd_see_note(ptr %env, ptr %warp, i32 %site, i32 %kind, i32 %lanes, i32 %each, <W x i64> %addresses, <W x i64> %entries, ptr %old) noinline {{
entry:
  %none = icmp eq i32 %lanes, 0
  br i1 %none, label %done, label %begin
begin:
  %addresses.p = alloca <W x i64>, align 64
  %entries.p = alloca <W x i64>, align 64
  store <W x i64> %addresses, ptr %addresses.p, align 64
  store <W x i64> %entries, ptr %entries.p, align 64
  %sites = load ptr, ptr %env->env.extra[{SITES} x 8]
  %site.wide = zext i32 %site to i64
  %site.at = mul i64 %site.wide, {SITE_BYTES}
  %kind.wide = zext i32 %kind to i64
  %kind.at = mul i64 %kind.wide, 4
  %counter.0 = add i64 %site.at, %kind.at
  %counter.1 = add i64 %counter.0, 28
  %counter = getelementptr i8, ptr %sites, i64 %counter.1
  %slot = load ptr, ptr %warp->warp.slot
  %block = load i64, ptr %slot->slot.block
  %phase = load i32, ptr %slot->slot.phase
  %index = load i32, ptr %warp->warp.index
  %thread.0 = mul i32 %index, 32
  %keep.old = icmp ne ptr %old, null
  %single = icmp eq i32 %each, 0
  br label %loop
loop:
  %todo = phi i32 [ %lanes, %begin ], [ %todo.next, %next ]
  %over = icmp eq i32 %todo, 0
  br i1 %over, label %done, label %one
one:
  %lane = call i32 @llvm.cttz.i32(i32 %todo, i1 true)
  %less = sub i32 %todo, 1
  %todo.rest = and i32 %todo, %less
  %todo.next = select i1 %single, i32 0, i32 %todo.rest
  %so.far = load i32, ptr %counter
  %so.far.new = add i32 %so.far, 1
  store i32 %so.far.new, ptr %counter
  %enough = icmp uge i32 %so.far, {EVENTS_PER_SITE}
  %count = load i64, ptr %env->env.extra[{EVENT_COUNT} x 8]
  %limit = load i64, ptr %env->env.extra[{EVENT_LIMIT} x 8]
  %full = icmp uge i64 %count, %limit
  %skip = or i1 %enough, %full
  br i1 %skip, label %next, label %write
write:
  %events = load ptr, ptr %env->env.extra[{EVENTS} x 8]
  %event.at = mul i64 %count, {EVENT_BYTES}
  %event = getelementptr i8, ptr %events, i64 %event.at
  %count.new = add i64 %count, 1
  store i64 %count.new, ptr %env->env.extra[{EVENT_COUNT} x 8]
  %lane.wide = zext i32 %lane to i64
  %address.p = getelementptr i64, ptr %addresses.p, i64 %lane.wide
  %address = load i64, ptr %address.p
  %prior.p = getelementptr i64, ptr %entries.p, i64 %lane.wide
  %prior = load i64, ptr %prior.p
  %thread = add i32 %thread.0, %lane
  store i32 %kind, ptr %event
  %f1 = getelementptr i8, ptr %event, i64 4
  store i32 %site, ptr %f1
  %f2 = getelementptr i8, ptr %event, i64 8
  store i32 %thread, ptr %f2
  %f3 = getelementptr i8, ptr %event, i64 12
  store i32 %phase, ptr %f3
  %f4 = getelementptr i8, ptr %event, i64 16
  store i64 %block, ptr %f4
  %f5 = getelementptr i8, ptr %event, i64 24
  store i64 %address, ptr %f5
  %f6 = getelementptr i8, ptr %event, i64 32
  store i64 %prior, ptr %f6
  br i1 %keep.old, label %remember, label %next
remember:
  ; where the word lies and what it holds, to see afterwards whether the store changed it
  %place.p = getelementptr ptr, ptr %old, i64 %lane.wide
  %place = load ptr, ptr %place.p
  %now = load i32, ptr %place, align 1
  %f7 = getelementptr i8, ptr %event, i64 40
  store ptr %place, ptr %f7
  %f8 = getelementptr i8, ptr %event, i64 48
  store i32 %now, ptr %f8
  br label %next
next:
  br label %loop
done:
  ret void
}}

; Drops the events of the previous store that put back what was there: no race.
define void @wd_see_settle(ptr %env) noinline {{
entry:
  %from = load i64, ptr %env->env.extra[{PENDING} x 8]
  %count = load i64, ptr %env->env.extra[{EVENT_COUNT} x 8]
  %events = load ptr, ptr %env->env.extra[{EVENTS} x 8]
  %sites = load ptr, ptr %env->env.extra[{SITES} x 8]
  %start = sub i64 %from, 1
  br label %loop
loop:
  %k = phi i64 [ %start, %entry ], [ %k.next, %next ]
  %kept = phi i64 [ %start, %entry ], [ %kept.next, %next ]
  %over = icmp uge i64 %k, %count
  br i1 %over, label %done, label %look
look:
  %at = mul i64 %k, {EVENT_BYTES}
  %event = getelementptr i8, ptr %events, i64 %at
  %kind = load i32, ptr %event
  %is.write = icmp eq i32 %kind, {WRITE_WRITE}
  br i1 %is.write, label %compare, label %keep
compare:
  %f7 = getelementptr i8, ptr %event, i64 40
  %place = load ptr, ptr %f7
  %f8 = getelementptr i8, ptr %event, i64 48
  %before = load i32, ptr %f8
  %now = load i32, ptr %place, align 1
  %same = icmp eq i32 %before, %now
  br i1 %same, label %forget, label %keep
forget:
  %f1 = getelementptr i8, ptr %event, i64 4
  %site = load i32, ptr %f1
  %site.wide = zext i32 %site to i64
  %site.at = mul i64 %site.wide, {SITE_BYTES}
  %counter.at = add i64 %site.at, {28 + 4 * WRITE_WRITE}
  %counter = getelementptr i8, ptr %sites, i64 %counter.at
  %told = load i32, ptr %counter
  %told.less = sub i32 %told, 1
  store i32 %told.less, ptr %counter
  br label %next
keep:
  %to.at = mul i64 %kept, {EVENT_BYTES}
  %to = getelementptr i8, ptr %events, i64 %to.at
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %event, i64 {EVENT_BYTES}, i1 false)
  br label %next
next:
  %step = phi i64 [ 0, %forget ], [ 1, %keep ]
  %kept.next = add i64 %kept, %step
  %k.next = add i64 %k, 1
  br label %loop
done:
  store i64 %kept, ptr %env->env.extra[{EVENT_COUNT} x 8]
  store i64 0, ptr %env->env.extra[{PENDING} x 8]
  ret void
}}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""

UNREADY_READ = f"""
declare void @wd_see_note(ptr, ptr, i32, i32, i32, i32, <W x i64>, <W x i64>, ptr)

; Lanes of %lanes have read from shared memory what a copy under way leaves there until it arrives.
define void @wd_see_unready(ptr %env, ptr %warp, i32 %site, i32 %lanes, <W x i64> %addresses) {{
  %flags = load i64, ptr %env->env.extra[{FLAGS} x 8]
  %hazards.0 = and i64 %flags, {HAZARDS}
  %hazards = icmp ne i64 %hazards.0, 0
  %told = select i1 %hazards, i32 %lanes, i32 0
  %sites = load i32, ptr %env->env.extra[{SITE_COUNT} x 8]
  %number = add i32 %site, %sites
  call void @wd_see_note(ptr %env, ptr %warp, i32 %number, i32 {UNINITIALISED}, i32 %told, i32 0, <W x i64> %addresses, <W x i64> splat (i64 {UNREADY}), ptr null)
  ret void
}}
"""
