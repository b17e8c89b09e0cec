"""LLVM text of the routines that watch memory accesses (runtime-template syntax of trainer.ptx.jit).

`wd_see_<space>_<op>` is called just before an access, with what the access itself gets. It counts the
request (`wd_see_pattern`) and, for hazards, reads and updates shadow memory (see `observe_layout`). What
looks wrong becomes an event record; Python makes sentences of them.
"""

from __future__ import annotations

from functools import cache

from trainer.ptx.layout import ARENA_BASE, SHARED_WINDOW
from trainer.sim.observe_layout import (
    ADVISE,
    ARENA_BYTES,
    COUNTING,
    EVENT_COUNT,
    FIRST_BLOCK,
    FLAGS,
    HAZARDS,
    LENIENT,
    PENDING,
    READ_AFTER_WRITE,
    READ_STAMPS,
    READERS,
    SAME_WARP,
    SHARED_READERS,
    SHARED_WRITERS,
    SITE_BYTES,
    SITE_COUNT,
    SITES,
    STAMP,
    UNINITIALISED,
    WRITE_AFTER_READ,
    WRITE_STAMPS,
    WRITE_WRITE,
    WRITERS,
)

_SIGNATURE = "ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, i64 %bytes"

_DECLARATIONS = """
declare i32 @llvm.cttz.i32(i32, i1)
declare void @wd_see_pattern(ptr, ptr, ptr, i32, i32, <W x i64>)
declare void @wd_see_note(ptr, ptr, i32, i32, i32, i32, <W x i64>, <W x i64>, ptr)
declare void @wd_see_settle(ptr)
declare <W x i64> @llvm.masked.gather.vWi64.vWp0(<W x ptr>, i32, <W x i1>, <W x i64>)
declare void @llvm.masked.scatter.vWi64.vWp0(<W x i64>, <W x ptr>, i32, <W x i1>)
declare void @wd_see_touch(ptr, i32, <W x i64>, i32)
declare i32 @wd_see_window_load(ptr, ptr, <W x i64>, i32, i64, i64)
declare i32 @wd_see_window_store(ptr, ptr, <W x i64>, i32, i64, i64)
"""


def _all(name: str, scalar: str) -> str:
    """Lines that put an i64 into every lane as `%name.all`."""
    return f"""  %{name}.head = insertelement <W x i64> poison, i64 {scalar}, i32 0
  %{name}.all = shufflevector <W x i64> %{name}.head, <W x i64> poison, <W x i32> zeroinitializer
"""


_IDENTITY = f"""
  %number = add i64 %block, %first.block
  %number.up = shl i64 %number, 40
  %phase = load i32, ptr %slot->slot.phase
  %phase.wide = zext i32 %phase to i64
  %phase.low = and i64 %phase.wide, 16383
  %phase.up = shl i64 %phase.low, 26
  %index = load i32, ptr %warp->warp.index
  %index.wide = zext i32 %index to i64
  %thread.up = shl i64 %index.wide, 21
  %site.big = icmp ugt i32 %site.0, 1023
  %site.cut = select i1 %site.big, i32 1023, i32 %site.0
  %site.low = zext i32 %site.cut to i64
  %id.0 = or i64 %number.up, %phase.up
  %id.1 = or i64 %id.0, %thread.up
  %id.2 = or i64 %id.1, %site.low
{_all("id", "%id.2")}  %who = or <W x i64> %id.all, <LANES>
  %narrow = icmp ult i64 %bytes, 4
  %width.0 = shl i64 1, %bytes
  %width.1 = sub i64 %width.0, 1
  %width.2 = select i1 %narrow, i64 %width.1, i64 15
  %width.3 = shl i64 %width.2, 12
{_all("width", "%width.3")}  %within = and <W x i64> %offsets, splat (i64 3)
  %used.0 = shl <W x i64> %width.all, %within
  %used = and <W x i64> %used.0, splat (i64 61440)
  %mine = or <W x i64> %who, %used
"""


def _lane_ids() -> str:
    return "<" + ", ".join(f"i64 {lane << 16}" for lane in range(32)) + ">"


_WATCH = f"""
  ; which allocation: the one this site met last, or a search
  %first.lane = call i32 @llvm.cttz.i32(i32 %mask, i1 true)
  %first = extractelement <W x i64> %addresses, i32 %first.lane
  %sites = load ptr, ptr %env->env.extra[{SITES} x 8]
  %site.wide = zext i32 %site to i64
  %site.at = mul i64 %site.wide, {SITE_BYTES}
  %s = getelementptr i8, ptr %sites, i64 %site.at
  %s.hi.p = getelementptr i8, ptr %s, i64 8
  %s.watch.p = getelementptr i8, ptr %s, i64 16
  %s.lo = load i64, ptr %s
  %s.hi = load i64, ptr %s.hi.p
  %after = icmp uge i64 %first, %s.lo
  %before = icmp ult i64 %first, %s.hi
  %known = and i1 %after, %before
  br i1 %known, label %watched, label %search
search:
  %table = load ptr, ptr %env->env.allocations
  %table.count = load i64, ptr %env->env.allocation_count
  br label %probe
probe:
  %a.k = phi i64 [ 0, %search ], [ %a.next, %probe.next ]
  %a.over = icmp uge i64 %a.k, %table.count
  br i1 %a.over, label %leave, label %probe.look
probe.look:
  %a.at = mul i64 %a.k, sizeof(allocation)
  %a = getelementptr i8, ptr %table, i64 %a.at
  %a.lo = load i64, ptr %a->allocation.lo
  %a.hi = load i64, ptr %a->allocation.hi
  %a.spare = load i64, ptr %a->allocation.spare
  %a.after = icmp uge i64 %first, %a.lo
  %a.before = icmp ult i64 %first, %a.hi
  %a.inside = and i1 %a.after, %a.before
  br i1 %a.inside, label %probe.found, label %probe.next
probe.next:
  %a.next = add i64 %a.k, 1
  br label %probe
probe.found:
  store i64 %a.lo, ptr %s
  store i64 %a.hi, ptr %s.hi.p
  store i64 %a.spare, ptr %s.watch.p
  br label %watched
watched:
  %watch = load i64, ptr %s.watch.p
"""


def _conflict(entry: str, name: str, space: str, extra_in: str = "", extra_out: str = "") -> str:
    """Lines that say in `%name` (lanes) where the access in shadow `entry` is concurrent with this one."""
    lines = f"""  %{name}.x = xor <W x i64> {entry}, %mine
  %{name}.x26 = lshr <W x i64> %{name}.x, splat (i64 26)
  %{name}.x21 = lshr <W x i64> %{name}.x, splat (i64 21)
  %{name}.together = icmp eq <W x i64> %{name}.x26, zeroinitializer
  %{name}.other = icmp ne <W x i64> %{name}.x21, zeroinitializer
{extra_in}  %{name}.in = and <W x i1> %{name}.together, %{name}.other{".or" if extra_in else ""}
"""
    if space == "shared":
        return lines + f"  %{name} = or <W x i1> %{name}.in, zeroinitializer\n"
    return lines + f"""  %{name}.x40 = lshr <W x i64> %{name}.x, splat (i64 40)
  %{name}.e40 = lshr <W x i64> {entry}, splat (i64 40)
  %{name}.away = icmp ne <W x i64> %{name}.x40, zeroinitializer
  %{name}.recent = icmp uge <W x i64> %{name}.e40, %base.all
{extra_out}  %{name}.out.0 = and <W x i1> %{name}.away{".or" if extra_out else ""}, %{name}.recent
  %{name}.out = and <W x i1> %{name}.out.0, %strict.lanes
  %{name} = or <W x i1> %{name}.in, %{name}.out
"""


def _overlap(entry: str, name: str, space: str, op: str) -> str:
    """Lines that say in `%name` where entry and this access share bytes; atomics only count in shared memory."""
    lines = f"""  %{name}.e = and <W x i64> {entry}, splat (i64 61440)
  %{name}.b = and <W x i64> %{name}.e, %mine
"""
    if op == "atomic":
        return lines + f"  %{name} = icmp ne <W x i64> %{name}.e, zeroinitializer\n"
    if space == "shared":
        return lines + f"""  %{name}.shares = icmp ne <W x i64> %{name}.b, zeroinitializer
  %{name}.atomic = icmp eq <W x i64> %{name}.e, zeroinitializer
  %{name} = or <W x i1> %{name}.shares, %{name}.atomic
"""
    return lines + f"  %{name} = icmp ne <W x i64> %{name}.b, zeroinitializer\n"


def _note(
    name: str, kind: int, lanes: str, entry: str, *, each: bool = False, among: str = "%loud"
) -> str:
    """Lines that record an event of `kind` where `%lanes` (a vector) and the mask `among` hold.

    Volatile accesses are in nobody's way (`%loud` is empty), but they too may rely on lock-step.
    """
    old = "ptr %places.p" if each else "ptr null"
    return f"""  %{name}.bits.0 = bitcast <W x i1> {lanes} to i32
  %{name}.bits = and i32 %{name}.bits.0, {among}
  %{name}.any = icmp ne i32 %{name}.bits, 0
  br i1 %{name}.any, label %{name}.tell, label %{name}.after
{name}.tell:
  %{name}.at = add <W x i64> %addresses, %step.all
  call void @wd_see_note(ptr %env, ptr %warp, i32 %site, i32 {kind}, i32 %{name}.bits, i32 {int(each)}, <W x i64> %{name}.at, <W x i64> {entry}, {old})
  br label %{name}.after
{name}.after:
"""


def _uninitialised(space: str) -> str:
    if space == "shared":
        test = """  %u.x = xor <W x i64> %e, %mine
  %u.x40 = lshr <W x i64> %u.x, splat (i64 40)
  %u.never = icmp ne <W x i64> %u.x40, zeroinitializer
"""
    else:
        test = """  %u.zero = icmp eq <W x i64> %e, zeroinitializer
  %u.never = and <W x i1> %u.zero, %unwritten.lanes
"""
    return test + _note("u", UNINITIALISED, "%u.never", "%e")


def _readers_update(space: str) -> str:
    lines = _conflict("%r", "rc", space)
    lines += """  %rc.warp = icmp eq <W x i64> %rc.x21, zeroinitializer
  %rc.flags = and <W x i64> %r, splat (i64 3072)
  %rc.bytes = and <W x i64> %r, splat (i64 61440)
  %rc.mine.0 = or <W x i64> %mine, %rc.bytes
  %rc.mine.1 = or <W x i64> %rc.mine.0, %rc.flags
  %rc.same = select <W x i1> %rc.warp, <W x i64> %rc.mine.1, <W x i64> %mine
  %rc.in.0 = or <W x i64> %r, splat (i64 2048)
  %rc.in.1 = or <W x i64> %rc.in.0, %used
  %rc.v0 = select <W x i1> %rc.in, <W x i64> %rc.in.1, <W x i64> %rc.same
"""
    if space == "shared":
        return lines + "  %rc.new = or <W x i64> %rc.v0, zeroinitializer\n"
    return lines + """  %rc.out.1 = or <W x i64> %r, splat (i64 1024)
  %rc.out.2 = or <W x i64> %rc.out.1, %used
  %rc.v1 = select <W x i1> %rc.out, <W x i64> %rc.out.2, <W x i64> %rc.v0
  %rc.cross = and <W x i64> %r, splat (i64 1024)
  %rc.cross.kept = select <W x i1> %rc.recent, <W x i64> %rc.cross, <W x i64> zeroinitializer
  %rc.new = or <W x i64> %rc.v1, %rc.cross.kept
"""


def _readers_conflict(space: str) -> str:
    several = """  %w.m = and <W x i64> %r, splat (i64 2048)
  %w.several = icmp ne <W x i64> %w.m, zeroinitializer
  %w.other.or = or <W x i1> %w.other, %w.several
"""
    blocks = """  %w.c = and <W x i64> %r, splat (i64 1024)
  %w.blocks = icmp ne <W x i64> %w.c, zeroinitializer
  %w.away.or = or <W x i1> %w.away, %w.blocks
"""
    lines = _conflict("%r", "w", space, several, "" if space == "shared" else blocks)
    return lines + """  %w.b = and <W x i64> %r, %used
  %w.shares = icmp ne <W x i64> %w.b, zeroinitializer
  %w.hit = and <W x i1> %w, %w.shares
""" + _note("ww", WRITE_AFTER_READ, "%w.hit", "%r")


def _gather(name: str, base: str) -> str:
    return f"""  %{name}.p = getelementptr i64, ptr {base}, <W x i64> %word
  %{name} = call <W x i64> @llvm.masked.gather.vWi64.vWp0(<W x ptr> %{name}.p, i32 8, <W x i1> %lanes, <W x i64> zeroinitializer)
"""


def _scatter(name: str, value: str) -> str:
    return f"  call void @llvm.masked.scatter.vWi64.vWp0(<W x i64> {value}, <W x ptr> %{name}.p, i32 8, <W x i1> %lanes)\n"


def _word(space: str, op: str) -> str:
    """What happens to one word of each lane."""
    if op == "load":
        text = _gather("e", "%writers") + _uninitialised(space)
        text += _conflict("%e", "c", space) + _overlap("%e", "o", space, op)
        text += "  %c.hit = and <W x i1> %c, %o\n" + _note("raw", READ_AFTER_WRITE, "%c.hit", "%e")
        if space == "shared":
            text += """  %sw.x16 = lshr <W x i64> %c.x, splat (i64 16)
  %sw.lane = icmp ne <W x i64> %sw.x16, zeroinitializer
  %sw.warp = icmp eq <W x i64> %c.x21, zeroinitializer
  %sw.0 = and <W x i1> %sw.lane, %sw.warp
  %sw.1 = and <W x i1> %sw.0, %o
  %sw.2 = and <W x i1> %sw.1, %advise.lanes
""" + _note("sw", SAME_WARP, "%sw.2", "%e", among="%mask")
        return text + _gather("r", "%readers") + _readers_update(space) + _scatter("r", "%rc.new")
    if op == "store":
        text = _gather("e", "%writers") + _conflict("%e", "c", space) + _overlap("%e", "o", space, op)
        text += """  %c.hit = and <W x i1> %c, %o
  %places.b = getelementptr i8, ptr %bytes.base, <W x i64> %offsets
  %places.d = ptrtoint <W x ptr> %places.b to <W x i64>
  %places.i = and <W x i64> %places.d, splat (i64 -4)
  %places.k = add <W x i64> %places.i, %step.all
  store <W x i64> %places.k, ptr %places.p, align 64
""" + _note("wr", WRITE_WRITE, "%c.hit", "%e", each=True)
        text += _gather("r", "%readers") + _readers_conflict(space)
        return text + _scatter("e", "%mine")
    text = _gather("e", "%writers") + _uninitialised(space)
    if space == "shared":
        text += _conflict("%e", "c", space) + _overlap("%e", "o", space, op)
        text += "  %c.hit = and <W x i1> %c, %o\n" + _note("aw", READ_AFTER_WRITE, "%c.hit", "%e")
        # a plain write of this phase stays on record: other warps' atomics are to be held against it
        text += """  %c.plain = icmp ne <W x i64> %o.e, zeroinitializer
  %c.keep = and <W x i1> %c.together, %c.plain
  %c.new = select <W x i1> %c.keep, <W x i64> %e, <W x i64> %who
"""
        return text + _scatter("e", "%c.new")
    return text + _scatter("e", "%who")


@cache
def see_text(space: str, op: str) -> str:
    """The routine for `space` ("global", "shared") and `op` ("load", "store", "atomic")."""
    is_global = space == "global"
    if is_global:
        place = f"""  %offsets = sub <W x i64> %addresses, splat (i64 {ARENA_BASE})
  %limit = load i64, ptr %env->env.extra[{ARENA_BYTES} x 8]
"""
    else:
        place = """  %offsets = add <W x i64> %addresses, zeroinitializer
  %limit.0 = load i64, ptr %env->env.shared_bytes
  %limit.1 = sub i64 %limit.0, %bytes
  %limit.neg = icmp slt i64 %limit.1, 0
  %limit.2 = add i64 %limit.1, 1
  %limit = select i1 %limit.neg, i64 0, i64 %limit.2
"""
    stamps = WRITE_STAMPS if op != "load" else READ_STAMPS
    touch = f"""  %stamps = load ptr, ptr %env->env.extra[{stamps} x 8]
  %stamp = load i32, ptr %env->env.extra[{STAMP} x 8]
  call void @wd_see_touch(ptr %stamps, i32 %stamp, <W x i64> %offsets, i32 %mask)
""" if is_global else ""
    asks = is_global and op != "store"  # stores are recorded everywhere, reads only where it matters
    watch = _WATCH if asks else "  br label %watched\nwatched:\n"
    if is_global:
        bases = f"""  %writers = load ptr, ptr %env->env.extra[{WRITERS} x 8]
  %readers = load ptr, ptr %env->env.extra[{READERS} x 8]
  %delta = load i64, ptr %env->env.delta
  %host.0 = add i64 %delta, {ARENA_BASE}
  %bytes.base = inttoptr i64 %host.0 to ptr
  %lenient = load i64, ptr %env->env.extra[{LENIENT} x 8]
  %strict = icmp eq i64 %lenient, 0
  %strict.head = insertelement <W x i1> poison, i1 %strict, i32 0
  %strict.lanes = shufflevector <W x i1> %strict.head, <W x i1> poison, <W x i32> zeroinitializer
{_all("base", "%first.block")}"""
        if asks:
            bases += """  %unwritten.0 = and i64 %watch, 2
  %unwritten = icmp ne i64 %unwritten.0, 0
  %unwritten.head = insertelement <W x i1> poison, i1 %unwritten, i32 0
  %unwritten.lanes = shufflevector <W x i1> %unwritten.head, <W x i1> poison, <W x i32> zeroinitializer
"""
    else:
        bases = f"""  %writers = load ptr, ptr %slot->slot.extra[{SHARED_WRITERS} x 8]
  %readers = load ptr, ptr %slot->slot.extra[{SHARED_READERS} x 8]
  %bytes.base = load ptr, ptr %slot->slot.shared
  %advise = load i64, ptr %env->env.extra[{ADVISE} x 8]
  %advised = icmp ne i64 %advise, 0
  %advise.head = insertelement <W x i1> poison, i1 %advised, i32 0
  %advise.lanes = shufflevector <W x i1> %advise.head, <W x i1> poison, <W x i32> zeroinitializer
"""
    shift = "  %site = add i32 %site.0, 0\n" if is_global else f"""  %site.count = load i32, ptr %env->env.extra[{SITE_COUNT} x 8]
  %site = add i32 %site.0, %site.count
"""
    gate = """  %idle.watch = icmp eq i64 %watch, 0
  br i1 %idle.watch, label %leave, label %go
go:
""" if is_global and op == "load" else ""
    before = "go" if gate else "watched"
    window, entered = "  br label %words.loop\n", f"[ 0, %{before} ]"
    if not is_global and op != "atomic":
        entered += ", [ 0, %window ]"
        window = f"""  %is.word = icmp eq i64 %bytes, 4
  br i1 %is.word, label %window, label %words.loop
window:
  %in.order = call i32 @wd_see_window_{op}(ptr %writers, ptr %readers, <W x i64> %word.first, i32 %mask, i64 %id.2, i64 %advise)
  %is.in.order = icmp ne i32 %in.order, 0
  br i1 %is.in.order, label %leave, label %words.loop
"""
    body = f"""
define void @wd_see_{space}_{op}({_SIGNATURE.replace("%site", "%site.0")}) noinline {{
entry:
{shift}  %places.p = alloca <W x i64>, align 64
  %pending = load i64, ptr %env->env.extra[{PENDING} x 8]
  %unsettled = icmp ne i64 %pending, 0
  br i1 %unsettled, label %settle, label %begin
settle:
  call void @wd_see_settle(ptr %env)
  br label %begin
begin:
{place}{_all("limit", "%limit")}  %inside = icmp ult <W x i64> %offsets, %limit.all
  %inside.bits = bitcast <W x i1> %inside to i32
  %mask = and i32 %active, %inside.bits
  %nobody = icmp eq i32 %mask, 0
  br i1 %nobody, label %leave, label %somebody
somebody:
  %lanes = bitcast i32 %mask to <W x i1>
  %flags = load i64, ptr %env->env.extra[{FLAGS} x 8]
  %counting.0 = and i64 %flags, {COUNTING}
  %counting = icmp ne i64 %counting.0, 0
  br i1 %counting, label %count, label %counted
count:
  call void @wd_see_pattern(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %mask, <W x i64> %addresses)
{touch}  br label %counted
counted:
  %hazards.0 = and i64 %flags, {HAZARDS}
  %hazards = icmp ne i64 %hazards.0, 0
  br i1 %hazards, label %look, label %leave
look:
{watch}{gate}  %slot = load ptr, ptr %warp->warp.slot
  %block = load i64, ptr %slot->slot.block
  %first.block = load i64, ptr %env->env.extra[{FIRST_BLOCK} x 8]
{_IDENTITY.replace("<LANES>", _lane_ids())}
{bases}  %quiet.sites = load ptr, ptr %env->env.extra[{SITES} x 8]
  %quiet.site = zext i32 %site to i64
  %quiet.at.0 = mul i64 %quiet.site, {SITE_BYTES}
  %quiet.at = add i64 %quiet.at.0, 24
  %quiet.p = getelementptr i8, ptr %quiet.sites, i64 %quiet.at
  %quiet = load i32, ptr %quiet.p
  %is.quiet = icmp ne i32 %quiet, 0
  %loud = select i1 %is.quiet, i32 0, i32 %mask
  %events.before = load i64, ptr %env->env.extra[{EVENT_COUNT} x 8]
  %words.0 = add i64 %bytes, 3
  %words = lshr i64 %words.0, 2
  %word.first = lshr <W x i64> %offsets, splat (i64 2)
{window}words.loop:
  %k = phi i64 {entered}, [ %k.next, %words.end ]
{_all("k", "%k")}  %step.all = shl <W x i64> %k.all, splat (i64 2)
  %word = add <W x i64> %word.first, %k.all
{_word(space, op)}  br label %words.end
words.end:
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %words
  br i1 %again, label %words.loop, label %finish
finish:
  %events.now = load i64, ptr %env->env.extra[{EVENT_COUNT} x 8]
  %new.events = icmp ne i64 %events.now, %events.before
  br i1 %new.events, label %mark, label %leave
mark:
  %since = add i64 %events.before, 1
  store i64 %since, ptr %env->env.extra[{PENDING} x 8]
  br label %leave
leave:
  ret void
}}
"""
    return _DECLARATIONS + body


@cache
def generic_text(op: str) -> str:
    """`wd_see_generic_<op>`: lanes go by address window, as the access itself does."""
    return f"""
declare void @wd_see_global_{op}(ptr, ptr, ptr, i32, i32, <W x i64>, i64)
declare void @wd_see_shared_{op}(ptr, ptr, ptr, i32, i32, <W x i64>, i64)
define void @wd_see_generic_{op}({_SIGNATURE}) noinline {{
entry:
  %inner = sub <W x i64> %addresses, splat (i64 {SHARED_WINDOW})
  %is.shared = icmp ult <W x i64> %inner, splat (i64 4294967296)
  %shared.bits = bitcast <W x i1> %is.shared to i32
  %shared = and i32 %shared.bits, %active
  %others = xor i32 %shared, -1
  %rest = and i32 %others, %active
  %some.shared = icmp ne i32 %shared, 0
  br i1 %some.shared, label %in.shared, label %next
in.shared:
  call void @wd_see_shared_{op}(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %shared, <W x i64> %inner, i64 %bytes)
  br label %next
next:
  %some.rest = icmp ne i32 %rest, 0
  br i1 %some.rest, label %in.global, label %done
in.global:
  call void @wd_see_global_{op}(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %rest, <W x i64> %addresses, i64 %bytes)
  br label %done
done:
  ret void
}}
"""
