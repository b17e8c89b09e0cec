"""atom and red: lanes one after another, in lane order.

The lanes' addresses are checked and translated first (`resolve`); then a routine, one per operation and
type, walks the active lanes. Global f32 addition flushes subnormals, shared does not (PTX ISA, atom).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.memory import elements, space_of
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I8, I64, integer
from trainer.ptx.module import Instruction, Operand, Sink
from trainer.ptx.types import ScalarType

_OPERATIONS = ("add", "exch", "cas", "inc", "dec", "min", "max", "and", "or", "xor")
_IGNORED = frozenset("relaxed acquire release acq_rel cta cluster gpu sys noftz volatile v2 v4 v8".split())

_LOOP = """
{declarations}
define void @wd_{name}(i32 %active, ptr %data) noinline {{
entry:
  br label %lane.loop
lane.loop:
  %todo = phi i32 [ %active, %entry ], [ %todo.next, %lane.do ]
  %over = icmp eq i32 %todo, 0
  br i1 %over, label %done, label %lane.do
lane.do:
  %lane = call i32 @llvm.cttz.i32(i32 %todo, i1 true)
  %less = sub i32 %todo, 1
  %todo.next = and i32 %todo, %less
  %k = zext i32 %lane to i64
  %place.p = getelementptr i64, ptr %data, i64 %k
  %place.n = load i64, ptr %place.p
  %place = inttoptr i64 %place.n to ptr
  %a.base = getelementptr i8, ptr %data, i64 {first}
  %a.p = getelementptr i{bits}, ptr %a.base, i64 %k
  %a = load i{bits}, ptr %a.p
  %b.base = getelementptr i8, ptr %data, i64 {second}
  %b.p = getelementptr i{bits}, ptr %b.base, i64 %k
  %b = load i{bits}, ptr %b.p
  %old = load i{bits}, ptr %place
{body}
  store i{bits} %new, ptr %place
  store i{bits} %old, ptr %b.p
  br label %lane.loop
done:
  ret void
}}
"""


def _integer_body(op: str, kind: ScalarType) -> str:
    t = f"i{kind.bits}"
    sign = "s" if kind.is_signed else "u"
    simple = {"add": "add", "and": "and", "or": "or", "xor": "xor"}
    if op in simple:
        return f"  %new = {simple[op]} {t} %old, %a"
    if op == "exch":
        return f"  %new = add {t} %a, 0"
    if op == "cas":
        return f"  %same = icmp eq {t} %old, %a\n  %new = select i1 %same, {t} %b, {t} %old"
    if op in ("min", "max"):
        order = "lt" if op == "min" else "gt"
        return f"  %keep = icmp {sign}{order} {t} %old, %a\n  %new = select i1 %keep, {t} %old, {t} %a"
    if op == "inc":
        return (
            f"  %wraps = icmp uge {t} %old, %a\n  %one = add {t} %old, 1\n"
            f"  %new = select i1 %wraps, {t} 0, {t} %one"
        )
    return (
        f"  %zero = icmp eq {t} %old, 0\n  %above = icmp ugt {t} %old, %a\n  %wraps = or i1 %zero, %above\n"
        f"  %one = sub {t} %old, 1\n  %new = select i1 %wraps, {t} %a, {t} %one"
    )


def _float_body(op: str, kind: ScalarType, ftz: bool) -> str:
    """add of f32 and f64."""
    t, f = f"i{kind.bits}", "float" if kind.bits == 32 else "double"
    lines = []
    names = {"x": "%old", "y": "%a"}
    for name, source in names.items():
        raw = source
        if ftz:
            lines.append(_flush(name, source))
            raw = f"%{name}.flushed"
        lines.append(f"  %{name} = bitcast {t} {raw} to {f}")
    lines.append(f"  %sum = fadd {f} %x, %y\n  %raw = bitcast {f} %sum to {t}")
    if ftz:
        lines.append(_flush("r", "%raw"))
    lines.append(f"  %new = add {t} {'%r.flushed' if ftz else '%raw'}, 0")
    return "\n".join(lines)


def _flush(name: str, source: str) -> str:
    return (
        f"  %{name}.e = and i32 {source}, 2139095040\n  %{name}.tiny = icmp eq i32 %{name}.e, 0\n"
        f"  %{name}.zero = and i32 {source}, -2147483648\n"
        f"  %{name}.flushed = select i1 %{name}.tiny, i32 %{name}.zero, i32 {source}"
    )


def _half_body(op: str, kind: ScalarType) -> str:
    """add, min, max of f16, bf16 and their pairs; one float operation rounded to half is exact rounding."""
    parts = 2 if kind.name.endswith("x2") else 1
    brain = kind.name.startswith("bf")
    lines, pieces = [], []
    for k in range(parts):
        for name, source in (("x", "%old"), ("y", "%a")):
            shifted = f"%{name}{k}.s"
            lines.append(f"  {shifted} = lshr i{kind.bits} {source}, {16 * k}")
            small = shifted
            if kind.bits == 32:
                small = f"%{name}{k}.n"
                lines.append(f"  {small} = trunc i32 {shifted} to i16")
            lines.append(_widen(f"{name}{k}", small, brain))
        if op == "add":
            lines.append(f"  %z{k} = fadd float %x{k}, %y{k}")
        else:
            lines.append(
                f"  %c{k} = fcmp {'olt' if op == 'min' else 'ogt'} float %x{k}, %y{k}\n"
                f"  %z{k} = select i1 %c{k}, float %x{k}, float %y{k}"
            )
        lines.append(_narrow(f"z{k}", brain))
        pieces.append(f"%z{k}.h")
    if parts == 1:
        lines.append(f"  %new = add i16 {pieces[0]}, 0")
    else:
        lines.append(
            f"  %low = zext i16 {pieces[0]} to i32\n  %high.n = zext i16 {pieces[1]} to i32\n"
            "  %high = shl i32 %high.n, 16\n  %new = or i32 %low, %high"
        )
    return "\n".join(lines)


def _widen(name: str, source: str, brain: bool) -> str:
    if not brain:
        return f"  %{name}.half = bitcast i16 {source} to half\n  %{name} = fpext half %{name}.half to float"
    return (
        f"  %{name}.w = zext i16 {source} to i32\n  %{name}.u = shl i32 %{name}.w, 16\n"
        f"  %{name} = bitcast i32 %{name}.u to float"
    )


def _narrow(name: str, brain: bool) -> str:
    if not brain:
        return (
            f"  %{name}.half = fptrunc float %{name} to half\n  %{name}.h = bitcast half %{name}.half to i16"
        )
    return (
        f"  %{name}.r = bitcast float %{name} to i32\n  %{name}.odd0 = lshr i32 %{name}.r, 16\n"
        f"  %{name}.odd = and i32 %{name}.odd0, 1\n  %{name}.bias = add i32 %{name}.odd, 32767\n"
        f"  %{name}.sum = add i32 %{name}.r, %{name}.bias\n  %{name}.nan = fcmp uno float %{name}, %{name}\n"
        f"  %{name}.top = lshr i32 %{name}.sum, 16\n"
        f"  %{name}.pick = select i1 %{name}.nan, i32 32767, i32 %{name}.top\n"
        f"  %{name}.h = trunc i32 %{name}.pick to i16"
    )


def _body(ctx: Context, op: str, kind: ScalarType, ftz: bool) -> str:
    if op in ("exch", "cas") or kind.is_integer:
        return _integer_body(op, kind)
    if kind.name in ("f32", "f64"):
        if op != "add":
            ctx.unsupported()
        return _float_body(op, kind, ftz and kind.bits == 32)
    if kind.name in ("f16", "bf16", "f16x2", "bf16x2") and op in ("add", "min", "max"):
        return _half_body(op, kind)
    ctx.unsupported()


@lowers("atom", "red")
def _atom(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    op = next((m for m in instruction.modifiers if m in _OPERATIONS), None)
    space = space_of(ctx, instruction)
    for modifier in instruction.modifiers[:-1]:
        base = modifier.split("::")[0]
        known = base in ("global", "shared", "L1", "L2") or modifier in _IGNORED or modifier == op
        if not known:
            ctx.unsupported()
    if op is None or kind.bits == 128:
        ctx.unsupported()
    operands = list(instruction.operands)
    target: Operand = operands.pop(0) if instruction.op == "atom" else Sink()
    addresses = ctx.address(operands.pop(0))
    sources = [elements(o) for o in operands[: 2 if op == "cas" else 1]]
    count = len(sources[0])
    values = [[ctx.convert(ctx.read(o, kind), integer(kind.bits)) for o in part] for part in sources]
    places, good = ctx.memory.atomic(
        ctx, space, kind.bits // 8 * count, addresses, [v for p in values for v in p]
    )
    ftz = space != "shared"
    name = f"atom_{op}_{kind.name}{'_ftz' if ftz and kind.name == 'f32' else ''}"
    body = _body(ctx, op, kind, ftz)
    for k, destination in enumerate(elements(target) if not isinstance(target, Sink) else [Sink()] * count):
        at = places if k == 0 else ctx.builder.add(places, ctx.constant(I64, k * kind.bits // 8))
        old = _walk(ctx, name, body, kind.bits, at, good, [p[k] for p in values])
        if not isinstance(destination, Sink):
            ctx.write(destination, old)


def _walk(
    ctx: Context, name: str, body: str, bits: int, places: Value, good: Value, values: Sequence[Value]
) -> Value:
    """Run the lane loop; returns the old values."""
    width = ctx.width
    data = ctx.scratch(I64, 3)
    ctx.builder.store(places, data, align=8)
    spots = []
    for k in range(2):
        spot = ctx.builder.gep(data, [I64(8 * width * (k + 1))], source_etype=I8)
        ctx.builder.store(values[min(k, len(values) - 1)], spot, align=bits // 8)
        spots.append(spot)
    text = _LOOP.format(
        declarations="declare i32 @llvm.cttz.i32(i32, i1)",
        name=name,
        bits=bits,
        body=body,
        first=8 * width,
        second=16 * width,
    )
    ctx.call_helper(name, text, ir.VoidType(), [good, data])
    return ctx.builder.load(spots[1], typ=ctx.vector(integer(bits)), align=bits // 8)
