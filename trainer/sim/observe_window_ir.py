"""LLVM text of the quick way for accesses whose lanes stay close together, which most do.

Shadow entries of 64 neighbouring words (stamps of 16 sectors) are read and written as plain vectors
instead of being gathered and scattered lane by lane. What looks wrong is left to the general way of
`observe_ir`, which looks again and tells.
"""

from __future__ import annotations

from functools import cache

SECTORS = 16
WORDS = 64

TOUCH = f"""
declare i64 @llvm.vector.reduce.umin.vWi64(<W x i64>)
declare i64 @llvm.vector.reduce.umax.vWi64(<W x i64>)
declare i64 @llvm.vector.reduce.or.vWi64(<W x i64>)
declare void @llvm.masked.scatter.vWi32.vWp0(<W x i32>, <W x ptr>, i32, <W x i1>)

; Stamps the sectors under the lanes of %mask.
define void @wd_see_touch(ptr %stamps, i32 %stamp, <W x i64> %offsets, i32 %mask) noinline {{
entry:
  %lanes = bitcast i32 %mask to <W x i1>
  %sector = lshr <W x i64> %offsets, splat (i64 5)
  %for.most = select <W x i1> %lanes, <W x i64> %sector, <W x i64> zeroinitializer
  %for.least = select <W x i1> %lanes, <W x i64> %sector, <W x i64> splat (i64 -1)
  %most = call i64 @llvm.vector.reduce.umax.vWi64(<W x i64> %for.most)
  %least = call i64 @llvm.vector.reduce.umin.vWi64(<W x i64> %for.least)
  %span = sub i64 %most, %least
  %near = icmp ult i64 %span, {SECTORS}
  br i1 %near, label %dense, label %wide
dense:
  %least.head = insertelement <W x i64> poison, i64 %least, i32 0
  %least.all = shufflevector <W x i64> %least.head, <W x i64> poison, <W x i32> zeroinitializer
  %place.raw = sub <W x i64> %sector, %least.all
  %place = select <W x i1> %lanes, <W x i64> %place.raw, <W x i64> zeroinitializer
  %bit = shl <W x i64> splat (i64 1), %place
  %bit.live = select <W x i1> %lanes, <W x i64> %bit, <W x i64> zeroinitializer
  %bits = call i64 @llvm.vector.reduce.or.vWi64(<W x i64> %bit.live)
  %bits.few = trunc i64 %bits to i{SECTORS}
  %here = bitcast i{SECTORS} %bits.few to <{SECTORS} x i1>
  %at = getelementptr i32, ptr %stamps, i64 %least
  %old = load <{SECTORS} x i32>, ptr %at, align 4
  %stamp.few = insertelement <{SECTORS} x i32> poison, i32 %stamp, i32 0
  %stamp.row = shufflevector <{SECTORS} x i32> %stamp.few, <{SECTORS} x i32> poison, <{SECTORS} x i32> zeroinitializer
  %new = select <{SECTORS} x i1> %here, <{SECTORS} x i32> %stamp.row, <{SECTORS} x i32> %old
  store <{SECTORS} x i32> %new, ptr %at, align 4
  ret void
wide:
  %stamp.head = insertelement <W x i32> poison, i32 %stamp, i32 0
  %stamp.all = shufflevector <W x i32> %stamp.head, <W x i32> poison, <W x i32> zeroinitializer
  %places = getelementptr i32, ptr %stamps, <W x i64> %sector
  call void @llvm.masked.scatter.vWi32.vWp0(<W x i32> %stamp.all, <W x ptr> %places, i32 4, <W x i1> %lanes)
  ret void
}}
"""

_LOOK_LOAD = """
  %never.up = lshr <8 x i64> %x, splat (i64 40)
  %never = icmp ne <8 x i64> %never.up, zeroinitializer
  %wrong = and <8 x i1> %together, %other
  %lane.up = lshr <8 x i64> %x, splat (i64 16)
  %lane.other = icmp ne <8 x i64> %lane.up, zeroinitializer
  %warp.same = icmp eq <8 x i64> %other.up, zeroinitializer
  %hidden.0 = and <8 x i1> %lane.other, %warp.same
  %hidden = and <8 x i1> %hidden.0, %advised
  %doubt.0 = or <8 x i1> %never, %wrong
  %doubt.1 = or <8 x i1> %doubt.0, %hidden
"""

_UPDATE_LOAD = """
  %r.together.rest = and <8 x i1> %r.together, %r.other
  %r.kept.bits = and <8 x i64> %r, splat (i64 64512)
  %r.kept = or <8 x i64> %mine, %r.kept.bits
  %r.warp = icmp eq <8 x i64> %r.other.up, zeroinitializer
  %r.mine = select <8 x i1> %r.warp, <8 x i64> %r.kept, <8 x i64> %mine
  %r.several = or <8 x i64> %r, splat (i64 63488)
  %r.value = select <8 x i1> %r.together.rest, <8 x i64> %r.several, <8 x i64> %r.mine
  %r.new = select <8 x i1> %here, <8 x i64> %r.value, <8 x i64> %r
  store <8 x i64> %r.new, ptr %r.at, align 8
"""

_LOOK_STORE = """
  %wrong = and <8 x i1> %together, %other
  %r.many.bit = and <8 x i64> %r, splat (i64 2048)
  %r.many = icmp ne <8 x i64> %r.many.bit, zeroinitializer
  %r.others = or <8 x i1> %r.other, %r.many
  %r.bytes = and <8 x i64> %r, splat (i64 61440)
  %r.some = icmp ne <8 x i64> %r.bytes, zeroinitializer
  %r.wrong.0 = and <8 x i1> %r.together, %r.others
  %r.wrong = and <8 x i1> %r.wrong.0, %r.some
  %doubt.1 = or <8 x i1> %wrong, %r.wrong
"""

_UPDATE_STORE = """
  %e.new = select <8 x i1> %here, <8 x i64> %mine, <8 x i64> %e
  store <8 x i64> %e.new, ptr %e.at, align 8
"""


def _eight(name: str, kind: str, scalar: str) -> str:
    return f"""  %{name}.head = insertelement <8 x {kind}> poison, {kind} {scalar}, i32 0
  %{name} = shufflevector <8 x {kind}> %{name}.head, <8 x {kind}> poison, <8 x i32> zeroinitializer
"""


@cache
def window_text(op: str) -> str:
    """`wd_see_window_<op>`: four-byte shared accesses. 1: seen and in order; 0: look the general way.

    `%id` is the entry of this warp and site without lane and bytes.
    """
    look, update = (_LOOK_LOAD, _UPDATE_LOAD) if op == "load" else (_LOOK_STORE, _UPDATE_STORE)
    return f"""
declare i64 @llvm.vector.reduce.umin.vWi64(<W x i64>)
declare i64 @llvm.vector.reduce.umax.vWi64(<W x i64>)
declare i64 @llvm.vector.reduce.or.vWi64(<W x i64>)
declare i32 @llvm.cttz.i32(i32, i1)

define i32 @wd_see_window_{op}(ptr %writers, ptr %readers, <W x i64> %word, i32 %mask, i64 %id, i64 %advise) noinline {{
entry:
  %numbers = alloca <W x i8>, align 64
  %lane.of = alloca <{WORDS} x i8>, align 64
  %lanes = bitcast i32 %mask to <W x i1>
  %for.most = select <W x i1> %lanes, <W x i64> %word, <W x i64> zeroinitializer
  %for.least = select <W x i1> %lanes, <W x i64> %word, <W x i64> splat (i64 -1)
  %most = call i64 @llvm.vector.reduce.umax.vWi64(<W x i64> %for.most)
  %least = call i64 @llvm.vector.reduce.umin.vWi64(<W x i64> %for.least)
  %span = sub i64 %most, %least
  %near = icmp ult i64 %span, {WORDS}
  br i1 %near, label %map, label %far
far:
  ret i32 0
map:
  %least.head = insertelement <W x i64> poison, i64 %least, i32 0
  %least.all = shufflevector <W x i64> %least.head, <W x i64> poison, <W x i32> zeroinitializer
  %place.raw = sub <W x i64> %word, %least.all
  %place = select <W x i1> %lanes, <W x i64> %place.raw, <W x i64> zeroinitializer
  %bit = shl <W x i64> splat (i64 1), %place
  %bit.live = select <W x i1> %lanes, <W x i64> %bit, <W x i64> zeroinitializer
  %bits = call i64 @llvm.vector.reduce.or.vWi64(<W x i64> %bit.live)
  %place.small = trunc <W x i64> %place to <W x i8>
  store <W x i8> %place.small, ptr %numbers, align 64
{_eight("id.all", "i64", "%id")}  %advise.bit = icmp ne i64 %advise, 0
{_eight("advised", "i1", "%advise.bit")}  br label %lane.loop
lane.loop:
  %todo = phi i32 [ %mask, %map ], [ %todo.next, %lane.loop ]
  %lane = call i32 @llvm.cttz.i32(i32 %todo, i1 true)
  %less = sub i32 %todo, 1
  %todo.next = and i32 %todo, %less
  %lane.wide = zext i32 %lane to i64
  %number.at = getelementptr i8, ptr %numbers, i64 %lane.wide
  %number = load i8, ptr %number.at
  %number.wide = zext i8 %number to i64
  %lane.at = getelementptr i8, ptr %lane.of, i64 %number.wide
  %lane.small = trunc i32 %lane to i8
  store i8 %lane.small, ptr %lane.at
  %mapped = icmp eq i32 %todo.next, 0
  br i1 %mapped, label %chunk, label %lane.loop
chunk:
  %rest = phi i64 [ %bits, %lane.loop ], [ %rest.next, %skip ]
  %from = phi i64 [ 0, %lane.loop ], [ %from.next, %skip ]
  %few = trunc i64 %rest to i8
  %none = icmp eq i8 %few, 0
  br i1 %none, label %skip, label %work
work:
  %here = bitcast i8 %few to <8 x i1>
  %first = add i64 %least, %from
  %e.at = getelementptr i64, ptr %writers, i64 %first
  %r.at = getelementptr i64, ptr %readers, i64 %first
  %e = load <8 x i64>, ptr %e.at, align 8
  %r = load <8 x i64>, ptr %r.at, align 8
  %who.at = getelementptr i8, ptr %lane.of, i64 %from
  %who = load <8 x i8>, ptr %who.at, align 8
  %who.wide = zext <8 x i8> %who to <8 x i64>
  %who.up = shl <8 x i64> %who.wide, splat (i64 16)
  %mine.0 = or <8 x i64> %id.all, %who.up
  %mine = or <8 x i64> %mine.0, splat (i64 61440)
  %x = xor <8 x i64> %e, %mine
  %together.up = lshr <8 x i64> %x, splat (i64 26)
  %together = icmp eq <8 x i64> %together.up, zeroinitializer
  %other.up = lshr <8 x i64> %x, splat (i64 21)
  %other = icmp ne <8 x i64> %other.up, zeroinitializer
  %r.x = xor <8 x i64> %r, %mine
  %r.together.up = lshr <8 x i64> %r.x, splat (i64 26)
  %r.together = icmp eq <8 x i64> %r.together.up, zeroinitializer
  %r.other.up = lshr <8 x i64> %r.x, splat (i64 21)
  %r.other = icmp ne <8 x i64> %r.other.up, zeroinitializer
{look}  %doubt = and <8 x i1> %doubt.1, %here
  %doubt.bits = bitcast <8 x i1> %doubt to i8
  %doubtful = icmp ne i8 %doubt.bits, 0
  br i1 %doubtful, label %far, label %update
update:
{update}  br label %skip
skip:
  %rest.next = lshr i64 %rest, 8
  %from.next = add i64 %from, 8
  %over = icmp eq i64 %rest.next, 0
  br i1 %over, label %done, label %chunk
done:
  ret i32 1
}}
"""
