"""Conversions to and from the narrow formats: f16, bf16, tf32, e4m3 and e5m2."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from trainer.ptx.lower import vec
from trainer.ptx.lower.half_ir import clamp
from trainer.ptx.lower.small_float import HALF, Small, double_to_odd, flush, long_to_odd, narrow, widen
from trainer.ptx.lower.vec import F32, F64, I8, I16, I32, I64, Builder, Value, like, splat

Modifiers = Collection[str]
ROUNDINGS = ("rn", "rz", "rm", "rp")
TO_INTEGRAL = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def rounding(mods: Modifiers) -> str:
    """The rounding of a narrowing conversion; `.rn` where none is written."""
    return next((m for m in mods if m in ROUNDINGS), "rn")


@dataclass(frozen=True)
class Tiny:
    """An 8-bit float without room for rounding modes: nearest even, saturating."""

    mantissa: int
    bias: int
    largest: float
    nan: int = 0x7F

    @property
    def least_exponent(self) -> int:
        return 1 - self.bias


E4M3 = Tiny(mantissa=3, bias=7, largest=448.0)
E5M2 = Tiny(mantissa=2, bias=15, largest=57344.0)
TINY = {"e4m3x2": E4M3, "e5m2x2": E5M2}


def from_float(b: Builder, x: Value, small: Small, mods: Modifiers) -> Value:
    """f32 or f64 → 16 bits, with `.relu`, `.sat`, `.satfinite` and the written rounding."""
    if x.type.element == F64:
        x = double_to_odd(b, x)
    bits = narrow(b, clamp(b, x, mods), small, rounding(mods))
    if "satfinite" in mods:
        size = b.and_(bits, splat(bits.type, 0x7FFF))
        infinite = b.icmp_signed("==", size, splat(bits.type, small.exponent_mask))
        bits = b.select(infinite, b.sub(bits, splat(bits.type, 1)), bits)
    return bits


def from_integer(b: Builder, x: Value, signed: bool, small: Small, mods: Modifiers) -> Value:
    """An integer of any width → 16 bits, rounded once."""
    wide = like(x, I64)
    if vec.bits(x) < 64:
        x = b.sext(x, wide) if signed else b.zext(x, wide)
    return from_float(b, long_to_odd(b, x, signed), small, mods)


def to_integral(b: Builder, bits: Value, small: Small, mods: Modifiers) -> Value:
    """cvt.rni.f16.f16 and its like: whole numbers in the same format (always exact)."""
    if "ftz" in mods:
        bits = flush(b, bits, small)
    name = next(TO_INTEGRAL[m] for m in mods if m in TO_INTEGRAL)
    wide = widen(b, bits, small)
    return narrow(b, clamp(b, b.intrinsic(name, wide.type, [wide]), mods), small)


def to_tf32(b: Builder, x: Value, mods: Modifiers) -> Value:
    """f32 → the bits of an f32 with 10 mantissa bits: `.rna` ties away, `.rn` ties to even, `.rz`."""
    bits = vec.as_int(b, clamp(b, x, mods))
    kind = bits.type
    if "rna" in mods:
        moved = b.add(bits, splat(kind, 0x1000))
    elif "rz" in mods:
        moved = bits
    else:
        last = b.and_(b.lshr(bits, splat(kind, 13)), splat(kind, 1))
        moved = b.add(bits, b.add(last, splat(kind, 0xFFF)))
    moved = b.and_(moved, splat(kind, ~0x1FFF))
    exponent = b.and_(bits, splat(kind, 0x7F800000))
    special = b.icmp_signed("==", exponent, splat(kind, 0x7F800000))
    nan = b.select(vec.is_nan(b, x), splat(kind, 0x7FFFFFFF), bits)
    return b.select(special, nan, moved)


def to_tiny(b: Builder, x: Value, tiny: Tiny, mods: Modifiers) -> Value:
    """f32 → i8: rounds by adding a power of two whose last bit is the target's unit there."""
    x = clamp(b, x, mods)
    sign = b.and_(b.lshr(vec.as_int(b, x), splat(like(x, I32), 24)), splat(like(x, I32), 0x80))
    size = vec.fabs(b, x)
    largest = splat(x.type, tiny.largest)
    size = b.select(b.fcmp_ordered(">", size, largest), largest, size)
    bits = vec.as_int(b, size)
    kind = bits.type
    floor = splat(kind, (tiny.least_exponent + 127) << 23)
    exponent = b.and_(bits, splat(kind, 0x7F800000))
    exponent = b.select(b.icmp_signed("<", exponent, floor), floor, exponent)
    magic = b.bitcast(b.add(exponent, splat(kind, (23 - tiny.mantissa) << 23)), x.type)
    rounded = b.fsub(b.fadd(size, magic), magic)
    normal = b.lshr(vec.as_int(b, rounded), splat(kind, 23 - tiny.mantissa))
    normal = b.sub(normal, splat(kind, (127 - tiny.bias) << tiny.mantissa))
    units = b.fmul(rounded, splat(x.type, 2.0 ** (tiny.mantissa - tiny.least_exponent)))
    subnormal = b.fptosi(b.select(vec.is_nan(b, units), splat(x.type, 0.0), units), kind)
    tiny_range = b.fcmp_ordered("<", rounded, splat(x.type, 2.0**tiny.least_exponent))
    code = b.or_(b.select(tiny_range, subnormal, normal), sign)
    return b.trunc(b.select(vec.is_nan(b, x), splat(kind, tiny.nan), code), like(x, I8))


def from_tiny(b: Builder, code: Value, tiny: Tiny) -> Value:
    """i8 → f16 bits, exact (e5m2 is the upper half of an f16)."""
    wide = b.zext(code, like(code, I16))
    if tiny is E5M2:
        bits = b.shl(wide, splat(wide.type, 8))
        nan = b.icmp_unsigned(">", b.and_(wide, splat(wide.type, 0x7F)), splat(wide.type, 0x7C))
        return b.select(nan, splat(wide.type, HALF.nan), bits)
    sign = b.shl(b.and_(wide, splat(wide.type, 0x80)), splat(wide.type, 8))
    size = b.and_(wide, splat(wide.type, 0x7F))
    # As f16 the same bits are 2^-8 times as large; f32 in between keeps subnormals exact.
    small = widen(b, b.shl(size, splat(wide.type, 7)), HALF)
    bits = narrow(b, b.fmul(small, splat(like(code, F32), 256.0)), HALF)
    nan = b.icmp_unsigned("==", size, splat(wide.type, 0x7F))
    return b.select(nan, splat(wide.type, HALF.nan), b.or_(bits, sign))


def pack_bytes(b: Builder, low: Value, high: Value) -> Value:
    wide = like(low, I16)
    return b.or_(b.zext(low, wide), b.shl(b.zext(high, wide), splat(wide, 8)))


def unpack_bytes(b: Builder, pair: Value) -> tuple[Value, Value]:
    byte = like(pair, I8)
    return b.trunc(pair, byte), b.trunc(b.lshr(pair, splat(pair.type, 8)), byte)
