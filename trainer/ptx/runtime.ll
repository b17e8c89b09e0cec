; Runtime of a launch: picks the lanes to run, and runs warps, blocks and barriers.
; A template: see trainer.ptx.jit.expand. Everything that can wait is decided here, not in Python.

declare i32 @llvm.vector.reduce.umin.vWi32(<W x i32>)
declare i32 @llvm.ctpop.i32(i32)

; The smallest pc among runnable lanes, its lanes into frame.mask, the next larger into frame.other.
; When a warp rotates (its slice ran out while diverged, and the kernel may wait for other threads) every
; group of lanes gets its turn instead, until they are together again. Lanes held at a collective (wd_meet)
; are left out; if only such are left, one group of them is let through.
define i32 @wd_pick(ptr %warp, ptr %frame) {
entry:
  %live = load i32, ptr %frame->frame.live
  %waiting = load i32, ptr %warp->warp.waiting
  %awake = xor i32 %waiting, -1
  %able = and i32 %live, %awake
  %none = icmp eq i32 %able, 0
  br i1 %none, label %idle, label %hold
idle:
  ret i32 -1
hold:
  %meeting = load i32, ptr %warp->warp.meeting
  %free = xor i32 %meeting, -1
  %loose = and i32 %able, %free
  %all.held = icmp eq i32 %loose, 0
  br i1 %all.held, label %force, label %some
force:
  store i32 0, ptr %warp->warp.meeting
  store i32 1, ptr %warp->warp.forced
  br label %some
some:
  %run = phi i32 [ %loose, %hold ], [ %able, %force ]
  %pcs = load <W x i32>, ptr %frame->frame.pc
  %lanes = call <W x i1> @wd_lanes(i32 %run)
  %candidates = select <W x i1> %lanes, <W x i32> %pcs, <W x i32> splat (i32 2147483647)
  %least = call i32 @llvm.vector.reduce.umin.vWi32(<W x i32> %candidates)
  %rotate = load i32, ptr %warp->warp.rotate
  %rotates = icmp ne i32 %rotate, 0
  br i1 %rotates, label %apart, label %chosen
apart:
  %least.head = insertelement <W x i32> poison, i32 %least, i32 0
  %least.all = shufflevector <W x i32> %least.head, <W x i32> poison, <W x i32> zeroinitializer
  %is.least = icmp eq <W x i32> %candidates, %least.all
  %first = call i32 @wd_bits(<W x i1> %is.least)
  %together = icmp eq i32 %first, %run
  br i1 %together, label %joined, label %turn
joined:
  store i32 0, ptr %warp->warp.rotate
  br label %chosen
turn:
  %last = load i32, ptr %warp->warp.last_pc
  %last.head = insertelement <W x i32> poison, i32 %last, i32 0
  %last.all = shufflevector <W x i32> %last.head, <W x i32> poison, <W x i32> zeroinitializer
  %later = icmp ugt <W x i32> %candidates, %last.all
  %after = select <W x i1> %later, <W x i32> %candidates, <W x i32> splat (i32 2147483647)
  %next = call i32 @llvm.vector.reduce.umin.vWi32(<W x i32> %after)
  %wraps = icmp eq i32 %next, 2147483647
  %turned = select i1 %wraps, i32 %least, i32 %next
  br label %chosen
chosen:
  %pc = phi i32 [ %least, %some ], [ %least, %joined ], [ %turned, %turn ]
  %in.turn = phi i1 [ false, %some ], [ false, %joined ], [ true, %turn ]
  %pc.head = insertelement <W x i32> poison, i32 %pc, i32 0
  %pc.all = shufflevector <W x i32> %pc.head, <W x i32> poison, <W x i32> zeroinitializer
  %here = icmp eq <W x i32> %candidates, %pc.all
  %mask = call i32 @wd_bits(<W x i1> %here)
  %rest = select <W x i1> %here, <W x i32> splat (i32 2147483647), <W x i32> %candidates
  %second = call i32 @llvm.vector.reduce.umin.vWi32(<W x i32> %rest)
  %other = select i1 %in.turn, i32 2147483647, i32 %second
  store i32 %mask, ptr %frame->frame.mask
  store i32 %other, ptr %frame->frame.other
  store i32 %pc, ptr %warp->warp.last_pc
  ret i32 %pc
}

; Lanes of %mask are at a collective, the start of block %number, for the lanes of %named. Returns 1 to go
; on. 0: some are still to come, or stopped right here before; %mask is parked and all go on together later.
define i32 @wd_meet(ptr %warp, ptr %frame, i32 %mask, i32 %named, i32 %number) {
entry:
  %live = load i32, ptr %frame->frame.live
  %waiting = load i32, ptr %warp->warp.waiting
  %taken = or i32 %waiting, %mask
  %free = xor i32 %taken, -1
  %able = and i32 %live, %free
  %others = and i32 %able, %named
  %nobody = icmp eq i32 %others, 0
  br i1 %nobody, label %go, label %look
look:
  %pcs = load <W x i32>, ptr %frame->frame.pc
  %number.head = insertelement <W x i32> poison, i32 %number, i32 0
  %number.all = shufflevector <W x i32> %number.head, <W x i32> poison, <W x i32> zeroinitializer
  %same = icmp eq <W x i32> %pcs, %number.all
  %same.bits = call i32 @wd_bits(<W x i1> %same)
  %parked = and i32 %same.bits, %able
  %parked.not = xor i32 %parked, -1
  %missing = and i32 %others, %parked.not
  %complete = icmp eq i32 %missing, 0
  %forced = load i32, ptr %warp->warp.forced
  store i32 0, ptr %warp->warp.forced
  %meeting = load i32, ptr %warp->warp.meeting
  br i1 %complete, label %merge, label %early
merge:
  %here = or i32 %parked, %mask
  %here.not = xor i32 %here, -1
  %fewer = and i32 %meeting, %here.not
  br label %wait
early:
  %more = or i32 %meeting, %mask
  %is.forced = icmp ne i32 %forced, 0
  br i1 %is.forced, label %go, label %wait
wait:
  %meeting.new = phi i32 [ %fewer, %merge ], [ %more, %early ]
  store i32 %meeting.new, ptr %warp->warp.meeting
  call void @wd_go(ptr %warp, ptr %frame, i32 %mask, i32 %number)
  ret i32 0
go:
  ret i32 1
}

; Lanes of %mask continue at block %target when they are next picked. A negative target returns from the
; function: it is -(4 * block + how), where how = 1 ends the thread too, 2 does not, 3 does unless the
; function was called; the block they leave from stays in frame.pc.
define void @wd_go(ptr %warp, ptr %frame, i32 %mask, i32 %target) {
entry:
  %leaves = icmp slt i32 %target, 0
  br i1 %leaves, label %leave, label %park
park:
  %lanes = call <W x i1> @wd_lanes(i32 %mask)
  %old = load <W x i32>, ptr %frame->frame.pc
  %head = insertelement <W x i32> poison, i32 %target, i32 0
  %all = shufflevector <W x i32> %head, <W x i32> poison, <W x i32> zeroinitializer
  %new = select <W x i1> %lanes, <W x i32> %all, <W x i32> %old
  store <W x i32> %new, ptr %frame->frame.pc
  ret void
leave:
  %code = sub i32 0, %target
  %how = and i32 %code, 3
  %from = lshr i32 %code, 2
  %goers = call <W x i1> @wd_lanes(i32 %mask)
  %pc.old = load <W x i32>, ptr %frame->frame.pc
  %from.head = insertelement <W x i32> poison, i32 %from, i32 0
  %from.all = shufflevector <W x i32> %from.head, <W x i32> poison, <W x i32> zeroinitializer
  %pc.new = select <W x i1> %goers, <W x i32> %from.all, <W x i32> %pc.old
  store <W x i32> %pc.new, ptr %frame->frame.pc
  %gone = xor i32 %mask, -1
  %live = load i32, ptr %frame->frame.live
  %live.left = and i32 %live, %gone
  store i32 %live.left, ptr %frame->frame.live
  %depth = load i32, ptr %warp->warp.depth
  %outermost = icmp eq i32 %depth, 0
  %is.thread = icmp eq i32 %how, 1
  %is.host = icmp eq i32 %how, 3
  %host.ends = and i1 %is.host, %outermost
  %ends = or i1 %is.thread, %host.ends
  %kept = select i1 %ends, i32 %gone, i32 -1
  %alive = load i32, ptr %warp->warp.alive
  %alive.left = and i32 %alive, %kept
  store i32 %alive.left, ptr %warp->warp.alive
  ret void
}

; A branch that splits the warp: counts it and sends the lanes both ways.
define void @wd_fork(ptr %warp, ptr %frame, ptr %counter, i32 %taken, i32 %target, i32 %rest, i32 %following) {
  %splits = load i64, ptr %counter
  %more = add i64 %splits, 1
  store i64 %more, ptr %counter
  call void @wd_go(ptr %warp, ptr %frame, i32 %taken, i32 %target)
  call void @wd_go(ptr %warp, ptr %frame, i32 %rest, i32 %following)
  ret void
}

; Some lanes end here and now, the rest goes on together: an early return is no divergence.
define void @wd_shed(ptr %warp, ptr %frame, ptr %counter, i32 %leaving, i32 %target, i32 %rest) {
  %splits = load i64, ptr %counter
  %more = add i64 %splits, 1
  store i64 %more, ptr %counter
  call void @wd_go(ptr %warp, ptr %frame, i32 %leaving, i32 %target)
  store i32 %rest, ptr %frame->frame.mask
  ret void
}

; Marks lanes as waiting at barrier %id. %expected is a thread count or 0 for the whole block;
; %true are the lanes whose predicate held (barrier reductions). Returns 1 if threads wait for each other
; at different barrier instructions.
define i32 @wd_arrive(ptr %warp, i32 %mask, i32 %id, i32 %expected, i32 %site, i32 %true, i32 %waits) {
entry:
  %slot = load ptr, ptr %warp->warp.slot
  %id.wide = zext i32 %id to i64
  %barrier = getelementptr i8, ptr %slot, i64 0
  %used = load i32, ptr %slot->slot.bar_used
  %bit = shl i32 1, %id
  %used.new = or i32 %used, %bit
  store i32 %used.new, ptr %slot->slot.bar_used
  %offset = mul i64 %id.wide, sizeof(barrier)
  %base = getelementptr i8, ptr %barrier, i64 %offset
  %b = getelementptr i8, ptr %base, i64 offsetof(slot.barriers)
  store i32 %expected, ptr %b->barrier.expected
  %hits = and i32 %true, %mask
  %count = call i32 @llvm.ctpop.i32(i32 %hits)
  %total = call i32 @llvm.ctpop.i32(i32 %mask)
  %popc.old = load i32, ptr %b->barrier.popc
  %popc.new = add i32 %popc.old, %count
  store i32 %popc.new, ptr %b->barrier.popc
  %total.old = load i32, ptr %b->barrier.total
  %total.new = add i32 %total.old, %total
  store i32 %total.new, ptr %b->barrier.total
  %first = load i32, ptr %b->barrier.site
  %mine = add i32 %site, 1
  %fresh = icmp eq i32 %first, 0
  %seen = select i1 %fresh, i32 %mine, i32 %first
  store i32 %seen, ptr %b->barrier.site
  %alive = load i32, ptr %warp->warp.alive
  %stays = icmp ne i32 %waits, 0
  br i1 %stays, label %wait, label %pass
wait:
  %waiting = load i32, ptr %warp->warp.waiting
  %now = or i32 %waiting, %mask
  store i32 %now, ptr %warp->warp.waiting
  %held = load i32, ptr %warp->warp.bar_masks[%id.wide x 4]
  %holds = or i32 %held, %mask
  store i32 %holds, ptr %warp->warp.bar_masks[%id.wide x 4]
  %is.first = icmp eq i32 %waiting, 0
  %known = load i32, ptr %warp->warp.bar_alive
  %then = select i1 %is.first, i32 %alive, i32 %known
  store i32 %then, ptr %warp->warp.bar_alive
  %whole = icmp eq i32 %expected, 0
  %elsewhere = icmp ne i32 %seen, %mine
  %bad = and i1 %whole, %elsewhere
  %bad.wide = zext i1 %bad to i32
  ret i32 %bad.wide
pass:
  %full = icmp eq i32 %mask, %alive
  %threads = select i1 %full, i32 WIDTH, i32 %total
  %arrived = load i32, ptr %b->barrier.arrived
  %arrived.new = add i32 %arrived, %threads
  store i32 %arrived.new, ptr %b->barrier.arrived
  ret i32 0
}

; Releases barrier %id of a block if everybody who should be there is. Returns 1 if released.
define internal i32 @wd_release(ptr %env, ptr %slot, i32 %id) {
entry:
  %id.wide = zext i32 %id to i64
  %offset = mul i64 %id.wide, sizeof(barrier)
  %base = getelementptr i8, ptr %slot, i64 %offset
  %b = getelementptr i8, ptr %base, i64 offsetof(slot.barriers)
  %warps = load ptr, ptr %slot->slot.warps
  %count = load i64, ptr %slot->slot.warp_count
  %expected = load i32, ptr %b->barrier.expected
  %arrived = load i32, ptr %b->barrier.arrived
  br label %scan
scan:
  %k = phi i64 [ 0, %entry ], [ %k.next, %scan ]
  %present = phi i32 [ %arrived, %entry ], [ %present.next, %scan ]
  %missing = phi i32 [ 0, %entry ], [ %missing.next, %scan ]
  %waiters = phi i32 [ 0, %entry ], [ %waiters.next, %scan ]
  %w.offset = mul i64 %k, WARPBYTES
  %w = getelementptr i8, ptr %warps, i64 %w.offset
  %held = load i32, ptr %w->warp.bar_masks[%id.wide x 4]
  %alive = load i32, ptr %w->warp.alive
  %absent = xor i32 %held, %alive
  %missing.next = or i32 %missing, %absent
  %waiters.next = or i32 %waiters, %held
  %whole = icmp eq i32 %absent, 0
  %some = icmp ne i32 %held, 0
  %full = and i1 %whole, %some
  %lanes = call i32 @llvm.ctpop.i32(i32 %held)
  %threads = select i1 %full, i32 WIDTH, i32 %lanes
  %present.next = add i32 %present, %threads
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %scan, label %decide
decide:
  %everybody = icmp eq i32 %expected, 0
  %all = icmp eq i32 %missing.next, 0
  %enough = icmp sge i32 %present.next, %expected
  %go.any = select i1 %everybody, i1 %all, i1 %enough
  %go = and i1 %go.any, true
  br i1 %go, label %open, label %shut
shut:
  ret i32 0
open:
  %popc = load i32, ptr %b->barrier.popc
  %total = load i32, ptr %b->barrier.total
  store i32 %popc, ptr %b->barrier.popc_result
  store i32 %total, ptr %b->barrier.total_result
  store i32 0, ptr %b->barrier.popc
  store i32 0, ptr %b->barrier.total
  store i32 0, ptr %b->barrier.arrived
  %site.one = load i32, ptr %b->barrier.site
  %site = sub i32 %site.one, 1
  store i32 0, ptr %b->barrier.site
  %used = load i32, ptr %slot->slot.bar_used
  %bit = shl i32 1, %id
  %others = xor i32 %bit, -1
  %used.new = and i32 %used, %others
  store i32 %used.new, ptr %slot->slot.bar_used
  %phase = load i32, ptr %slot->slot.phase
  %phase.new = add i32 %phase, 1
  store i32 %phase.new, ptr %slot->slot.phase
  br label %wake
wake:
  %j = phi i64 [ 0, %open ], [ %j.next, %wake ]
  %v.offset = mul i64 %j, WARPBYTES
  %v = getelementptr i8, ptr %warps, i64 %v.offset
  %mask = load i32, ptr %v->warp.bar_masks[%id.wide x 4]
  ; lanes that were there when the first of their warp arrived, and ended without coming here
  %then = load i32, ptr %v->warp.bar_alive
  %mask.not = xor i32 %mask, -1
  %left = and i32 %then, %mask.not
  %held.some = icmp ne i32 %mask, 0
  %asks = and i1 %held.some, %everybody
  %left.seen = select i1 %asks, i32 %left, i32 0
  %v.frame = load ptr, ptr %v->warp.frame
  call void @wd_report(ptr %env, ptr %v, ptr %v.frame, i64 12, i32 %left.seen, i32 %site, ptr null)
  store i32 0, ptr %v->warp.bar_masks[%id.wide x 4]
  %waiting = load i32, ptr %v->warp.waiting
  %keep = xor i32 %mask, -1
  %waiting.new = and i32 %waiting, %keep
  store i32 %waiting.new, ptr %v->warp.waiting
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %count
  br i1 %again, label %wake, label %tell
tell:
  %hook = load ptr, ptr %env->env.barrier_hook
  %hooked = icmp ne ptr %hook, null
  br i1 %hooked, label %notify, label %done
notify:
  call void %hook(ptr %env, ptr %slot)
  br label %done
done:
  ret i32 1
}

; Releases what can be released in a block; returns how many barriers.
define internal i32 @wd_barriers(ptr %env, ptr %slot) {
entry:
  br label %loop
loop:
  %id = phi i32 [ 0, %entry ], [ %id.next, %next ]
  %opened = phi i32 [ 0, %entry ], [ %opened.next, %next ]
  %used = load i32, ptr %slot->slot.bar_used
  %rest = lshr i32 %used, %id
  %any = icmp ne i32 %rest, 0
  br i1 %any, label %look, label %done
look:
  %bit = and i32 %rest, 1
  %set = icmp ne i32 %bit, 0
  br i1 %set, label %try, label %skip
try:
  %released = call i32 @wd_release(ptr %env, ptr %slot, i32 %id)
  br label %next
skip:
  br label %next
next:
  %more = phi i32 [ %released, %try ], [ 0, %skip ]
  %opened.next = add i32 %opened, %more
  %id.next = add i32 %id, 1
  %last = icmp eq i32 %id.next, 16
  br i1 %last, label %end, label %loop
end:
  ret i32 %opened.next
done:
  ret i32 %opened
}

; Puts the block whose turn it is into a slot.
define internal void @wd_start(ptr %env, ptr %slot, i64 %turn) {
entry:
  %backwards = load i64, ptr %env->env.reversed
  %is.backwards = icmp ne i64 %backwards, 0
  %blocks = load i64, ptr %env->env.block_count
  %blocks.last = sub i64 %blocks, 1
  %turn.back = sub i64 %blocks.last, %turn
  %n = select i1 %is.backwards, i64 %turn.back, i64 %turn
  store i64 %n, ptr %slot->slot.block
  %gx = load i32, ptr %env->env.grid_x
  %gy = load i32, ptr %env->env.grid_y
  %gx.wide = zext i32 %gx to i64
  %gy.wide = zext i32 %gy to i64
  %x = urem i64 %n, %gx.wide
  %yz = udiv i64 %n, %gx.wide
  %y = urem i64 %yz, %gy.wide
  %z = udiv i64 %yz, %gy.wide
  %x.small = trunc i64 %x to i32
  %y.small = trunc i64 %y to i32
  %z.small = trunc i64 %z to i32
  store i32 %x.small, ptr %slot->slot.x
  store i32 %y.small, ptr %slot->slot.y
  store i32 %z.small, ptr %slot->slot.z
  store i32 0, ptr %slot->slot.phase
  store i32 0, ptr %slot->slot.bar_used
  %bars = getelementptr i8, ptr %slot, i64 offsetof(slot.barriers)
  %bars.bytes = mul i64 16, sizeof(barrier)
  call void @llvm.memset.p0.i64(ptr %bars, i8 0, i64 %bars.bytes, i1 false)
  %warps = load ptr, ptr %slot->slot.warps
  %count = load i64, ptr %slot->slot.warp_count
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %offset = mul i64 %k, WARPBYTES
  %w = getelementptr i8, ptr %warps, i64 %offset
  %start = load i32, ptr %w->warp.start
  store i32 %start, ptr %w->warp.alive
  store i32 0, ptr %w->warp.waiting
  store i32 0, ptr %w->warp.rotate
  store i32 0, ptr %w->warp.meeting
  store i32 0, ptr %w->warp.forced
  store i32 0, ptr %w->warp.owing
  store i32 0, ptr %w->warp.owed
  store i32 0, ptr %w->warp.last_pc
  store i32 0, ptr %w->warp.depth
  store i32 0, ptr %w->warp.bar_alive
  store <16 x i32> zeroinitializer, ptr %w->warp.bar_masks
  %frame = load ptr, ptr %w->warp.frame
  store <W x i32> zeroinitializer, ptr %frame->frame.pc
  store i32 %start, ptr %frame->frame.live
  store i32 0, ptr %frame->frame.pending
  store i32 0, ptr %frame->frame.local_base
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %loop, label %tell
tell:
  %hook = load ptr, ptr %env->env.block_hook
  %hooked = icmp ne ptr %hook, null
  br i1 %hooked, label %notify, label %done
notify:
  call void %hook(ptr %env, ptr %slot)
  br label %done
done:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; Runs the warps of a block in turn until it is done (0), has had a slice (2), must stop (3) or nobody can go on (4).
define internal i32 @wd_block(ptr %env, ptr %slot) {
entry:
  %backwards = load i64, ptr %env->env.reversed
  %is.backwards = icmp ne i64 %backwards, 0
  %warps = load ptr, ptr %slot->slot.warps
  %count = load i64, ptr %slot->slot.warp_count
  %last.warp = sub i64 %count, 1
  %run = load ptr, ptr %env->env.run_warp
  br label %pass
pass:
  br label %loop
loop:
  %k = phi i64 [ 0, %pass ], [ %k.next, %next ]
  %alive.any = phi i32 [ 0, %pass ], [ %alive.all, %next ]
  %awake.any = phi i32 [ 0, %pass ], [ %awake.all, %next ]
  %cut.any = phi i32 [ 0, %pass ], [ %cut.all, %next ]
  %k.back = sub i64 %last.warp, %k
  %which = select i1 %is.backwards, i64 %k.back, i64 %k
  %offset = mul i64 %which, WARPBYTES
  %w = getelementptr i8, ptr %warps, i64 %offset
  %alive = load i32, ptr %w->warp.alive
  %waiting = load i32, ptr %w->warp.waiting
  %not.waiting = xor i32 %waiting, -1
  %ready = and i32 %alive, %not.waiting
  %runs = icmp ne i32 %ready, 0
  br i1 %runs, label %go, label %rest
go:
  %length = load i64, ptr %env->env.slice_length
  %rotate = load i32, ptr %w->warp.rotate
  %rotates = icmp ne i32 %rotate, 0
  %given = select i1 %rotates, i64 2048, i64 %length
  store i64 %given, ptr %env->env.slice
  %frame = load ptr, ptr %w->warp.frame
  %status = call i32 %run(ptr %env, ptr %w, ptr %frame)
  %left = load i64, ptr %env->env.slice
  %used = sub i64 %given, %left
  %executed = load i64, ptr %env->env.executed
  %executed.new = add i64 %executed, %used
  store i64 %executed.new, ptr %env->env.executed
  %budget = load i64, ptr %env->env.budget
  %budget.new = sub i64 %budget, %used
  store i64 %budget.new, ptr %env->env.budget
  %stop = load i32, ptr %env->env.stop
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %stopped, label %judge
judge:
  %is.cut = icmp eq i32 %status, 2
  %flipped = xor i32 %rotate, 1
  %waits = load i32, ptr %env->env.waits
  %can.wait = icmp ne i32 %waits, 0
  %turns = and i1 %is.cut, %can.wait
  %rotate.new = select i1 %turns, i32 %flipped, i32 0
  store i32 %rotate.new, ptr %w->warp.rotate
  %cut = zext i1 %is.cut to i32
  ; nobody can run though not all wait: some are in a caller, behind a call whose lanes wait
  %blocked = icmp eq i32 %status, 1
  br label %rest
rest:
  %cut.mine = phi i32 [ 0, %loop ], [ %cut, %judge ]
  %blocked.mine = phi i1 [ 0, %loop ], [ %blocked, %judge ]
  %alive.now = load i32, ptr %w->warp.alive
  %waiting.now = load i32, ptr %w->warp.waiting
  %awake.mask = xor i32 %waiting.now, -1
  %awake.lanes = and i32 %alive.now, %awake.mask
  %awake.now = select i1 %blocked.mine, i32 0, i32 %awake.lanes
  br label %next
next:
  %alive.all = or i32 %alive.any, %alive.now
  %awake.all = or i32 %awake.any, %awake.now
  %cut.all = or i32 %cut.any, %cut.mine
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %loop, label %passed
passed:
  %dead = icmp eq i32 %alive.all, 0
  br i1 %dead, label %finished, label %living
living:
  %opened = call i32 @wd_barriers(ptr %env, ptr %slot)
  %moved = or i32 %opened, %awake.all
  %stuck = icmp eq i32 %moved, 0
  br i1 %stuck, label %deadlock, label %onward
onward:
  %was.cut = icmp ne i32 %cut.all, 0
  br i1 %was.cut, label %sliced, label %check
check:
  %budget.last = load i64, ptr %env->env.budget
  %spent = icmp slt i64 %budget.last, 0
  br i1 %spent, label %sliced, label %pass
finished:
  ret i32 0
sliced:
  ret i32 2
stopped:
  ret i32 3
deadlock:
  ret i32 4
}

; Runs the grid. 0: all blocks done; 2: call again; 3: stopped; 4: nobody in the current block can go on.
define i32 @wd_grid(ptr %env) {
entry:
  %slots = load ptr, ptr %env->env.slots
  %capacity = load i64, ptr %env->env.slot_count
  %blocks = load i64, ptr %env->env.block_count
  br label %loop
loop:
  %active = load i64, ptr %env->env.active_slots
  %next.block = load i64, ptr %env->env.next_block
  %at = load i64, ptr %env->env.current_slot
  %wraps = icmp uge i64 %at, %active
  br i1 %wraps, label %grow, label %run
grow:
  ; every active slot had its slice: let one more block in, if there is one and room for it
  %room = icmp ult i64 %active, %capacity
  %left = icmp slt i64 %next.block, %blocks
  %can = and i1 %room, %left
  br i1 %can, label %open, label %around
open:
  %new.offset = mul i64 %active, sizeof(slot)
  %new.slot = getelementptr i8, ptr %slots, i64 %new.offset
  call void @wd_start(ptr %env, ptr %new.slot, i64 %next.block)
  %next.one = add i64 %next.block, 1
  store i64 %next.one, ptr %env->env.next_block
  %active.one = add i64 %active, 1
  store i64 %active.one, ptr %env->env.active_slots
  store i64 0, ptr %env->env.current_slot
  br label %loop
around:
  store i64 0, ptr %env->env.current_slot
  %empty = icmp eq i64 %active, 0
  br i1 %empty, label %all, label %loop
run:
  %offset = mul i64 %at, sizeof(slot)
  %slot = getelementptr i8, ptr %slots, i64 %offset
  %status = call i32 @wd_block(ptr %env, ptr %slot)
  switch i32 %status, label %leave [ i32 0, label %done  i32 2, label %sliced ]
done:
  %has = icmp slt i64 %next.block, %blocks
  br i1 %has, label %refill, label %retire
refill:
  call void @wd_start(ptr %env, ptr %slot, i64 %next.block)
  %next.two = add i64 %next.block, 1
  store i64 %next.two, ptr %env->env.next_block
  br label %budget
retire:
  ; the last active slot moves here by exchanging the headers: warps point back to their slot
  %last = sub i64 %active, 1
  store i64 %last, ptr %env->env.active_slots
  %last.offset = mul i64 %last, sizeof(slot)
  %last.slot = getelementptr i8, ptr %slots, i64 %last.offset
  call void @wd_swap(ptr %slot, ptr %last.slot)
  br label %budget
sliced:
  %at.next = add i64 %at, 1
  store i64 %at.next, ptr %env->env.current_slot
  br label %budget
budget:
  %budget.left = load i64, ptr %env->env.budget
  %spent = icmp slt i64 %budget.left, 0
  br i1 %spent, label %pause, label %loop
pause:
  ret i32 2
leave:
  ret i32 %status
all:
  ret i32 0
}

; Exchanges two slots and makes their warps point at their new places.
define internal void @wd_swap(ptr %a, ptr %b) {
entry:
  %same = icmp eq ptr %a, %b
  br i1 %same, label %done, label %go
go:
  %copy = alloca i8, i64 sizeof(slot), align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %a, i64 sizeof(slot), i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 sizeof(slot), i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %copy, i64 sizeof(slot), i1 false)
  call void @wd_adopt(ptr %a)
  call void @wd_adopt(ptr %b)
  br label %done
done:
  ret void
}

define internal void @wd_adopt(ptr %slot) {
entry:
  %warps = load ptr, ptr %slot->slot.warps
  %count = load i64, ptr %slot->slot.warp_count
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %offset = mul i64 %k, WARPBYTES
  %w = getelementptr i8, ptr %warps, i64 %offset
  store ptr %slot, ptr %w->warp.slot
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; Slow path of a global access: looks every lane of %mask up in the allocation table, remembers the
; allocation for the site, reports lanes that fall outside or are misaligned, returns the good lanes.
define i32 @wd_check(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, <W x i64> %addresses, i64 %size, i64 %align, i32 %writes) noinline {
entry:
  %copy = alloca <W x i64>, align 64
  store <W x i64> %addresses, ptr %copy
  %table = load ptr, ptr %env->env.allocations
  %count = load i64, ptr %env->env.allocation_count
  %sites = load ptr, ptr %env->env.sites
  %site.wide = zext i32 %site to i64
  %site.offset = mul i64 %site.wide, sizeof(site)
  %cache = getelementptr i8, ptr %sites, i64 %site.offset
  %align.mask = sub i64 %align, 1
  br label %lane.loop
lane.loop:
  %todo = phi i32 [ %mask, %entry ], [ %todo.next, %lane.end ]
  %outside = phi i32 [ 0, %entry ], [ %outside.next, %lane.end ]
  %crooked = phi i32 [ 0, %entry ], [ %crooked.next, %lane.end ]
  %constant = phi i32 [ 0, %entry ], [ %constant.next, %lane.end ]
  %edge = phi i32 [ 0, %entry ], [ %edge.next, %lane.end ]
  %over = icmp eq i32 %todo, 0
  br i1 %over, label %report, label %lane
lane:
  %lane.n = call i32 @llvm.cttz.i32(i32 %todo, i1 true)
  %less = sub i32 %todo, 1
  %todo.next = and i32 %todo, %less
  %bit = shl i32 1, %lane.n
  %lane.wide = zext i32 %lane.n to i64
  %slot.p = getelementptr i64, ptr %copy, i64 %lane.wide
  %address = load i64, ptr %slot.p
  %end = add i64 %address, %size
  br label %search
search:
  %low = phi i64 [ 0, %lane ], [ %low.next, %probe ]
  %high = phi i64 [ %count, %lane ], [ %high.next, %probe ]
  %going = icmp ult i64 %low, %high
  br i1 %going, label %probe, label %found
probe:
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %entry.offset = mul i64 %middle, sizeof(allocation)
  %e = getelementptr i8, ptr %table, i64 %entry.offset
  %e.hi = load i64, ptr %e->allocation.hi
  %right = icmp uge i64 %address, %e.hi
  %middle.one = add i64 %middle, 1
  %low.next = select i1 %right, i64 %middle.one, i64 %low
  %high.next = select i1 %right, i64 %high, i64 %middle
  br label %search
found:
  %exists = icmp ult i64 %low, %count
  br i1 %exists, label %compare, label %miss
compare:
  %f.offset = mul i64 %low, sizeof(allocation)
  %f = getelementptr i8, ptr %table, i64 %f.offset
  %f.lo = load i64, ptr %f->allocation.lo
  %f.hi = load i64, ptr %f->allocation.hi
  %f.flags = load i64, ptr %f->allocation.flags
  %after = icmp uge i64 %address, %f.lo
  %before = icmp ule i64 %end, %f.hi
  %inside = and i1 %after, %before
  br i1 %inside, label %hit, label %near
hit:
  %flags.small = trunc i64 %f.flags to i32
  %both = and i32 %flags.small, %writes
  %forbidden = and i32 %both, 1
  %is.forbidden = icmp ne i32 %forbidden, 0
  br i1 %is.forbidden, label %locked, label %allowed
allowed:
  store i64 %f.lo, ptr %cache->site.lo
  store i64 %f.hi, ptr %cache->site.hi
  %low.bits = and i64 %address, %align.mask
  %straight = icmp eq i64 %low.bits, 0
  %crook = select i1 %straight, i32 0, i32 %bit
  br label %lane.end
locked:
  br label %lane.end
near: ; a load that begins inside and reaches over the end goes ahead, as it does on a GPU
  %near.low = and i64 %address, %align.mask
  %near.straight = icmp eq i64 %near.low, 0
  %only.reads = icmp eq i32 %writes, 0
  %near.load = and i1 %near.straight, %only.reads
  %near.edge = and i1 %near.load, %after
  %edge.bit = select i1 %near.edge, i32 %bit, i32 0
  br label %lane.end
miss:
  br label %lane.end
lane.end:
  %bad.out = phi i32 [ 0, %allowed ], [ 0, %locked ], [ %bit, %near ], [ %bit, %miss ]
  %bad.crook = phi i32 [ %crook, %allowed ], [ 0, %locked ], [ 0, %near ], [ 0, %miss ]
  %bad.lock = phi i32 [ 0, %allowed ], [ %bit, %locked ], [ 0, %near ], [ 0, %miss ]
  %on.edge = phi i32 [ 0, %allowed ], [ 0, %locked ], [ %edge.bit, %near ], [ 0, %miss ]
  %edge.next = or i32 %edge, %on.edge
  %outside.next = or i32 %outside, %bad.out
  %crooked.next = or i32 %crooked, %bad.crook
  %constant.next = or i32 %constant, %bad.lock
  br label %lane.loop
report:
  call void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 1, i32 %outside, i32 %site, ptr %copy)
  call void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 2, i32 %crooked, i32 %site, ptr %copy)
  call void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 11, i32 %constant, i32 %site, ptr %copy)
  %edge.not = xor i32 %edge, -1
  %beyond = and i32 %outside, %edge.not
  %bad.a = or i32 %beyond, %crooked
  %bad = or i32 %bad.a, %constant
  %good = xor i32 %bad, -1
  %result = and i32 %mask, %good
  ret i32 %result
}

declare i32 @llvm.cttz.i32(i32, i1)

; The same for a space of fixed size that starts at 0: shared or local memory.
define i32 @wd_check_window(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, <W x i64> %addresses, i64 %limit, i64 %align) noinline {
entry:
  %copy = alloca <W x i64>, align 64
  store <W x i64> %addresses, ptr %copy
  %limit.head = insertelement <W x i64> poison, i64 %limit, i32 0
  %limit.all = shufflevector <W x i64> %limit.head, <W x i64> poison, <W x i32> zeroinitializer
  %over = icmp ugt <W x i64> %addresses, %limit.all
  %negative = icmp slt i64 %limit, 0
  %over.bits = call i32 @wd_bits(<W x i1> %over)
  %over.all = select i1 %negative, i32 -1, i32 %over.bits
  %outside = and i32 %over.all, %mask
  %align.mask = sub i64 %align, 1
  %align.head = insertelement <W x i64> poison, i64 %align.mask, i32 0
  %align.all = shufflevector <W x i64> %align.head, <W x i64> poison, <W x i32> zeroinitializer
  %low = and <W x i64> %addresses, %align.all
  %odd = icmp ne <W x i64> %low, zeroinitializer
  %odd.bits = call i32 @wd_bits(<W x i1> %odd)
  %inside = xor i32 %outside, -1
  %odd.in = and i32 %odd.bits, %inside
  %crooked = and i32 %odd.in, %mask
  call void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 1, i32 %outside, i32 %site, ptr %copy)
  call void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 2, i32 %crooked, i32 %site, ptr %copy)
  %bad = or i32 %outside, %crooked
  %good = xor i32 %bad, -1
  %result = and i32 %mask, %good
  ret i32 %result
}

; Calls Python about %mask, unless it is empty. Python may set env.stop; the slice then ends.
define void @wd_report(ptr %env, ptr %warp, ptr %frame, i64 %kind, i32 %mask, i32 %site, ptr %data) noinline {
entry:
  %nobody = icmp eq i32 %mask, 0
  br i1 %nobody, label %done, label %tell
tell:
  %ignored = call i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 %kind, i32 %mask, i32 %site, ptr %data)
  br label %done
done:
  ret void
}

define i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 %kind, i32 %mask, i32 %site, ptr %data) noinline {
entry:
  %callback = load ptr, ptr %env->env.callback
  %mask.wide = zext i32 %mask to i64
  %site.wide = zext i32 %site to i64
  %answer = call i64 %callback(i64 %kind, ptr %warp, ptr %frame, i64 %mask.wide, i64 %site.wide, ptr %data)
  %stop = load i32, ptr %env->env.stop
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %halt, label %done
halt:
  store i64 -1, ptr %env->env.slice
  br label %done
done:
  ret i64 %answer
}
