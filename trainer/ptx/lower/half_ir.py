"""Arithmetic of f16, f16x2, bf16 and bf16x2, bit-exact: one rounding, canonical NaN.

f16 sums and products are exact enough in f32 that a second rounding changes nothing (24 ≥ 2·11 + 2
bits); f16 fma adds in f32 rounded to odd; bf16 products can leave the range of f32, so they go
through f64. Packed operations run on each 16-bit half.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from trainer.ptx.lower import approx_ir as approx
from trainer.ptx.lower import vec
from trainer.ptx.lower.small_float import (
    HALF,
    Small,
    double_to_odd,
    flush,
    narrow,
    sum_to_odd,
    widen,
)
from trainer.ptx.lower.vec import F64, Builder, Value, like, splat

Modifiers = Collection[str]

# PTX comparison → (LLVM predicate, true when unordered)
COMPARISONS: dict[str, tuple[str, bool]] = {
    "eq": ("==", False),
    "ne": ("!=", False),
    "lt": ("<", False),
    "le": ("<=", False),
    "gt": (">", False),
    "ge": (">=", False),
    "equ": ("==", True),
    "neu": ("!=", True),
    "ltu": ("<", True),
    "leu": ("<=", True),
    "gtu": (">", True),
    "geu": (">=", True),
    "num": ("ord", False),
    "nan": ("uno", True),
}


def packed(b: Builder, apply: Callable[..., Value], operands: list[Value]) -> Value:
    """Run a 16-bit operation on both halves of 32-bit operands."""
    low = apply(*(vec.low_half(b, x) for x in operands))
    high = apply(*(vec.high_half(b, x) for x in operands))
    return vec.pack_halves(b, low, high)


def clamp(b: Builder, wide: Value, mods: Modifiers) -> Value:
    """`.sat` (to [0, 1], NaN to 0) and `.relu` (negative to 0, NaN stays) on an unrounded result.

    Rounding is monotone and keeps 0 and 1, so clamping first gives the same bits.
    """
    zero = splat(wide.type, 0)
    if "sat" in mods:
        wide = b.select(b.fcmp_ordered(">", wide, zero), wide, zero)
        one = splat(wide.type, 1)
        return b.select(b.fcmp_ordered(">", wide, one), one, wide)
    if "relu" in mods:
        return b.select(b.fcmp_ordered("<=", wide, zero), zero, wide)
    return wide


def _finish(b: Builder, wide: Value, small: Small, mods: Modifiers) -> Value:
    bits = narrow(b, clamp(b, wide, mods), small)
    return flush(b, bits, small) if "ftz" in mods else bits


def _prepare(b: Builder, bits: Value, small: Small, mods: Modifiers) -> Value:
    return widen(b, flush(b, bits, small) if "ftz" in mods else bits, small)


def add(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    return _finish(b, b.fadd(_prepare(b, x, small, mods), _prepare(b, y, small, mods)), small, mods)


def sub(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    return _finish(b, b.fsub(_prepare(b, x, small, mods), _prepare(b, y, small, mods)), small, mods)


def mul(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    left, right = _prepare(b, x, small, mods), _prepare(b, y, small, mods)
    if small is HALF:
        return _finish(b, b.fmul(left, right), small, mods)
    wide = like(x, F64)
    return _finish(b, double_to_odd(b, b.fmul(b.fpext(left, wide), b.fpext(right, wide))), small, mods)


def fma(b: Builder, x: Value, y: Value, z: Value, small: Small, mods: Modifiers = ()) -> Value:
    left, right, addend = (_prepare(b, value, small, mods) for value in (x, y, z))
    if small is HALF:
        return _finish(b, sum_to_odd(b, b.fmul(left, right), addend), small, mods)
    wide = like(x, F64)
    product = b.fmul(b.fpext(left, wide), b.fpext(right, wide))
    return _finish(b, double_to_odd(b, sum_to_odd(b, product, b.fpext(addend, wide))), small, mods)


def neg(b: Builder, x: Value, small: Small, mods: Modifiers = ()) -> Value:
    return b.xor(flush(b, x, small) if "ftz" in mods else x, splat(x.type, 0x8000))


def absolute(b: Builder, x: Value, small: Small, mods: Modifiers = ()) -> Value:
    return b.and_(flush(b, x, small) if "ftz" in mods else x, splat(x.type, 0x7FFF))


def smaller(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    return _extreme(b, x, y, small, mods, least=True)


def larger(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    return _extreme(b, x, y, small, mods, least=False)


def _extreme(b: Builder, x: Value, y: Value, small: Small, mods: Modifiers, *, least: bool) -> Value:
    """min/max: −0 < +0; a NaN loses to a number unless `.NaN`; `.xorsign.abs` as PTX defines it."""
    if "ftz" in mods:
        x, y = flush(b, x, small), flush(b, y, small)
    sign = None
    if "xorsign" in mods:
        sign = b.and_(b.xor(x, y), splat(x.type, 0x8000))
        x, y = (b.and_(value, splat(value.type, 0x7FFF)) for value in (x, y))
    left, right = widen(b, x, small), widen(b, y, small)
    first = b.fcmp_ordered("<" if least else ">", left, right)
    result = b.select(first, x, y)
    # Equal operands differ at most in the sign of zero: or gives −0, and gives +0.
    same = b.or_(x, y) if least else b.and_(x, y)
    result = b.select(b.fcmp_ordered("==", left, right), same, result)
    left_nan, right_nan = vec.is_nan(b, left), vec.is_nan(b, right)
    canonical = splat(x.type, small.nan)
    if "NaN" in mods:
        result = b.select(b.or_(left_nan, right_nan), canonical, result)
    else:
        result = b.select(left_nan, y, b.select(right_nan, x, result))
        result = b.select(b.and_(left_nan, right_nan), canonical, result)
    return b.or_(result, sign) if sign is not None else result


def compare(b: Builder, operator: str, x: Value, y: Value, small: Small, mods: Modifiers = ()) -> Value:
    """setp/set: an i1 vector."""
    predicate, unordered = COMPARISONS[operator]
    left, right = _prepare(b, x, small, mods), _prepare(b, y, small, mods)
    return (b.fcmp_unordered if unordered else b.fcmp_ordered)(predicate, left, right)


def ex2(b: Builder, x: Value, small: Small, mods: Modifiers = ()) -> Value:
    """2^x; documented within 2^-9.9 (f16), 2^-7 (bf16) relative, here within half a unit or so."""
    return _finish(b, approx.ex2(b, _prepare(b, x, small, mods)), small, mods)


def tanh(b: Builder, x: Value, small: Small, mods: Modifiers = ()) -> Value:
    """tanh; documented within 2^-10.987 (f16), 2^-8 (bf16), here within half a unit or so."""
    return _finish(b, approx.tanh(b, _prepare(b, x, small, mods)), small, mods)
