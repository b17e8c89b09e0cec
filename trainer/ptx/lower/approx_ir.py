"""The `.approx` functions of PTX, within (mostly well within) the errors that its manual promises.

Hardware tables are not public, so the last bits differ from a GPU's; the special values (zeros,
infinities, NaN, subnormals, signs) are those of the manual. Largest error here and documented:

    ex2   1 ulp (2)         lg2   0.51 ulp, relative also near 1 (2^-22 absolute in (½, 2), else 2 ulp)
    rcp   ½ ulp (1)         rsqrt 1 ulp (2^-22.9 relative)         sqrt ½ ulp (2^-23 relative)
    div   ½ ulp (2)         sin, cos 2^-24 absolute in [−π, π] (2^-20.5)   tanh 3 ulp (2^-11 relative)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from trainer.ptx.lower import vec
from trainer.ptx.lower.vec import F32, F64, I32, I64, Builder, Value, like, splat

Modifiers = Collection[str]

NAN_F32 = 0x7FFFFFFF
NAN_F64 = 0x7FFFFFFFFFFFFFFF

# (2^f − 1)/f on [−½, ½]: least squares reweighted towards minimax, relative error 1.1e-8.
_EX2 = (
    0.6931471879266894,
    0.24022649794960377,
    0.055503574336378855,
    0.009618237494714596,
    0.0013390735476973583,
    0.00015403512444904326,
)
# sin(2πr)/r in r² on [0, ¼]: likewise, relative error 2.2e-11.
_SIN = (
    6.28318530704669,
    -41.341702096925786,
    81.60522369010198,
    -76.70417025098274,
    42.00779711386454,
    -14.381390603124196,
)
# atanh(s)·2/ln 2 /s in s²; |s| ≤ 0.172, the first term left out is under 5e-11.
_ATANH = tuple(2 / math.log(2) / (2 * k + 1) for k in range(6))
# tanh(x)/x in x², the Taylor series; |x| ≤ ¼, the first term left out is under 1e-8.
_TANH = (1.0, -1 / 3, 2 / 15, -17 / 315, 62 / 2835)


def polynomial(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    """Horner with fma, lowest coefficient first."""
    total = splat(x.type, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = vec.fma(b, total, x, splat(x.type, c))
    return total


def flush32(b: Builder, x: Value) -> Value:
    """f32 subnormals to a zero of the same sign."""
    bits = vec.as_int(b, x)
    tiny = b.icmp_signed("==", b.and_(bits, splat(bits.type, 0x7F800000)), splat(bits.type, 0))
    return b.bitcast(b.select(tiny, b.and_(bits, splat(bits.type, 0x80000000)), bits), x.type)


def canonical(b: Builder, x: Value) -> Value:
    """Every NaN to the one that the hardware makes."""
    bits = vec.as_int(b, x)
    nan = splat(bits.type, NAN_F32 if x.type.element == F32 else NAN_F64)
    return b.bitcast(b.select(vec.is_nan(b, x), nan, bits), x.type)


def ex2(b: Builder, x: Value) -> Value:
    """2^x of f32: whole part into the exponent in two steps, so that subnormal results round once."""
    low, high = splat(x.type, -151.0), splat(x.type, 129.0)
    clamped = b.select(b.fcmp_ordered(">", x, low), x, low)
    clamped = b.select(b.fcmp_ordered("<", clamped, high), clamped, high)
    whole = b.intrinsic("rint", x.type, [clamped])
    part = b.fsub(clamped, whole)
    power = vec.fma(b, part, polynomial(b, part, _EX2), splat(x.type, 1.0))
    exponent = b.fptosi(whole, like(x, I32))
    half = b.ashr(exponent, splat(exponent.type, 1))
    for step in (half, b.sub(exponent, half)):
        biased = b.add(step, splat(step.type, 127))
        power = b.fmul(power, b.bitcast(b.shl(biased, splat(step.type, 23)), x.type))
    return canonical(b, b.select(vec.is_nan(b, x), x, power))


def lg2(b: Builder, x: Value) -> Value:
    """log2 of f32, through f64 (where f32 subnormals are normal)."""
    wide = like(x, F64)
    bits = vec.as_int(b, b.fpext(x, wide))
    kind = bits.type
    # Exponent so that the significand lies in [√½, √2): shift by the bits of √½.
    root_half = 0x3FE6A09E00000000
    shifted = b.sub(bits, splat(kind, root_half))
    exponent = b.trunc(b.ashr(shifted, splat(kind, 52)), like(x, I32))
    fraction = b.add(b.and_(shifted, splat(kind, (1 << 52) - 1)), splat(kind, root_half))
    m = b.bitcast(fraction, wide)
    one = splat(wide, 1.0)
    s = b.fdiv(b.fsub(m, one), b.fadd(m, one))
    series = polynomial(b, b.fmul(s, s), _ATANH)
    result = b.fptrunc(vec.fma(b, s, series, b.sitofp(exponent, wide)), x.type)
    zero, infinity = splat(x.type, 0.0), splat(x.type, math.inf)
    result = b.select(b.fcmp_ordered("==", x, infinity), infinity, result)
    result = b.select(b.fcmp_ordered("==", x, zero), splat(x.type, -math.inf), result)
    bad = b.fcmp_unordered("<", x, zero)
    return b.select(bad, b.bitcast(splat(like(x, I32), NAN_F32), x.type), result)


def rcp(b: Builder, x: Value) -> Value:
    return canonical(b, b.fdiv(splat(x.type, 1.0), x))


def sqrt(b: Builder, x: Value) -> Value:
    return canonical(b, b.intrinsic("sqrt", x.type, [x]))


def rsqrt(b: Builder, x: Value) -> Value:
    return canonical(b, b.fdiv(splat(x.type, 1.0), b.intrinsic("sqrt", x.type, [x])))


def coarse(b: Builder, x: Value) -> Value:
    """`.approx.ftz.f64` keeps the upper 32 bits and flushes subnormals."""
    bits = b.and_(vec.as_int(b, x), splat(like(x, I64), ~0xFFFFFFFF))
    tiny = b.icmp_signed("==", b.and_(bits, splat(bits.type, 0x7FF << 52)), splat(bits.type, 0))
    return b.bitcast(b.select(tiny, b.and_(bits, splat(bits.type, 1 << 63)), bits), x.type)


def divide(b: Builder, x: Value, y: Value, mods: Modifiers) -> Value:
    """div.approx and div.full; .approx computes x·(1/y), whose 1/y vanishes for |y| > 2^126."""
    quotient = b.fdiv(x, y)
    if "approx" in mods:
        size = vec.fabs(b, y)
        large = b.and_(
            b.fcmp_ordered(">", size, splat(y.type, 2.0**126)),
            b.fcmp_ordered("<", size, splat(y.type, math.inf)),
        )
        zero = b.fmul(x, splat(x.type, 0.0))  # NaN for an infinite x, as documented
        quotient = b.select(large, zero, quotient)
    return canonical(b, quotient)


def sin(b: Builder, x: Value) -> Value:
    zero = b.fcmp_ordered("==", x, splat(x.type, 0.0))
    return b.select(zero, x, _sine_of_turns(b, x, 0.0))  # keeps the sign of −0


def cos(b: Builder, x: Value) -> Value:
    return _sine_of_turns(b, x, 0.25)


def _sine_of_turns(b: Builder, x: Value, ahead: float) -> Value:
    """sin(x + 2π·ahead): turns in f64, folded to a quarter, odd polynomial."""
    wide = like(x, F64)
    turns = vec.fma(b, b.fpext(x, wide), splat(wide, 1 / (2 * math.pi)), splat(wide, ahead))
    r = b.fsub(turns, b.intrinsic("rint", wide, [turns]))
    half = b.intrinsic("copysign", wide, [splat(wide, 0.5), r])
    folded = b.fcmp_ordered(">", vec.fabs(b, r), splat(wide, 0.25))
    r = b.select(folded, b.fsub(half, r), r)
    result = b.fmul(r, polynomial(b, b.fmul(r, r), _SIN))
    return canonical(b, b.fptrunc(result, x.type))


def tanh(b: Builder, x: Value) -> Value:
    """(e − 1)/(e + 1) with e = e^2x; a series near zero, where that cancels."""
    small = b.fmul(x, polynomial(b, b.fmul(x, x), _TANH))
    size = vec.fabs(b, x)
    limit = splat(x.type, 10.0)
    size = b.select(b.fcmp_ordered(">", size, limit), limit, size)
    e = ex2(b, b.fmul(size, splat(x.type, 2 / math.log(2))))
    one = splat(x.type, 1.0)
    large = b.fdiv(b.fsub(e, one), b.fadd(e, one))
    large = b.intrinsic("copysign", x.type, [large, x])
    near = b.fcmp_unordered("<", size, splat(x.type, 0.25))
    return canonical(b, b.select(near, small, large))


_UNARY = {
    "ex2": ex2,
    "lg2": lg2,
    "rcp": rcp,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "sin": sin,
    "cos": cos,
    "tanh": tanh,
}


def unary(b: Builder, operation: str, x: Value, mods: Modifiers) -> Value:
    """One `.approx` instruction on an f32 or (rcp, rsqrt) f64 vector, `.ftz` honoured."""
    ftz = "ftz" in mods
    if x.type.element == F64:
        operand = coarse(b, x) if ftz else x
        result = _UNARY[operation](b, operand)
        return coarse(b, result) if ftz else result
    result = _UNARY[operation](b, flush32(b, x) if ftz else x)
    return flush32(b, result) if ftz else result


def binary(b: Builder, x: Value, y: Value, mods: Modifiers) -> Value:
    """div.approx / div.full on f32 vectors, `.ftz` honoured."""
    if "ftz" in mods:
        return flush32(b, divide(b, flush32(b, x), flush32(b, y), mods))
    return divide(b, x, y, mods)
