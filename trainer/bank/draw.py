"""Values for inputs: what the oracles of several tasks draw.

The functions that draw take the generator first and return float32. Nothing here is denormal, because
kernels are compiled to flush those to zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.bank.dtypes import dtype_of

Shape = int | tuple[int, ...]
Float32 = NDArray[np.float32]


def unknown_family(values: str) -> ValueError:
    """What to raise for a family of values that the oracle does not have."""
    return ValueError(f"there are no values called {values!r}")


def uniform(rng: np.random.Generator, shape: Shape, low: float, high: float) -> Float32:
    """Evenly spread between `low` and `high`, with all 24 bits in use."""
    values = rng.random(shape, dtype=np.float32)
    values *= np.float32(high - low)
    values += np.float32(low)
    return values


def spread(rng: np.random.Generator, shape: Shape, octaves: float = 8.0) -> Float32:
    """Either sign, sizes from 2^-octaves to 2^octaves with every octave as likely."""
    size = np.exp2(uniform(rng, shape, -octaves, octaves))
    return (size * _signs(rng, shape)).astype(np.float32)


def narrow(values: NDArray[Any], kind: str) -> NDArray[Any]:
    """`values` rounded to a shorter type, "bfloat16" or "float16": an input of a task that takes those.

    Every whole number up to 256 stays what it is in bfloat16, up to 2048 in float16.
    """
    return values.astype(dtype_of(kind))


def _signs(rng: np.random.Generator, shape: Shape) -> NDArray[np.int8]:
    return (rng.integers(0, 2, shape, dtype=np.int8) * 2 - 1).astype(np.int8)


def whole(rng: np.random.Generator, shape: Shape, largest: int) -> Float32:
    """Whole numbers of either sign with 1 <= |x| <= largest: none is zero, so none can be left out."""
    size = rng.integers(1, largest + 1, shape, dtype=np.int16)
    size *= _signs(rng, shape)
    return size.astype(np.float32)


def summable(rng: np.random.Generator, count: int, scale: float | None = None) -> Float32:
    """`count` multiples of one power of two whose float32 sum is exact in any order.

    The larger the count the smaller the numbers, so that sum|x| stays below 2^24 steps; from half a
    million on only random signs keep the partial sums that small. Up to 4096 numbers have 12 bits,
    one more than half precision and TF32 hold.
    """
    largest = int(np.clip((1 << 24) // max(count, 1), 60, 4095))
    step = np.exp2(rng.integers(-6, 1)) if scale is None else scale
    return whole(rng, count, largest) * np.float32(step)


def cancelling(rng: np.random.Generator, count: int) -> Float32:
    """Pairs of x and -x in random order and a small rest: the sum is far smaller than its terms."""
    half = whole(rng, count // 2, 60)
    values = np.concatenate([half, -half, np.ones(count % 2, np.float32)])
    rest = min(count, 1 + count // 50)
    values[:rest] += np.float32(rng.integers(1, 10))
    return rng.permutation(values).astype(np.float32)


def spike(rng: np.random.Generator, count: int) -> Float32:
    """Small steps and, at a random place, one number a hundred thousand times as large."""
    values = whole(rng, count, 3)
    values[rng.integers(count)] = np.float32(rng.choice([-1, 1]) * rng.integers(300_000, 600_000))
    return values


def family(rng: np.random.Generator, count: int, values: str) -> Float32 | None:
    """The families that every task built on a sum has; None for another name."""
    match values:
        case "random":
            return summable(rng, count)
        case "real":
            return uniform(rng, count, -1.0, 1.0) + np.float32(rng.uniform(-1, 1))
        case "cancelling":
            return cancelling(rng, count)
        case "negative":
            return -np.abs(summable(rng, count))
        case "equal":
            return np.full(count, rng.integers(3, 64) / 8, np.float32)
        case "spike":
            return spike(rng, count)
        case _:
            return None
