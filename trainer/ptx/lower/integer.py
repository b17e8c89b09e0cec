"""Integer arithmetic: add, sub, mul, mad, div, rem, min, max, abs, neg, sad, dot products."""

from __future__ import annotations

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.floating import float_handler
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import DOUBLE, I64, integer
from trainer.ptx.module import Instruction
from trainer.ptx.types import TYPES, ScalarType


def _kind(ctx: Context, instruction: Instruction) -> ScalarType:
    return ctx.type_of(instruction.modifiers[-1])


@lowers("add", "sub")
def _add(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    if instruction.modifiers[0] == "cc":
        from trainer.ptx.lower.carry import add_with_carry

        add_with_carry(ctx, instruction)
        return
    flags = ctx.modifiers("sat")
    target, a, b = instruction.operands
    left, right = ctx.read(a, kind), ctx.read(b, kind)
    if "sat" in flags:
        if kind.name != "s32":
            ctx.unsupported()
        name = "llvm.sadd.sat" if instruction.op == "add" else "llvm.ssub.sat"
        suffix = f"v{ctx.width}i32"
        ctx.write(target, ctx.intrinsic(f"{name}.{suffix}", left.type, [left, right]))
        return
    if kind.name in ("u16x2", "s16x2"):
        ctx.write(target, _packed_sum(ctx, left, right, instruction.op))
        return
    emit = ctx.builder.add if instruction.op == "add" else ctx.builder.sub
    ctx.write(target, emit(left, right))


def _packed_sum(ctx: Context, left: Value, right: Value, op: str) -> Value:
    """Two 16-bit sums in one register."""
    builder = ctx.builder
    emit = builder.add if op == "add" else builder.sub
    low_mask, high_mask = ctx.constant(32, 0xFFFF), ctx.constant(32, 0xFFFF0000)
    low = builder.and_(emit(left, right), low_mask)
    high = emit(builder.and_(left, high_mask), builder.and_(right, high_mask))
    return builder.or_(low, builder.and_(high, high_mask))


def product(ctx: Context, a: Value, b: Value, kind: ScalarType, part: str) -> Value:
    """`part` "lo" or "hi" (same width) or "wide" (twice the width) of a product."""
    builder = ctx.builder
    if part == "lo":
        return builder.mul(a, b)
    double = integer(2 * kind.bits)
    left = ctx.convert(a, double, signed=kind.is_signed)
    right = ctx.convert(b, double, signed=kind.is_signed)
    whole = builder.mul(left, right)
    if part == "wide":
        return whole
    return builder.trunc(builder.lshr(whole, ctx.constant(double, kind.bits)), ctx.vector(integer(kind.bits)))


def _part(ctx: Context, flags: set[str]) -> str:
    for part in ("lo", "hi", "wide"):
        if part in flags:
            return part
    ctx.unsupported()


@lowers("mul")
def _mul(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    flags = ctx.modifiers("lo", "hi", "wide")
    target, a, b = instruction.operands
    value = product(ctx, ctx.read(a, kind), ctx.read(b, kind), kind, _part(ctx, flags))
    ctx.write(target, value, signed=kind.is_signed)


@lowers("mad")
def _mad(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    if "cc" in instruction.modifiers:
        from trainer.ptx.lower.carry import multiply_with_carry

        multiply_with_carry(ctx, instruction)
        return
    flags = ctx.modifiers("lo", "hi", "wide", "sat")
    target, a, b, c = instruction.operands
    part = _part(ctx, flags)
    value = product(ctx, ctx.read(a, kind), ctx.read(b, kind), kind, part)
    addend_kind = TYPES[f"{kind.name[0]}{2 * kind.bits}"] if part == "wide" else kind
    addend = ctx.read(c, addend_kind)
    if "sat" in flags:
        ctx.write(target, ctx.intrinsic(f"llvm.sadd.sat.v{ctx.width}i32", value.type, [value, addend]))
        return
    ctx.write(target, ctx.builder.add(value, addend), signed=kind.is_signed)


@lowers("mul24", "mad24")
def _mul24(ctx: Context, instruction: Instruction) -> None:
    """Products of 24-bit operands; lo: bits 0..31, hi: bits 16..47."""
    kind = _kind(ctx, instruction)
    flags = ctx.modifiers("lo", "hi", "sat")
    builder = ctx.builder
    if "sat" in flags:
        ctx.unsupported()
    wide = []
    for operand in instruction.operands[1:3]:
        value = builder.shl(ctx.read(operand, kind), ctx.constant(32, 8))
        shift = builder.ashr if kind.is_signed else builder.lshr
        wide.append(ctx.convert(shift(value, ctx.constant(32, 8)), I64, signed=kind.is_signed))
    whole = builder.mul(*wide)
    if "hi" in flags:
        whole = builder.lshr(whole, ctx.constant(64, 16))
    value = builder.trunc(whole, ctx.vector(integer(32)))
    if instruction.op == "mad24":
        value = builder.add(value, ctx.read(instruction.operands[3], kind))
    ctx.write(instruction.operands[0], value)


@lowers("div", "rem")
def _div(ctx: Context, instruction: Instruction) -> None:
    """x / 0 is all ones, x % 0 is x, as on NVIDIA hardware; INT_MIN / -1 wraps."""
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    ctx.modifiers()
    builder = ctx.builder
    target, a, b = instruction.operands
    left, right = ctx.read(a, kind), ctx.read(b, kind)
    zero = builder.icmp_unsigned("==", right, ctx.constant(kind.bits, 0))
    safe = builder.select(zero, ctx.constant(kind.bits, 1), right)
    if kind.bits <= 32:
        quotient = _divide_small(ctx, left, safe, kind)
    else:
        quotient = _divide_wide(ctx, left, safe, kind)
    if instruction.op == "div":
        ctx.write(target, builder.select(zero, ctx.constant(kind.bits, -1), quotient), signed=kind.is_signed)
        return
    rest = builder.sub(left, builder.mul(quotient, safe))
    ctx.write(target, builder.select(zero, left, rest), signed=kind.is_signed)


def _divide_small(ctx: Context, left: Value, right: Value, kind: ScalarType) -> Value:
    """Up to 32 bits: the double quotient, truncated, is exact, and vector units can do it."""
    builder, wide, double = ctx.builder, ctx.vector(I64), ctx.vector(DOUBLE)
    signed = kind.is_signed
    extend = builder.sext if signed else builder.zext
    a = builder.sitofp(extend(left, wide), double)
    b = builder.sitofp(extend(right, wide), double)
    whole = builder.fptosi(builder.fdiv(a, b), wide)
    return builder.trunc(whole, ctx.vector(integer(kind.bits)))


_DIVIDE_WIDE = """
define void @wd_divide_KIND(ptr %data) noinline {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a.p = getelementptr i64, ptr %data, i64 %k
  %b.k = add i64 %k, WIDTH
  %b.p = getelementptr i64, ptr %data, i64 %b.k
  %a = load i64, ptr %a.p
  %b = load i64, ptr %b.p
  %minus = icmp eq i64 %b, MINUS
  %safe = select i1 %minus, i64 1, i64 %b
  %q = OPERATION i64 %a, %safe
  %negative = sub i64 0, %a
  %r = select i1 %minus, i64 %negative, i64 %q
  store i64 %r, ptr %a.p
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, WIDTH
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


def _divide_wide(ctx: Context, left: Value, right: Value, kind: ScalarType) -> Value:
    """64 bits: lane by lane in a routine. INT_MIN / -1 is done as a negation, which wraps."""
    operation, minus = ("sdiv", "-1") if kind.is_signed else ("udiv", "0")
    text = _DIVIDE_WIDE.replace("KIND", kind.name).replace("OPERATION", operation).replace("MINUS", minus)
    data = ctx.scratch(I64, 2)
    ctx.builder.store(left, data, align=8)
    second = ctx.builder.gep(data, [I64(8 * ctx.width)], source_etype=integer(8))
    ctx.builder.store(right, second, align=8)
    from llvmlite import ir

    ctx.call_helper(f"divide_{kind.name}", text, ir.VoidType(), [data])
    return ctx.builder.load(data, typ=ctx.vector(I64), align=8)


@lowers("min", "max")
def _min(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    flags = ctx.modifiers("relu")
    target, a, b = instruction.operands
    left, right = ctx.read(a, kind), ctx.read(b, kind)
    if kind.name in ("u16x2", "s16x2"):
        value = _packed_extreme(ctx, left, right, instruction.op, kind.name[0])
    else:
        name = f"llvm.{'s' if kind.is_signed else 'u'}{instruction.op}.v{ctx.width}i{kind.bits}"
        value = ctx.intrinsic(name, left.type, [left, right])
    if "relu" in flags:
        if kind.name != "s32":
            ctx.unsupported()
        value = ctx.intrinsic(f"llvm.smax.v{ctx.width}i32", value.type, [value, ctx.constant(32, 0)])
    ctx.write(target, value, signed=kind.is_signed)


def _packed_extreme(ctx: Context, left: Value, right: Value, op: str, sign: str) -> Value:
    builder, half = ctx.builder, ctx.vector(integer(16))
    halves = []
    for shift in (0, 16):
        a, b = (builder.trunc(builder.lshr(v, ctx.constant(32, shift)), half) for v in (left, right))
        halves.append(ctx.intrinsic(f"llvm.{sign}{op}.v{ctx.width}i16", half, [a, b]))
    low, high = (ctx.convert(h, integer(32)) for h in halves)
    return builder.or_(low, builder.shl(high, ctx.constant(32, 16)))


@lowers("neg", "abs")
def _neg(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    if kind.is_float:
        float_handler(ctx, instruction)
        return
    ctx.modifiers()
    target, source = instruction.operands
    value = ctx.read(source, kind)
    negative = ctx.builder.sub(ctx.constant(kind.bits, 0), value)
    if instruction.op == "abs":
        below = ctx.builder.icmp_signed("<", value, ctx.constant(kind.bits, 0))
        negative = ctx.builder.select(below, negative, value)
    ctx.write(target, negative, signed=True)


@lowers("sad")
def _sad(ctx: Context, instruction: Instruction) -> None:
    kind = _kind(ctx, instruction)
    ctx.modifiers()
    builder = ctx.builder
    target, a, b, c = instruction.operands
    left, right = ctx.read(a, kind), ctx.read(b, kind)
    compare = builder.icmp_signed if kind.is_signed else builder.icmp_unsigned
    less = compare("<", left, right)
    apart = builder.select(less, builder.sub(right, left), builder.sub(left, right))
    ctx.write(target, builder.add(apart, ctx.read(c, kind)))


@lowers("dp4a", "dp2a")
def _dot(ctx: Context, instruction: Instruction) -> None:
    """Sum of products of bytes (dp2a: of two 16-bit values with the low or high two bytes of b) plus c."""
    builder = ctx.builder
    flags = [m for m in instruction.modifiers if m in ("lo", "hi")]
    kinds = [ctx.type_of(m) for m in instruction.modifiers if m not in ("lo", "hi")]
    if len(kinds) != 2:
        ctx.unsupported()
    target, a, b, c = instruction.operands
    left, right = ctx.read(a, "b32"), ctx.read(b, "b32")
    total = ctx.read(c, "b32")
    first_bits = 8 if instruction.op == "dp4a" else 16
    start = 16 if flags == ["hi"] else 0
    for k in range(32 // first_bits):
        x = _field(ctx, left, k * first_bits, first_bits, kinds[0].is_signed)
        y = _field(ctx, right, start + k * 8, 8, kinds[1].is_signed)
        total = builder.add(total, builder.mul(x, y))
    ctx.write(target, total)


def _field(ctx: Context, value: Value, start: int, bits: int, signed: bool) -> Value:
    """Bits [start, start + bits) extended to 32."""
    left = ctx.builder.shl(value, ctx.constant(32, 32 - bits - start))
    shift = ctx.builder.ashr if signed else ctx.builder.lshr
    return shift(left, ctx.constant(32, 32 - bits))
