"""Single and double precision arithmetic, to the last bit: add, sub, mul, fma, div, sqrt, min, max, ...

`.ftz` replaces subnormal inputs and results by zero of the same sign. A value that came out of a
flushing instruction of the same block is not flushed again.
"""

from __future__ import annotations

from llvmlite import ir

from trainer.ptx.lower import rounding
from trainer.ptx.lower.context import Context, Value, type_suffix
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import FLOAT, SplatFloat, integer
from trainer.ptx.module import Immediate, Instruction, Operand
from trainer.ptx.types import ScalarType

ROUNDINGS = frozenset(("rn", "rz", "rm", "rp"))
CANONICAL_NAN = {32: 0x7FFFFFFF, 64: 0x7FFFFFFFFFFFFFFF}


def flush(ctx: Context, value: Value) -> Value:
    """Subnormal floats to zero of the same sign (f32 vectors)."""
    known = ctx.flushed.get(id(value))
    if known is not None:
        return known[1]
    if ctx.kernel.large:  # LLVM takes several times as long over the instructions as over a call
        result = ctx.subroutine("flush", value.type, [value], lambda v: _flushed(ctx, v))
    else:
        result = _flushed(ctx, value)
    ctx.flushed[id(value)] = (value, result)
    _need_no_flush(ctx, result)
    return result


def _need_no_flush(ctx: Context, value: Value) -> None:
    """Notes that reading it with flush gives it as it is."""
    ctx.flushed[id(value)] = (value, value)


def _needs_no_flush(ctx: Context, value: Value) -> bool:
    return id(value) in ctx.flushed and ctx.flushed[id(value)][1] is value


def _flushed(ctx: Context, value: Value) -> Value:
    builder = ctx.builder
    size = ctx.unary_intrinsic("llvm.fabs", value)
    tiny = builder.fcmp_ordered("<", size, SplatFloat(ctx.width, FLOAT, 2.0**-126))
    zero = SplatFloat(ctx.width, FLOAT, 0.0)
    signed_zero = ctx.intrinsic(f"llvm.copysign.v{ctx.width}f32", value.type, [zero, value])
    return builder.select(tiny, signed_zero, value)


def read_float(ctx: Context, operand: Operand, kind: ScalarType, ftz: bool) -> Value:
    """A float operand, flushed if need be (literals are looked at here, not at run time)."""
    value = ctx.read(operand, kind)
    if not ftz or kind.bits != 32:
        return value
    if isinstance(operand, Immediate) and operand.form == "f32" and operand.value & 0x7F800000:
        return value
    return flush(ctx, value)


def saturate(ctx: Context, value: Value) -> Value:
    """Clamp to [0, 1]; NaN becomes +0."""
    builder, element = ctx.builder, value.type.element
    zero, one = ctx.float_constant(0.0, element), ctx.float_constant(1.0, element)
    positive = builder.select(builder.fcmp_ordered(">", value, zero), value, zero)
    return builder.select(builder.fcmp_ordered("<", positive, one), positive, one)


def finish(ctx: Context, instruction: Instruction, value: Value, *, ftz: bool, sat: bool = False) -> None:
    """Flush, saturate and assign a result."""
    if ftz and value.type.element == FLOAT:
        value = flush(ctx, value)
    if sat:
        value = _saturated(ctx, value)
    ctx.write(instruction.operands[0], value)


def _saturated(ctx: Context, value: Value) -> Value:
    result = saturate(ctx, value)
    if _needs_no_flush(ctx, value):  # a bound or the value itself: subnormal only if that was
        _need_no_flush(ctx, result)
    return result


def float_handler(ctx: Context, instruction: Instruction) -> None:
    """Float forms of operations that integers have too."""
    _FLOAT_FORMS[instruction.op](ctx, instruction)


def _setup(ctx: Context, instruction: Instruction, *known: str) -> tuple[ScalarType, bool, bool, str]:
    """(type, ftz, sat, rounding) of a rounding instruction."""
    kind = ctx.type_of(instruction.modifiers[-1])
    if kind.name not in ("f32", "f64"):
        ctx.unsupported()
    flags = ctx.modifiers("ftz", "sat", *ROUNDINGS, *known)
    mode = next(iter(flags & ROUNDINGS), "rn")
    return kind, "ftz" in flags and kind.bits == 32, "sat" in flags, mode


def _arithmetic(ctx: Context, instruction: Instruction) -> None:
    """add, sub, mul."""
    kind, ftz, sat, mode = _setup(ctx, instruction)
    a, b = (read_float(ctx, o, kind, ftz) for o in instruction.operands[1:3])
    builder, op = ctx.builder, instruction.op
    if mode == "rn":
        emit = {"add": builder.fadd, "sub": builder.fsub, "mul": builder.fmul}[op]
        value = emit(a, b)
    else:
        if op == "sub":
            b = builder.fneg(b)
        value = rounding.directed(ctx, "add" if op == "sub" else op, (a, b), mode)
    finish(ctx, instruction, value, ftz=ftz, sat=sat)


@lowers("fma")
def _fma(ctx: Context, instruction: Instruction) -> None:
    kind, ftz, sat, mode = _setup(ctx, instruction)
    a, b, c = (read_float(ctx, o, kind, ftz) for o in instruction.operands[1:4])
    if mode != "rn":
        value = rounding.directed(ctx, "fma", (a, b, c), mode)
    elif ftz and ctx.kernel.large:
        value = ctx.subroutine("fma_ftz", a.type, [a, b, c], lambda *v: _flushed(ctx, _nearest_fma(ctx, *v)))
        _need_no_flush(ctx, value)
    else:
        value = _nearest_fma(ctx, a, b, c)
    finish(ctx, instruction, value, ftz=ftz, sat=sat)


def _nearest_fma(ctx: Context, a: Value, b: Value, c: Value) -> Value:
    return ctx.intrinsic(f"llvm.fma.{type_suffix(a.type)}", a.type, [a, b, c])


def _division(ctx: Context, instruction: Instruction) -> None:
    if {"approx", "full"} & set(instruction.modifiers):
        from trainer.ptx.lower.approx import divide

        divide(ctx, instruction)
        return
    kind, ftz, _, mode = _setup(ctx, instruction)
    a, b = (read_float(ctx, o, kind, ftz) for o in instruction.operands[1:3])
    value = ctx.builder.fdiv(a, b) if mode == "rn" else rounding.directed(ctx, "div", (a, b), mode)
    finish(ctx, instruction, value, ftz=ftz)


@lowers("rcp", "sqrt")
def _root(ctx: Context, instruction: Instruction) -> None:
    if "approx" in instruction.modifiers:
        from trainer.ptx.lower.approx import approximate

        approximate(ctx, instruction)
        return
    kind, ftz, _, mode = _setup(ctx, instruction)
    value = read_float(ctx, instruction.operands[1], kind, ftz)
    one = ctx.float_constant(1.0, value.type.element)
    if instruction.op == "rcp":
        result = (
            ctx.builder.fdiv(one, value)
            if mode == "rn"
            else rounding.directed(ctx, "div", (one, value), mode)
        )
    elif mode == "rn":
        result = ctx.unary_intrinsic("llvm.sqrt", value)
    else:
        result = rounding.directed(ctx, "sqrt", (value,), mode)
    finish(ctx, instruction, result, ftz=ftz)


def is_nan(ctx: Context, value: Value) -> Value:
    return ctx.builder.fcmp_unordered("uno", value, value)


def nan_constant(ctx: Context, bits: int) -> Value:
    """The canonical NaN in every lane."""
    element = FLOAT if bits == 32 else ir.DoubleType()
    return ctx.builder.bitcast(ctx.constant(bits, CANONICAL_NAN[bits]), ctx.vector(element))


def _extreme(ctx: Context, instruction: Instruction) -> None:
    """min, max: a NaN operand loses (with .NaN: wins); -0 is less than +0."""
    kind = ctx.type_of(instruction.modifiers[-1])
    flags = ctx.modifiers("ftz", "NaN", "xorsign", "abs")
    if kind.name not in ("f32", "f64") or "xorsign" in flags:
        ctx.unsupported()
    ftz = "ftz" in flags
    values = [read_float(ctx, o, kind, ftz) for o in instruction.operands[1:]]
    result = values[0]
    for other in values[1:]:
        result = _extreme_of(ctx, instruction.op, result, other, kind.bits, "NaN" in flags)
    finish(ctx, instruction, result, ftz=False)


def _extreme_of(ctx: Context, op: str, a: Value, b: Value, bits: int, nan_wins: bool) -> Value:
    builder, whole = ctx.builder, ctx.vector(integer(bits))
    raw_a, raw_b = builder.bitcast(a, whole), builder.bitcast(b, whole)
    better = builder.fcmp_ordered(">" if op == "max" else "<", a, b)
    chosen = builder.select(better, a, b)
    merged = builder.and_(raw_a, raw_b) if op == "max" else builder.or_(raw_a, raw_b)
    equal = builder.fcmp_ordered("==", a, b)
    chosen = builder.select(equal, builder.bitcast(merged, a.type), chosen)
    nan_a, nan_b = is_nan(ctx, a), is_nan(ctx, b)
    canonical = nan_constant(ctx, bits)
    if nan_wins:
        return builder.select(builder.or_(nan_a, nan_b), canonical, chosen)
    chosen = builder.select(nan_a, b, builder.select(nan_b, a, chosen))
    return builder.select(builder.and_(nan_a, nan_b), canonical, chosen)


def _sign_operation(ctx: Context, instruction: Instruction) -> None:
    """neg, abs."""
    kind = ctx.type_of(instruction.modifiers[-1])
    flags = ctx.modifiers("ftz")
    if kind.name not in ("f32", "f64"):
        ctx.unsupported()
    value = read_float(ctx, instruction.operands[1], kind, "ftz" in flags)
    result = ctx.builder.fneg(value) if instruction.op == "neg" else ctx.unary_intrinsic("llvm.fabs", value)
    if _needs_no_flush(ctx, value):
        _need_no_flush(ctx, result)
    ctx.write(instruction.operands[0], result)


@lowers("copysign")
def _copysign(ctx: Context, instruction: Instruction) -> None:
    """copysign d, a, b: the sign of a on the magnitude of b."""
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    sign, magnitude = (ctx.read(o, kind) for o in instruction.operands[1:3])
    result = ctx.intrinsic(f"llvm.copysign.v{ctx.width}f{kind.bits}", sign.type, [magnitude, sign])
    ctx.write(instruction.operands[0], result)


@lowers("testp")
def _testp(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    flags = ctx.modifiers("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    builder, bits = ctx.builder, kind.bits
    value = ctx.read(instruction.operands[1], kind)
    raw = builder.bitcast(value, ctx.vector(integer(bits)))
    mantissa = 23 if bits == 32 else 52
    ones = ((1 << (bits - 1 - mantissa)) - 1) << mantissa
    exponent = builder.and_(raw, ctx.constant(bits, ones))
    fraction = builder.and_(raw, ctx.constant(bits, (1 << mantissa) - 1))
    top = builder.icmp_unsigned("==", exponent, ctx.constant(bits, ones))
    bottom = builder.icmp_unsigned("==", exponent, ctx.constant(bits, 0))
    empty = builder.icmp_unsigned("==", fraction, ctx.constant(bits, 0))
    tests = {
        "finite": lambda: builder.not_(top),
        "infinite": lambda: builder.and_(top, empty),
        "number": lambda: builder.not_(builder.and_(top, builder.not_(empty))),
        "notanumber": lambda: builder.and_(top, builder.not_(empty)),
        "normal": lambda: builder.not_(builder.or_(top, bottom)),
        "subnormal": lambda: builder.and_(bottom, builder.not_(empty)),
    }
    name = next(iter(flags & set(tests)))
    ctx.write(instruction.operands[0], tests[name]())


_FLOAT_FORMS = {
    "add": _arithmetic,
    "sub": _arithmetic,
    "mul": _arithmetic,
    "mad": _fma,
    "div": _division,
    "min": _extreme,
    "max": _extreme,
    "neg": _sign_operation,
    "abs": _sign_operation,
}
