"""Exact arithmetic on 16-bit floats with Fractions: the oracle for half and bfloat16."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

NAN = 0x7FFF


def to_float64(bits: np.ndarray, name: str) -> np.ndarray:
    if name == "bf16":
        with np.errstate(all="ignore"):  # signalling NaN
            return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return bits.view(np.float16).astype(np.float64)


def round_exact(value: Fraction, name: str, mode: str = "rn", negative_zero: bool = False) -> int:
    """The 16-bit pattern nearest to an exact finite value (ties to even), or as `mode` says."""
    mantissa, bias, top = (10, 15, 31) if name == "f16" else (7, 127, 255)
    sign = 0x8000 if value < 0 or (value == 0 and negative_zero) else 0
    size = abs(value)
    if size == 0:
        return sign
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    scaled = size / Fraction(2) ** (exponent - mantissa)
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    part = Fraction(rest, scaled.denominator)
    up = part > Fraction(1, 2) or (part == Fraction(1, 2) and whole & 1)
    if mode != "rn":
        up = part > 0 and ((mode == "rp" and not sign) or (mode == "rm" and bool(sign)))
    whole += int(up)
    bits = whole + ((exponent + bias - 1) << mantissa)
    infinity = top << mantissa
    if bits >= infinity:
        overflow_up = mode == "rn" or (mode == "rp" and not sign) or (mode == "rm" and bool(sign))
        bits = infinity if overflow_up else infinity - 1
    return sign | bits


EDGE_BITS = {
    "f16": [0, 0x8000, 1, 0x8001, 0x3FF, 0x83FF, 0x400, 0x8400, 0x3C00, 0xBC00, 0x3BFF, 0x3C01, 0x7BFF,
            0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 0x7C01, 0x7FFF, 0x3800, 0x1400, 0x6400, 0x0200],
    "bf16": [0, 0x8000, 1, 0x8001, 0x7F, 0x807F, 0x80, 0x8080, 0x3F80, 0xBF80, 0x3F7F, 0x3F81, 0x7F7F,
             0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC0, 0x7F81, 0x7FFF, 0x3F00, 0x2000, 0x6000, 0x0040],
}  # fmt: skip


def samples(name: str, rng: np.random.Generator, arity: int, count: int = 3000) -> list[np.ndarray]:
    """Every combination of edge values (two operands; the third cycles), then random patterns,
    half of them with close exponents so that cancellation and ties happen."""
    edges = np.array(EDGE_BITS[name], np.uint16)
    grid = [g.ravel() for g in np.meshgrid(*[edges] * min(arity, 2))]
    while len(grid) < arity:
        grid.append(np.resize(np.roll(edges, len(grid)), grid[0].size))
    out = []
    for k in range(arity):
        wild = rng.integers(0, 1 << 16, count).astype(np.uint16)
        base, span = (0x3800, 0x1000) if name == "f16" else (0x3F00, 0x200)
        near = ((base + rng.integers(0, span, count)) | (rng.integers(0, 2, count) << 15)).astype(np.uint16)
        out.append(np.concatenate([grid[k], wild, near]))
    return out
