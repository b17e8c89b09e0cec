"""IR routines that count what lanes of a warp do while others wait for them (runtime-template syntax).

See trainer.ptx.lower.meetings for what is counted, and why.
"""

from __future__ import annotations

from trainer.ptx.layout import EventKind
from trainer.ptx.lower.told_ir import unless_told

HANG = f"""
declare i64 @wd_event(ptr, ptr, ptr, i64, i32, i32, ptr)

define void @wd_hang(ptr %env, ptr %warp, ptr %frame, i32 %lanes, i32 %site) noinline cold {{
entry:
  %nobody = icmp eq i32 %lanes, 0
  br i1 %nobody, label %done, label %look
look:
{unless_told("hangs")}tell:
  %answer = call i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 {int(EventKind.WARP_DEADLOCK)}, i32 %lanes, i32 %site, ptr null)
  br label %done
done:
  ret void
}}
"""

COLLECTIVE = """
declare void @wd_hang(ptr, ptr, ptr, i32, i32)
declare i32 @llvm.vector.reduce.umax.vWi32(<W x i32>)
declare <W x i32> @llvm.umax.vWi32(<W x i32>, <W x i32>)

define void @wd_take_turns(
    ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, i32 %absent, <W x i32> %masks, i32 %kind) noinline cold {
entry:
  %owing = load i32, ptr %warp->warp.owing
  %fresh = icmp eq i32 %owing, 0
  br i1 %fresh, label %clear, label %start
clear:
  store <W x i32> zeroinitializer, ptr %warp->warp.turns, align 4
  store <W x i32> zeroinitializer, ptr %warp->warp.due, align 4
  br label %start
start:
  %here = call <W x i1> @wd_lanes(i32 %mask)
  %turns.old = load <W x i32>, ptr %warp->warp.turns, align 4
  %due.old = load <W x i32>, ptr %warp->warp.due, align 4
  %owed.old = load i32, ptr %warp->warp.owed ; 0 if fresh
  %askers.old = load i32, ptr %warp->warp.askers
  ; who of us names one that waits, and is waited for
  %askers.head = insertelement <W x i32> poison, i32 %askers.old, i32 0
  %askers.all = shufflevector <W x i32> %askers.head, <W x i32> poison, <W x i32> zeroinitializer
  %known = and <W x i32> %masks, %askers.all
  %meets = icmp ne <W x i32> %known, zeroinitializer
  %meets.bits = call i32 @wd_bits(<W x i1> %meets)
  %owed.here = and i32 %owed.old, %mask
  %late = and i32 %owed.here, %meets.bits
  %same = icmp eq i32 %owing, %kind
  %wrong = select i1 %same, i32 0, i32 %late
  call void @wd_hang(ptr %env, ptr %warp, ptr %frame, i32 %wrong, i32 %site)
  %whole = icmp eq i32 %absent, 0
  br i1 %whole, label %complete, label %some
complete:
  %alive = load i32, ptr %warp->warp.alive
  %alive.all = icmp eq i32 %alive, %mask
  br i1 %alive.all, label %forget, label %some
forget:
  store i32 0, ptr %warp->warp.owing
  store i32 0, ptr %warp->warp.owed
  ret void
some:
  %absent.head = insertelement <W x i32> poison, i32 %absent, i32 0
  %absent.all = shufflevector <W x i32> %absent.head, <W x i32> poison, <W x i32> zeroinitializer
  %lacked = and <W x i32> %masks, %absent.all
  %lacks = icmp ne <W x i32> %lacked, zeroinitializer
  %lacks.bits = call i32 @wd_bits(<W x i1> %lacks)
  %asking = and i32 %lacks.bits, %mask
  %counting = or i32 %asking, %late
  %counting.lanes = call <W x i1> @wd_lanes(i32 %counting)
  %turns.more = add <W x i32> %turns.old, splat (i32 1)
  %turns = select <W x i1> %counting.lanes, <W x i32> %turns.more, <W x i32> %turns.old
  %asking.lanes = call <W x i1> @wd_lanes(i32 %asking)
  %asking.turns = select <W x i1> %asking.lanes, <W x i32> %turns, <W x i32> zeroinitializer
  %most = call i32 @llvm.vector.reduce.umax.vWi32(<W x i32> %asking.turns)
  %most.head = insertelement <W x i32> poison, i32 %most, i32 0
  %most.all = shufflevector <W x i32> %most.head, <W x i32> poison, <W x i32> zeroinitializer
  %due.more = call <W x i32> @llvm.umax.vWi32(<W x i32> %due.old, <W x i32> %most.all)
  %absent.lanes = call <W x i1> @wd_lanes(i32 %absent)
  %due = select <W x i1> %absent.lanes, <W x i32> %due.more, <W x i32> %due.old
  %behind = icmp ugt <W x i32> %due, %turns
  %owed = call i32 @wd_bits(<W x i1> %behind)
  store <W x i32> %turns, ptr %warp->warp.turns, align 4
  store <W x i32> %due, ptr %warp->warp.due, align 4
  store i32 %owed, ptr %warp->warp.owed
  ; the first since nobody was waited for
  %settled = icmp eq i32 %owed.old, 0
  %asked_at.old = load i32, ptr %warp->warp.asked_at
  %asked_at = select i1 %settled, i32 %site, i32 %asked_at.old
  store i32 %asked_at, ptr %warp->warp.asked_at
  %askers.kept = select i1 %settled, i32 0, i32 %askers.old
  %askers = or i32 %askers.kept, %asking
  store i32 %askers, ptr %warp->warp.askers
  %asked = icmp ne i32 %asking, 0
  %owing.new = select i1 %asked, i32 %kind, i32 %owing
  store i32 %owing.new, ptr %warp->warp.owing
  ; those who came to the block's barrier before
  %slot = load ptr, ptr %warp->warp.slot
  %barrier = getelementptr i8, ptr %slot, i64 offsetof(slot.barriers)
  %expected = load i32, ptr %barrier->barrier.expected
  %block.wide = icmp eq i32 %expected, 0
  %held = load i32, ptr %warp->warp.bar_masks
  %stuck = and i32 %held, %owed
  %stuck.whole = select i1 %block.wide, i32 %stuck, i32 0
  %first = load i32, ptr %barrier->barrier.site
  %first.site = sub i32 %first, 1
  call void @wd_hang(ptr %env, ptr %warp, ptr %frame, i32 %stuck.whole, i32 %first.site)
  ret void
}
"""

BARRIER = """
declare void @wd_hang(ptr, ptr, ptr, i32, i32)

define void @wd_stand_still(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask) noinline cold {
entry:
  %owed = load i32, ptr %warp->warp.owed
  %stuck = and i32 %owed, %mask
  call void @wd_hang(ptr %env, ptr %warp, ptr %frame, i32 %stuck, i32 %site)
  %waiting = load i32, ptr %warp->warp.waiting
  %alive = load i32, ptr %warp->warp.alive
  %all = icmp eq i32 %waiting, %alive
  br i1 %all, label %forget, label %done
forget:
  store i32 0, ptr %warp->warp.owing
  store i32 0, ptr %warp->warp.owed
  br label %done
done:
  ret void
}
"""
