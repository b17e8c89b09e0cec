# ruff: noqa: E501  (code in another language reads better unbroken)
"""LLVM text of the memory access routines, one per space, direction, element width and vector length.

A routine takes the lanes' simulated addresses. It classifies them first, since most requests of a warp
are uniform (every active lane the same address) or unit-stride (lane i reads element i): those cost one
bounds check and one wide load. Anything else is checked lane by lane as a vector and gathered; scattered
stores go lane by lane in lane order, so the highest lane wins as on the GPU (where it is undefined).
"""

from __future__ import annotations

from trainer.ptx.jit import expand
from trainer.ptx.layout import LOCAL_WINDOW, SHARED_WINDOW

_HEAD = """
define {result} @wd_{name}(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses{extra}) noinline {{
entry:
  %idle = icmp eq i32 %active, 0
  br i1 %idle, label %nothing, label %begin
nothing:
  {return_nothing}
begin:
{bounds}
  %first.lane = call i32 @llvm.cttz.i32(i32 %active, i1 true)
  %first = extractelement <W x i64> %addresses, i32 %first.lane
  %first.head = insertelement <W x i64> poison, i64 %first, i32 0
  %first.all = shufflevector <W x i64> %first.head, <W x i64> poison, <W x i32> zeroinitializer
  %apart = sub <W x i64> %addresses, %first.all
  %same = icmp eq <W x i64> %apart, zeroinitializer
  %same.bits = call i32 @wd_bits(<W x i1> %same)
  %same.not = xor i32 %same.bits, -1
  %differ = and i32 %same.not, %active
  %low.bits = and i64 %first, {align_mask}
  %straight = icmp eq i64 %low.bits, 0
  %first.wide = zext i32 %first.lane to i64
  %before = mul i64 %first.wide, {size}
  %start = sub i64 %first, %before
  %start.head = insertelement <W x i64> poison, i64 %start, i32 0
  %start.all = shufflevector <W x i64> %start.head, <W x i64> poison, <W x i32> zeroinitializer
  %dense = add <W x i64> %start.all, {steps}
  %is.dense = icmp eq <W x i64> %addresses, %dense
  %dense.bits = call i32 @wd_bits(<W x i1> %is.dense)
  %dense.not = xor i32 %dense.bits, -1
  %scattered = and i32 %dense.not, %active
  %lead = sub i64 %first, %lo
  %lead.ok = icmp ule i64 %lead, %span
  %span.ok = icmp sge i64 %span, 0
  %fits = and i1 %lead.ok, %span.ok
  %good.first = and i1 %fits, %straight
  %uniform = icmp eq i32 %differ, 0
  %uniform.ok = and i1 %uniform, %good.first
  br i1 %uniform.ok, label %take.uniform, label %try.dense
try.dense:
  %last.clear = call i32 @llvm.ctlz.i32(i32 %active, i1 true)
  %last.lane = sub i32 31, %last.clear
  %last.wide = zext i32 %last.lane to i64
  %last.off = mul i64 %last.wide, {size}
  %last = add i64 %start, %last.off
  %tail = sub i64 %last, %lo
  %tail.ok = icmp ule i64 %tail, %span
  %is.unit = icmp eq i32 %scattered, 0
  %unit.fits = and i1 %tail.ok, %good.first
  %unit.ok = and i1 %is.unit, %unit.fits
  %unit.full = {unit_condition}
  br i1 %unit.full, label %take.unit, label %check
check:
  %lo.head = insertelement <W x i64> poison, i64 %lo, i32 0
  %lo.all = shufflevector <W x i64> %lo.head, <W x i64> poison, <W x i32> zeroinitializer
  %leads = sub <W x i64> %addresses, %lo.all
  %span.head = insertelement <W x i64> poison, i64 %span, i32 0
  %span.all = shufflevector <W x i64> %span.head, <W x i64> poison, <W x i32> zeroinitializer
  %inside = icmp ule <W x i64> %leads, %span.all
  %bottom = and <W x i64> %addresses, splat (i64 {align_mask})
  %even = icmp eq <W x i64> %bottom, zeroinitializer
  %fine = and <W x i1> %inside, %even
  %fine.bits = call i32 @wd_bits(<W x i1> %fine)
  %fine.not = xor i32 %fine.bits, -1
  %wrong.lanes = and i32 %fine.not, %active
  %wrong.some = icmp ne i32 %wrong.lanes, 0
  %span.bad = xor i1 %span.ok, true
  %wrong = or i1 %wrong.some, %span.bad
  br i1 %wrong, label %slow, label %each
slow:
  %checked = {slow_call}
  br label %each
each:
  %mask = phi i32 [ %active, %check ], [ %checked, %slow ]
"""

# Where the last access at this site found its block; `wd_check` looks there first, too.
SITE_BOUNDS = """
  %sites = load ptr, ptr %env->env.sites
  %site.wide = zext i32 %site to i64
  %site.offset = mul i64 %site.wide, sizeof(site)
  %cache = getelementptr i8, ptr %sites, i64 %site.offset
  %lo = load i64, ptr %cache->site.lo
  %hi = load i64, ptr %cache->site.hi
  %room = sub i64 %hi, %lo
"""

_GLOBAL_BOUNDS = f"""{SITE_BOUNDS}  %span = sub i64 %room, {{size}}
  %delta = load i64, ptr %env->env.delta
  %base = inttoptr i64 %delta to ptr
"""

_SHARED_BOUNDS = """
  %lo = add i64 0, 0
  %room = load i64, ptr %env->env.shared_bytes
  %span = sub i64 %room, {size}
  %slot = load ptr, ptr %warp->warp.slot
  %base = load ptr, ptr %slot->slot.shared
"""

_LOCAL_BOUNDS = """
  %lo = add i64 0, 0
  %room = load i64, ptr %env->env.local_stride
  %span = sub i64 %room, {size}
  %base = load ptr, ptr %warp->warp.local
  %stride.head = insertelement <W x i64> poison, i64 %room, i32 0
  %stride.all = shufflevector <W x i64> %stride.head, <W x i64> poison, <W x i32> zeroinitializer
  %lane.starts = mul <W x i64> %stride.all, {lanes}
"""

CHECK_DECLARATIONS = """
declare i32 @wd_check(ptr, ptr, ptr, i32, i32, <W x i64>, i64, i64, i32)
declare i32 @wd_check_window(ptr, ptr, ptr, i32, i32, <W x i64>, i64, i64)
"""

_DECLARATIONS = f"""{CHECK_DECLARATIONS}
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare <W x i32> @llvm.masked.gather.vWi32.vWp0(<W x ptr>, i32, <W x i1>, <W x i32>)
declare <W x i64> @llvm.masked.gather.vWi64.vWp0(<W x ptr>, i32, <W x i1>, <W x i64>)
"""


def routine_name(space: str, op: str, bits: int, count: int) -> str:
    """Name of the routine without its `wd<width>_` prefix."""
    return f"{space}_{op}_{bits}x{count}"


def lane_numbers(width: int, step: int, bits: int = 64) -> str:
    """A constant vector: `step` times the number of each lane."""
    return f"<{', '.join(f'i{bits} {k * step}' for k in range(width))}>"


def access_text(space: str, op: str, bits: int, count: int, width: int) -> str:
    """A module with one routine. `op` is "load" (results to `ptr %out`) or "store" (values from `ptr %in`)."""
    if space == "generic":
        body = _generic(op, bits, count, width)
    else:
        body = _plain(space, op, bits, count, width)
    return expand(_DECLARATIONS + body, width)


def _plain(space: str, op: str, bits: int, count: int, width: int) -> str:
    size = bits // 8 * count
    bounds = {"global": _GLOBAL_BOUNDS, "shared": _SHARED_BOUNDS, "local": _LOCAL_BOUNDS}[space]
    if space == "global":
        writes = int(op == "store")
        slow = (
            f"call i32 @wd_check(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, <W x i64> %addresses, "
            f"i64 {size}, i64 {size}, i32 {writes})"
        )
    else:
        slow = (
            f"call i32 @wd_check_window(ptr %env, ptr %warp, ptr %frame, i32 %site, i32 %active, "
            f"<W x i64> %addresses, i64 %span, i64 {size})"
        )
    contiguous = space != "local" and width > 1
    condition = "and i1 %unit.ok, true" if contiguous else "and i1 %unit.ok, false"
    if contiguous:
        condition = "select i1 %unit.ok, i1 %whole, i1 false"
        bounds += f"  %whole = icmp eq i32 %active, {-1 if width == 32 else (1 << width) - 1}\n"
    head = _HEAD.format(
        name=routine_name(space, op, bits, count),
        result="void",
        return_nothing="ret void",
        extra=", ptr %data",
        size=size,
        align_mask=size - 1,
        slow_call=slow,
        unit_condition=condition,
        bounds=bounds.format(size=size, lanes=lane_numbers(width, 1)),
        steps=lane_numbers(width, size),
    )
    lines = [head]
    offsets = "%addresses"
    if space == "local":
        lines.append("  %placed = add <W x i64> %addresses, %lane.starts")
        offsets = "%placed"
    part = _loads if op == "load" else _stores
    lines.append(part(space, bits, count, width, offsets, contiguous))
    lines.append("}\n")
    return "\n".join(lines)


def _loads(space: str, bits: int, count: int, width: int, offsets: str, contiguous: bool) -> str:
    step, wide = bits // 8, max(bits, 32)
    align = min(64, step * width)
    lines = [
        "  %mask.lanes = call <W x i1> @wd_lanes(i32 %mask)",
        f"  %places = getelementptr i8, ptr %base, <W x i64> {offsets}",
    ]
    for k in range(count):
        lines += [
            f"  %p{k} = getelementptr i8, <W x ptr> %places, i64 {k * step}",
            f"  %g{k} = call <W x i{wide}> @llvm.masked.gather.vWi{wide}.vWp0(<W x ptr> %p{k}, i32 {step}, "
            f"<W x i1> %mask.lanes, <W x i{wide}> zeroinitializer)",
        ]
        value = f"%g{k}"
        if wide != bits:
            lines.append(f"  %n{k} = trunc <W x i{wide}> %g{k} to <W x i{bits}>")
            value = f"%n{k}"
        lines += [
            f"  %o{k} = getelementptr i8, ptr %data, i64 {k * step * width}",
            f"  store <W x i{bits}> {value}, ptr %o{k}, align {align}",
        ]
    lines += ["  ret void", "take.uniform:"]
    if space == "local":
        lines.append("  br label %check")
    else:
        lines.append("  %u.base = getelementptr i8, ptr %base, i64 %first")
        for k in range(count):
            lines += [
                f"  %u.p{k} = getelementptr i8, ptr %u.base, i64 {k * step}",
                f"  %u.v{k} = load i{bits}, ptr %u.p{k}",
                f"  %u.h{k} = insertelement <W x i{bits}> poison, i{bits} %u.v{k}, i32 0",
                f"  %u.a{k} = shufflevector <W x i{bits}> %u.h{k}, <W x i{bits}> poison, <W x i32> zeroinitializer",
                f"  %u.o{k} = getelementptr i8, ptr %data, i64 {k * step * width}",
                f"  store <W x i{bits}> %u.a{k}, ptr %u.o{k}, align {align}",
            ]
        lines.append("  ret void")
    lines.append("take.unit:")
    if contiguous:
        total = width * count
        lines += [
            "  %d.base = getelementptr i8, ptr %base, i64 %start",
            f"  %d.all = load <{total} x i{bits}>, ptr %d.base, align {step}",
        ]
        for k in range(count):
            picks = ", ".join(f"i32 {lane * count + k}" for lane in range(width))
            lines += [
                f"  %d.v{k} = shufflevector <{total} x i{bits}> %d.all, <{total} x i{bits}> poison, <W x i32> <{picks}>",
                f"  %d.o{k} = getelementptr i8, ptr %data, i64 {k * step * width}",
                f"  store <W x i{bits}> %d.v{k}, ptr %d.o{k}, align {align}",
            ]
        lines.append("  ret void")
    else:
        lines.append("  br label %check")
    return "\n".join(lines)


def _stores(space: str, bits: int, count: int, width: int, offsets: str, contiguous: bool) -> str:
    step = bits // 8
    align = min(64, step * width)
    lines = [
        "  %spots = alloca <W x i64>, align 64",
        f"  store <W x i64> {offsets}, ptr %spots, align 64",
        "  br label %lane.loop",
        "lane.loop:",
        "  %todo = phi i32 [ %mask, %each ], [ %todo.next, %lane.do ]",
        "  %over = icmp eq i32 %todo, 0",
        "  br i1 %over, label %done, label %lane.do",
        "lane.do:",
        "  %lane = call i32 @llvm.cttz.i32(i32 %todo, i1 true)",
        "  %less = sub i32 %todo, 1",
        "  %todo.next = and i32 %todo, %less",
        "  %lane.wide = zext i32 %lane to i64",
        "  %spot.p = getelementptr i64, ptr %spots, i64 %lane.wide",
        "  %spot = load i64, ptr %spot.p",
        "  %place = getelementptr i8, ptr %base, i64 %spot",
    ]
    for k in range(count):
        lines += [
            f"  %i{k} = getelementptr i8, ptr %data, i64 {k * step * width}",
            f"  %v{k}.p = getelementptr i{bits}, ptr %i{k}, i64 %lane.wide",
            f"  %v{k} = load i{bits}, ptr %v{k}.p",
            f"  %t{k} = getelementptr i8, ptr %place, i64 {k * step}",
            f"  store i{bits} %v{k}, ptr %t{k}",
        ]
    lines += [
        "  br label %lane.loop",
        "done:",
        "  ret void",
        "take.uniform:",
        "  br label %check",
        "take.unit:",
    ]
    if contiguous:
        lines.append("  %d.base = getelementptr i8, ptr %base, i64 %start")
        names = []
        for k in range(count):
            lines += [
                f"  %d.i{k} = getelementptr i8, ptr %data, i64 {k * step * width}",
                f"  %d.v{k} = load <W x i{bits}>, ptr %d.i{k}, align {align}",
            ]
            names.append(f"%d.v{k}")
        total, merged = width, names[0]
        while len(names) > 1:
            pairs = []
            for left, right in zip(names[::2], names[1::2], strict=True):
                name = f"%m{len(lines)}"
                order = ", ".join(f"i32 {j}" for j in range(2 * total))
                lines.append(
                    f"  {name} = shufflevector <{total} x i{bits}> {left}, <{total} x i{bits}> {right}, <{2 * total} x i32> <{order}>"
                )
                pairs.append(name)
            names, total = pairs, 2 * total
            merged = names[0]
        order = ", ".join(f"i32 {k * width + lane}" for lane in range(width) for k in range(count))
        lines += [
            f"  %d.all = shufflevector <{total} x i{bits}> {merged}, <{total} x i{bits}> poison, <{total} x i32> <{order}>",
            f"  store <{total} x i{bits}> %d.all, ptr %d.base, align {step}",
            "  ret void",
        ]
    else:
        lines.append("  br label %check")
    return "\n".join(lines)


def _generic(op: str, bits: int, count: int, width: int) -> str:
    """Lanes go by address window: shared, local or (anything else) global; results are blended."""
    size = bits // 8 * count
    align = min(64, bits // 8 * width)
    name = routine_name("generic", op, bits, count)
    parts = {s: routine_name(s, op, bits, count) for s in ("global", "shared", "local")}
    signature = "ptr %env, ptr %warp, ptr %frame, i32 %site"
    lines = [f"declare void @wd_{p}(ptr, ptr, ptr, i32, i32, <W x i64>, ptr)" for p in parts.values()]
    lines += [
        f"define void @wd_{name}({signature}, i32 %active, <W x i64> %addresses, ptr %data) noinline {{",
        "entry:",
        f"  %from.shared = sub <W x i64> %addresses, splat (i64 {SHARED_WINDOW})",
        "  %is.shared = icmp ult <W x i64> %from.shared, splat (i64 4294967296)",
        "  %shared.bits = call i32 @wd_bits(<W x i1> %is.shared)",
        "  %shared = and i32 %shared.bits, %active",
        f"  %from.local = sub <W x i64> %addresses, splat (i64 {LOCAL_WINDOW})",
        "  %is.local = icmp ult <W x i64> %from.local, splat (i64 4294967296)",
        "  %local.bits = call i32 @wd_bits(<W x i1> %is.local)",
        "  %local = and i32 %local.bits, %active",
        "  %windows = or i32 %shared, %local",
        "  %rest = xor i32 %windows, -1",
        "  %global = and i32 %active, %rest",
    ]
    for space, offsets in (("global", "%addresses"), ("shared", "%from.shared"), ("local", "%from.local")):
        call = f"call void @wd_{parts[space]}({signature}, i32 %{space}, <W x i64> {offsets}, ptr"
        lines += [
            f"  %{space}.none = icmp eq i32 %{space}, 0",
            f"  br i1 %{space}.none, label %{space}.after, label %{space}.do",
            f"{space}.do:",
        ]
        if op == "store":
            lines.append(f"  {call} %data)")
        else:
            lines.append(f"  %{space}.out = alloca i8, i64 {size * 32}, align 64")
            lines.append(f"  {call} %{space}.out)")
            lines.append(f"  %{space}.lanes = call <W x i1> @wd_lanes(i32 %{space})")
            for k in range(count):
                at = k * bits // 8 * width
                lines += [
                    f"  %{space}.p{k} = getelementptr i8, ptr %{space}.out, i64 {at}",
                    f"  %{space}.v{k} = load <W x i{bits}>, ptr %{space}.p{k}, align {align}",
                    f"  %{space}.q{k} = getelementptr i8, ptr %data, i64 {at}",
                    f"  %{space}.w{k} = load <W x i{bits}>, ptr %{space}.q{k}, align {align}",
                    f"  %{space}.b{k} = select <W x i1> %{space}.lanes, <W x i{bits}> %{space}.v{k}, <W x i{bits}> %{space}.w{k}",
                    f"  store <W x i{bits}> %{space}.b{k}, ptr %{space}.q{k}, align {align}",
                ]
        lines += [f"  br label %{space}.after", f"{space}.after:"]
    lines += ["  ret void", "}"]
    return "\n".join(lines)
