"""Oracle of the quantized product: whole numbers throughout, so exact.

Scales are a small odd number times a power of two. A product of them with a sum of at most 2^24 steps is exact
in single precision; results that need more steps are out of range. So the order of the products does not matter,
and ties are ties.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs

SPREAD = 40.0  # standard deviation of results, about
FRACTION_BITS = 16


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, k = sizes["M"], sizes["N"], sizes["K"]
    a = rng.integers(-128, 128, (m, k), dtype=np.int8)
    b = rng.integers(-128, 128, (k, n), dtype=np.int8)
    spread = SPREAD
    if values == "ties":
        a, b = a // 16, b // 16  # few different sums, half of which lie between two results
    elif values == "extremes":
        a = rng.choice(np.array([-128, 127], np.int8), a.shape)
        b = rng.choice(np.array([-128, 127], np.int8), b.shape)
    elif values == "saturating":
        spread *= 4
    elif values != "random":
        raise draw.unknown_family(values)
    scales = (1 / 2, 1.0, 1.0) if values == "ties" else _scales(rng, a, b, sizes, spread)
    names = ("scale_A", "scale_B", "scale_C")
    return {"A": a, "B": b, **sizes, **dict(zip(names, scales, strict=True))}


def _scales(
    rng: np.random.Generator, a: Array, b: Array, sizes: Mapping[str, int], spread: float
) -> tuple[float, float, float]:
    """Scales that bring the sums to a standard deviation near `spread`, of at most FRACTION_BITS bits."""
    sizes_of = (math.sqrt(np.mean(np.square(x.astype(np.float64) - z))) for x, z in (
        (a, sizes["zero_point_A"]), (b, sizes["zero_point_B"])
    ))  # fmt: skip
    expected = math.prod(sizes_of) * math.sqrt(sizes["K"]) + 1
    odd = (int(rng.choice([1, 3, 5])), int(rng.choice([1, 3, 5])))
    bits = round(math.log2(expected * odd[0] * odd[1] / spread))
    bits = min(max(bits, 1), FRACTION_BITS)
    up = int(rng.integers(0, bits + 1))
    down = int(rng.integers(-2, 3))
    return odd[0] * 2.0**-up, odd[1] * 2.0 ** (up - bits + down), 2.0**down


def quantized(sums: Array, factor: float, zero_point: int) -> Array:
    return np.clip(np.rint(sums * factor) + zero_point, -128, 127)


def _centred(A: Array, B: Array, za: int, zb: int) -> Array:
    return np.asarray((A.astype(np.float64) - za) @ (B.astype(np.float64) - zb))


def reference(
    A: Array, B: Array, M: int, N: int, K: int, scale_A: float, scale_B: float, scale_C: float,
    zero_point_A: int, zero_point_B: int, zero_point_C: int,
) -> dict[str, Array]:  # fmt: skip
    sums = _centred(A, B, zero_point_A, zero_point_B)
    return {"C": quantized(sums, scale_A * scale_B / scale_C, zero_point_C).astype(np.int8)}


def mistakes(
    A: Array, B: Array, M: int, N: int, K: int, scale_A: float, scale_B: float, scale_C: float,
    zero_point_A: int, zero_point_B: int, zero_point_C: int,
) -> dict[str, dict[str, Array]]:  # fmt: skip
    za, zb, zc = zero_point_A, zero_point_B, zero_point_C
    sums, factor = _centred(A, B, za, zb), scale_A * scale_B / scale_C
    away = np.copysign(np.floor(np.abs(sums * factor) + 0.5), sums)
    wrapped = (np.rint(sums * factor).astype(np.int64) + zc).astype(np.int8)
    return {
        "ties away from zero": {"C": np.clip(away + zc, -128, 127)},
        "cut off instead of rounded": {"C": np.clip(np.trunc(sums * factor) + zc, -128, 127)},
        "wraps around": {"C": wrapped},
        "zero points left out": {"C": quantized(_centred(A, B, 0, 0), factor, zc)},
        "zero point of the result left out": {"C": quantized(sums, factor, 0)},
        "correction for all columns alike": {"C": quantized(_centred(A, B, za, 0), factor, zc)},
        "scale of the result as a factor": {"C": quantized(sums, scale_A * scale_B * scale_C, zc)},
        "bytes without signs": {"C": quantized(_centred(A.view(np.uint8), B.view(np.uint8), za, zb), factor, zc)},
        "last step of k left out": {"C": quantized(_centred(A[:, :-1], B[:-1], za, zb), factor, zc)},
    }
