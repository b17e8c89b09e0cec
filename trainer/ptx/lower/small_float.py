"""Half and bfloat16 as bit patterns: widening, and rounding that never rounds twice.

A 16-bit float lives in an i16 vector. Results computed in a wider format are either exact there,
or rounded *to odd* (the inexact result gets its last bit set), which makes the second rounding
give what one rounding of the exact value would (Boldo & Melquiond, "Emulation of FMA and correctly
rounded sums", IEEE Trans. Comp. 2008; needs two spare bits, f32 has 13).
"""

from __future__ import annotations

from dataclasses import dataclass

from trainer.ptx.lower import vec
from trainer.ptx.lower.vec import F16, F32, F64, I16, I32, Builder, Value, like, splat


@dataclass(frozen=True)
class Small:
    """A 16-bit format: where its exponent sits and what its 1 is."""

    name: str
    exponent_mask: int
    one: int
    nan: int = 0x7FFF  # canonical NaN of PTX


HALF = Small("f16", 0x7C00, 0x3C00)
BFLOAT = Small("bf16", 0x7F80, 0x3F80)
BY_TYPE = {"f16": HALF, "f16x2": HALF, "bf16": BFLOAT, "bf16x2": BFLOAT}


def widen(b: Builder, bits: Value, small: Small) -> Value:
    """i16 → f32, exact."""
    if small is HALF:
        return b.fpext(b.bitcast(bits, like(bits, F16)), like(bits, F32))
    wide = like(bits, I32)
    return b.bitcast(b.shl(b.zext(bits, wide), splat(wide, 16)), like(bits, F32))


def _nearest(b: Builder, value: Value, small: Small) -> Value:
    if small is HALF:
        return b.bitcast(b.fptrunc(value, like(value, F16)), like(value, I16))
    bits = vec.as_int(b, value)
    odd = b.and_(b.lshr(bits, splat(bits.type, 16)), splat(bits.type, 1))
    rounded = b.add(b.add(bits, splat(bits.type, 0x7FFF)), odd)
    return vec.high_half(b, rounded)


def narrow(b: Builder, value: Value, small: Small, mode: str = "rn") -> Value:
    """f32 → i16, rounding as `mode` (rn, rz, rm, rp) says; NaN becomes the canonical one.

    Directed modes step the nearest value back by one unit where it went the wrong way.
    """
    bits = _nearest(b, value, small)
    if mode != "rn":
        bits = _directed(b, value, bits, small, mode)
    return b.select(vec.is_nan(b, value), splat(bits.type, small.nan), bits)


def _directed(b: Builder, value: Value, bits: Value, small: Small, mode: str) -> Value:
    back = widen(b, bits, small)
    above = b.fcmp_ordered(">", back, value)
    below = b.fcmp_ordered("<", back, value)
    negative = b.icmp_signed("<", vec.as_int(b, value), splat(like(value, I32), 0))
    if mode == "rz":
        down, up = b.or_(b.and_(above, b.not_(negative)), b.and_(below, negative)), None
    elif mode == "rm":
        down, up = b.and_(above, b.not_(negative)), b.and_(above, negative)
    else:
        down, up = b.and_(below, negative), b.and_(below, b.not_(negative))
    step = b.sext(down, bits.type)
    if up is not None:
        step = b.sub(step, b.sext(up, bits.type))
    return b.add(bits, step)


def flush(b: Builder, bits: Value, small: Small) -> Value:
    """Subnormals to a zero of the same sign."""
    exponent = b.and_(bits, splat(bits.type, small.exponent_mask))
    tiny = b.icmp_signed("==", exponent, splat(bits.type, 0))
    return b.select(tiny, b.and_(bits, splat(bits.type, 0x8000)), bits)


def _step_to_odd(b: Builder, value: Value, inexact: Value, away: Value) -> Value:
    """Where `inexact` and even, move one unit: away from zero where `away`, else towards it."""
    bits = vec.as_int(b, value)
    one = splat(bits.type, 1)
    even = b.icmp_signed("==", b.and_(bits, one), splat(bits.type, 0))
    step = b.select(away, one, splat(bits.type, -1))
    moved = b.select(b.and_(inexact, even), b.add(bits, step), bits)
    return b.bitcast(moved, value.type)


def sum_to_odd(b: Builder, x: Value, y: Value) -> Value:
    """x + y rounded to odd in the operands' format (error by Knuth's TwoSum)."""
    total = b.fadd(x, y)
    shadow = b.fsub(total, x)
    error = b.fadd(b.fsub(x, b.fsub(total, shadow)), b.fsub(y, shadow))
    zero = splat(total.type, 0)
    inexact = b.fcmp_ordered("!=", error, zero)
    away = b.icmp_signed("==", b.fcmp_ordered(">", error, zero), b.fcmp_ordered(">", total, zero))
    return _step_to_odd(b, total, inexact, away)


def double_to_odd(b: Builder, value: Value) -> Value:
    """f64 → f32, rounded to odd."""
    near = b.fptrunc(value, like(value, F32))
    back = vec.fabs(b, b.fpext(near, like(value, F64)))
    size = vec.fabs(b, value)
    return _step_to_odd(b, near, b.fcmp_ordered("!=", back, size), b.fcmp_ordered("<", back, size))


def long_to_odd(b: Builder, value: Value, signed: bool) -> Value:
    """i64 → f64, where bits lost by a 48-bit significand are folded into an odd last bit."""
    kind = value.type
    shift = splat(kind, 16)
    high = b.ashr(value, shift) if signed else b.lshr(value, shift)
    lost = b.icmp_signed("!=", b.and_(value, splat(kind, 0xFFFF)), splat(kind, 0))
    sticky = b.shl(b.or_(high, b.zext(lost, kind)), shift)
    size = b.lshr(b.add(value, splat(kind, 1 << 47)) if signed else value, splat(kind, 48))
    small = b.icmp_signed("==", size, splat(kind, 0))
    exact = b.select(small, value, sticky)
    wide = like(value, F64)
    return b.sitofp(exact, wide) if signed else b.uitofp(exact, wide)
