"""IR routines of warp collectives that need loops or indexed moves (runtime-template syntax).

Groups: lanes may take part with different member masks at once (tiles of a cooperative group), so the
loops below take the first lane left, serve everyone who agrees with it, and go on with the rest.
"""

from __future__ import annotations

from trainer.ptx.layout import EventKind
from trainer.ptx.lower.told_ir import unless_told
from trainer.ptx.lower.vec import I1, Builder, Value, splat

GATHER = """
declare <W x i32> @llvm.masked.gather.vWi32.vWp0(<W x ptr>, <W x i1>, <W x i32>)

define <W x i32> @wd_shuffle(<W x i32> %value, <W x i32> %source) {
  %room = alloca <W x i32>, align 64
  store <W x i32> %value, ptr %room, align 64
  %places = getelementptr i32, ptr %room, <W x i32> %source
  %found = call <W x i32> @llvm.masked.gather.vWi32.vWp0(<W x ptr> align 4 %places, <W x i1> splat (i1 true), <W x i32> poison)
  ret <W x i32> %found
}
"""

REPORT_ABSENT = f"""
declare i64 @wd_event(ptr, ptr, ptr, i64, i32, i32, ptr)

define void @wd_report_absent(
    ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, i32 %absent, i32 %readers) noinline cold {{
entry:
  %room = alloca [2 x i32], align 8
{unless_told("spare")}tell:
  store i32 %absent, ptr %room, align 8
  %second = getelementptr i8, ptr %room, i64 4
  store i32 %readers, ptr %second, align 4
  %answer = call i64 @wd_event(ptr %env, ptr %warp, ptr %frame, i64 {int(EventKind.ABSENT_LANE)}, i32 %mask, i32 %site, ptr %room)
  br label %done
done:
  ret void
}}
"""

_LOOP = """
declare i32 @llvm.cttz.i32(i32, i1)
{declarations}

define <W x i32> @wd_{name}(<W x {type}> %value, <W x i32> %masks, i32 %active) {{
entry:
  %all = call <W x i1> @wd_lanes(i32 %active)
  br label %head
head:
  %left = phi i32 [ %active, %entry ], [ %rest, %body ]
  %result = phi <W x i32> [ zeroinitializer, %entry ], [ %result.next, %body ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %done, label %body
body:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 true)
{body}
  %group.not = xor i32 %group, -1
  %rest = and i32 %left, %group.not
  br label %head
done:
  ret <W x i32> %result
}}
"""

_SAME_MASK = """
  %mask = extractelement <W x i32> %masks, i32 %lane
  %mask.head = insertelement <W x i32> poison, i32 %mask, i32 0
  %mask.all = shufflevector <W x i32> %mask.head, <W x i32> poison, <W x i32> zeroinitializer
  %agree = icmp eq <W x i32> %masks, %mask.all
  %agree.bits = call i32 @wd_bits(<W x i1> %agree)
  %group = and i32 %agree.bits, %left
  %members = call <W x i1> @wd_lanes(i32 %group)
"""

_SAME_VALUE = """
  %first = extractelement <W x {type}> %value, i32 %lane
  %first.head = insertelement <W x {type}> poison, {type} %first, i32 0
  %first.all = shufflevector <W x {type}> %first.head, <W x {type}> poison, <W x i32> zeroinitializer
  %equal = icmp eq <W x {type}> %value, %first.all
  %equal.bits = call i32 @wd_bits(<W x i1> %equal)
"""

_MATCH_ANY = (
    _SAME_VALUE
    + """
  %group = and i32 %equal.bits, %left
  %members = call <W x i1> @wd_lanes(i32 %group)
  %same = and i32 %equal.bits, %active
  %same.head = insertelement <W x i32> poison, i32 %same, i32 0
  %same.all = shufflevector <W x i32> %same.head, <W x i32> poison, <W x i32> zeroinitializer
  %seen = and <W x i32> %same.all, %masks
  %result.next = select <W x i1> %members, <W x i32> %seen, <W x i32> %result
"""
)

_MATCH_ALL = (
    _SAME_MASK
    + _SAME_VALUE
    + """
  %equal.not = xor i32 %equal.bits, -1
  %others = and i32 %group, %equal.not
  %unanimous = icmp eq i32 %others, 0
  %answer = select i1 %unanimous, i32 %group, i32 0
  %answer.head = insertelement <W x i32> poison, i32 %answer, i32 0
  %answer.all = shufflevector <W x i32> %answer.head, <W x i32> poison, <W x i32> zeroinitializer
  %result.next = select <W x i1> %members, <W x i32> %answer.all, <W x i32> %result
"""
)

_REDUCE = (
    _SAME_MASK
    + """
  %parts = select <W x i1> %members, <W x i32> %value, <W x i32> splat (i32 {neutral})
  %total = call i32 @llvm.vector.reduce.{operation}.vWi32(<W x i32> %parts)
  %total.head = insertelement <W x i32> poison, i32 %total, i32 0
  %total.all = shufflevector <W x i32> %total.head, <W x i32> poison, <W x i32> zeroinitializer
  %result.next = select <W x i1> %members, <W x i32> %total.all, <W x i32> %result
"""
)

# LLVM reduction and its neutral element, by PTX operation and signedness.
REDUCTIONS = {
    ("add", False): ("add", 0),
    ("add", True): ("add", 0),
    ("and", False): ("and", -1),
    ("or", False): ("or", 0),
    ("xor", False): ("xor", 0),
    ("min", False): ("umin", -1),
    ("max", False): ("umax", 0),
    ("min", True): ("smin", 2**31 - 1),
    ("max", True): ("smax", -(2**31)),
}


def match_any(type_: str) -> tuple[str, str]:
    """Name and text of match.any: lanes of the mask that hold the same value. `type_` is i32 or i64."""
    name = f"match_any_{type_}"
    return name, _LOOP.format(declarations="", name=name, type=type_, body=_MATCH_ANY.format(type=type_))


def match_all(type_: str) -> tuple[str, str]:
    """Name and text of match.all: the mask's lanes if all hold one value, else 0."""
    name = f"match_all_{type_}"
    return name, _LOOP.format(declarations="", name=name, type=type_, body=_MATCH_ALL.format(type=type_))


def reduce(operation: str, signed: bool) -> tuple[str, str]:
    """Name and text of redux: each mask's lanes get the reduction over them."""
    llvm, neutral = REDUCTIONS[operation, signed]
    name = f"redux_{llvm}"
    declaration = f"declare i32 @llvm.vector.reduce.{llvm}.vWi32(<W x i32>)"
    body = _REDUCE.format(operation=llvm, neutral=neutral)
    return name, _LOOP.format(declarations=declaration, name=name, type="i32", body=body)


def nth_set_bit(b: Builder, mask: Value, base: Value, offset: Value) -> Value:
    """Emitter of fns: counting down is counting up in the reversed mask; all ones when there is none."""
    kind = mask.type
    zero, one, top = splat(kind, 0), splat(kind, 1), splat(kind, 31)
    down = b.icmp_signed("<", offset, zero)
    left = b.select(down, b.intrinsic("bitreverse", kind, [mask]), mask)
    start = b.select(down, b.sub(top, base), base)
    left = b.and_(left, b.shl(splat(kind, -1), b.and_(start, top)))
    count = b.select(down, b.sub(zero, offset), offset)
    for k in range(1, 32):
        more = b.icmp_signed(">", count, splat(kind, k))
        left = b.select(more, b.and_(left, b.sub(left, one)), left)
    found = b.intrinsic("cttz", kind, [left, I1(0)])
    place = b.select(down, b.sub(top, found), found)
    none = b.or_(b.icmp_signed("==", left, zero), b.icmp_signed(">", count, splat(kind, 32)))
    place = b.select(none, splat(kind, -1), place)
    here = b.icmp_signed("!=", b.and_(b.lshr(mask, b.and_(base, top)), one), zero)
    own = b.select(here, base, splat(kind, -1))
    return b.select(b.icmp_signed("==", offset, zero), own, place)
