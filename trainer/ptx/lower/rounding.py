"""Directed rounding (rz, rm, rp) of f32 and f64 results, and narrowing of doubles.

f32: products, quotients and roots of floats never come closer to a float, without being one, than a
double can tell; sums are rounded to odd in double first (Boldo & Melquiond 2008). Then the double is
narrowed to nearest and corrected by one step. f64: the exact error of the nearest result (two-sum, fma)
says which way to step.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.values import DOUBLE, FLOAT, integer

_EXPONENT = {32: 0x7F800000, 64: 0x7FF0000000000000}


def directed(ctx: Context, op: str, operands: Sequence[Value], mode: str) -> Value:
    """`op` ("add", "mul", "fma", "div", "sqrt") rounded by `mode` ("rz", "rm", "rp")."""
    element = operands[0].type.element
    name = f"round_{op}_{mode}_{'f32' if element == FLOAT else 'f64'}"
    emit = _single if element == FLOAT else _double
    return ctx.subroutine(name, operands[0].type, operands, lambda *values: emit(ctx, op, values, mode))


def _single(ctx: Context, op: str, operands: Sequence[Value], mode: str) -> Value:
    builder = ctx.builder
    wide = [builder.fpext(v, ctx.vector(DOUBLE)) for v in operands]
    if op in ("add", "fma"):
        left = wide[0] if op == "add" else builder.fmul(wide[0], wide[1])
        total, error = two_sum(ctx, left, wide[-1])
        exact = _to_odd(ctx, total, error)
        return _zero_sign(ctx, narrow(ctx, exact, mode), left, wide[-1], mode)
    if op == "mul":
        exact = builder.fmul(*wide)
    elif op == "div":
        exact = builder.fdiv(*wide)
    else:
        exact = ctx.unary_intrinsic("llvm.sqrt", wide[0])
    return narrow(ctx, exact, mode)


def _double(ctx: Context, op: str, operands: Sequence[Value], mode: str) -> Value:
    """Nearest result, stepped by the sign of its exact error."""
    builder = ctx.builder
    nearest: Value
    if op == "add":
        nearest, error = two_sum(ctx, operands[0], operands[1])
        stepped = _step_by_error(ctx, nearest, error, operands, mode)
        return _zero_sign(ctx, stepped, operands[0], operands[1], mode)
    if op == "mul":
        nearest = builder.fmul(*operands)
        error = _fma(ctx, operands[0], operands[1], builder.fneg(nearest))
    elif op == "fma":
        nearest = _fma(ctx, *operands)
        error = _fma_error(ctx, operands, nearest)
        stepped = _step_by_error(ctx, nearest, error, operands, mode)
        return _zero_sign(ctx, stepped, builder.fmul(operands[0], operands[1]), operands[2], mode)
    elif op == "div":
        nearest = builder.fdiv(*operands)
        rest = _fma(ctx, builder.fneg(nearest), operands[1], operands[0])
        negative = builder.fcmp_ordered("<", operands[1], ctx.float_constant(0.0, DOUBLE))
        error = builder.select(negative, builder.fneg(rest), rest)
    else:
        nearest = ctx.unary_intrinsic("llvm.sqrt", operands[0])
        error = _fma(ctx, builder.fneg(nearest), nearest, operands[0])
    return _step_by_error(ctx, nearest, error, operands, mode)


def _fma(ctx: Context, a: Value, b: Value, c: Value) -> Value:
    return ctx.intrinsic(f"llvm.fma.v{ctx.width}f64", a.type, [a, b, c])


def _fma_error(ctx: Context, operands: Sequence[Value], nearest: Value) -> Value:
    """Sign-exact error of a nearest fma (Boldo & Muller 2011, ErrFma)."""
    builder = ctx.builder
    a, b, c = operands
    high = builder.fmul(a, b)
    low = _fma(ctx, a, b, builder.fneg(high))
    first, alpha = two_sum(ctx, c, low)
    second, beta = two_sum(ctx, high, first)
    gamma = builder.fadd(builder.fsub(second, nearest), beta)
    return builder.fadd(gamma, alpha)


def two_sum(ctx: Context, a: Value, b: Value) -> tuple[Value, Value]:
    """a + b rounded, and its exact error (Knuth)."""
    builder = ctx.builder
    total = builder.fadd(a, b)
    part = builder.fsub(total, a)
    error = builder.fadd(builder.fsub(a, builder.fsub(total, part)), builder.fsub(b, part))
    return total, error


def _bits(ctx: Context, value: Value) -> Value:
    width = 32 if value.type.element == FLOAT else 64
    return ctx.builder.bitcast(value, ctx.vector(integer(width)))


def _finite(ctx: Context, value: Value) -> Value:
    size = 32 if value.type.element == FLOAT else 64
    exponent = ctx.builder.and_(_bits(ctx, value), ctx.constant(size, _EXPONENT[size]))
    return ctx.builder.icmp_unsigned("!=", exponent, ctx.constant(size, _EXPONENT[size]))


def _to_odd(ctx: Context, total: Value, error: Value) -> Value:
    """The neighbour of the exact sum whose last bit is odd, unless the sum is exact."""
    builder = ctx.builder
    zero = ctx.float_constant(0.0, DOUBLE)
    raw = _bits(ctx, total)
    even = builder.icmp_unsigned("==", builder.and_(raw, ctx.constant(64, 1)), ctx.constant(64, 0))
    off = builder.fcmp_ordered("!=", error, zero)
    outward = builder.icmp_unsigned(
        "==", builder.fcmp_ordered(">", error, zero), builder.fcmp_ordered(">", total, zero)
    )
    step = builder.select(outward, ctx.constant(64, 1), ctx.constant(64, -1))
    move = builder.and_(builder.and_(off, even), _finite(ctx, total))
    moved = builder.add(raw, builder.select(move, step, ctx.constant(64, 0)))
    return builder.bitcast(moved, total.type)


def _step(ctx: Context, value: Value, wrong: Value, upward: Value) -> Value:
    """One float up or down (i1 vectors) where `wrong`; from an infinity that is the largest finite number."""
    builder = ctx.builder
    size = 32 if value.type.element == FLOAT else 64
    raw = _bits(ctx, value)
    negative = builder.icmp_signed("<", raw, ctx.constant(size, 0))
    grows = builder.icmp_unsigned("!=", upward, negative)
    step = builder.select(grows, ctx.constant(size, 1), ctx.constant(size, -1))
    moved = builder.add(raw, builder.select(wrong, step, ctx.constant(size, 0)))
    return builder.bitcast(moved, value.type)


def narrow(ctx: Context, exact: Value, mode: str) -> Value:
    """Double to float, rounded by `mode` ("rn" too)."""
    builder = ctx.builder
    nearest = builder.fptrunc(exact, ctx.vector(FLOAT))
    if mode == "rn":
        return nearest
    back = builder.fpext(nearest, ctx.vector(DOUBLE))
    above, below = builder.fcmp_ordered(">", back, exact), builder.fcmp_ordered("<", back, exact)
    return _correct(ctx, nearest, above, below, mode)


def _correct(ctx: Context, nearest: Value, above: Value, below: Value, mode: str) -> Value:
    """`above`: the nearest value is larger than the exact one; `below`: smaller."""
    builder = ctx.builder
    yes, no = ctx.constant(1, 1), ctx.constant(1, 0)
    if mode == "rm":
        return _step(ctx, nearest, above, no)
    if mode == "rp":
        return _step(ctx, nearest, below, yes)
    negative = builder.icmp_signed("<", _bits(ctx, nearest), ctx.constant(_size(nearest), 0))
    wrong = builder.select(negative, below, above)
    return _step(ctx, nearest, wrong, negative)


def _size(value: Value) -> int:
    return 32 if value.type.element == FLOAT else 64


def _step_by_error(ctx: Context, nearest: Value, error: Value, operands: Sequence[Value], mode: str) -> Value:
    """Correct a nearest double by the sign of (exact - nearest); overflow of finite operands included."""
    builder = ctx.builder
    zero = ctx.float_constant(0.0, DOUBLE)
    above, below = builder.fcmp_ordered("<", error, zero), builder.fcmp_ordered(">", error, zero)
    finite = _finite(ctx, operands[0])
    for operand in operands[1:]:
        finite = builder.and_(finite, _finite(ctx, operand))
    over = builder.and_(finite, builder.not_(_finite(ctx, nearest)))
    negative = builder.icmp_signed("<", _bits(ctx, nearest), ctx.constant(64, 0))
    calm = _finite(ctx, nearest)
    above = builder.or_(builder.and_(above, calm), builder.and_(over, builder.not_(negative)))
    below = builder.or_(builder.and_(below, calm), builder.and_(over, negative))
    return _correct(ctx, nearest, above, below, mode)


def _zero_sign(ctx: Context, result: Value, a: Value, b: Value, mode: str) -> Value:
    """Rounding down, a sum that cancels exactly is -0 (unless both terms are +0)."""
    if mode != "rm":
        return result
    builder = ctx.builder
    total = builder.fadd(a, b)
    zero = builder.fcmp_ordered("==", total, ctx.float_constant(0.0, total.type.element))
    either = builder.icmp_signed("<", builder.or_(_bits(ctx, a), _bits(ctx, b)), ctx.constant(64, 0))
    minus = ctx.float_constant(-0.0, result.type.element)
    return builder.select(builder.and_(zero, either), minus, result)
