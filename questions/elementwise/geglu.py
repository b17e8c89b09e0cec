"""Oracle of GEGLU.

Error model: erff is right to two units in the last place, its argument and 1 + erf add a few roundings of
numbers up to 2, and the products some of the result. So a handful of roundings of |a * b|, four times over.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    a, b = draw.spread(rng, n // 2, 2.0), draw.uniform(rng, n // 2, -4.0, 4.0)
    b[np.abs(b) < 0.01] += np.float32(0.5)
    if values == "random":
        b = np.where(b < -2, -b, b)  # where the gate is nearly closed, zero would do
    elif values == "far":
        b = draw.uniform(rng, n // 2, -20.0, 20.0)
    elif values == "huge":
        b = draw.spread(rng, n // 2, 60.0)
    elif values == "middle":  # where the tangent's approximation is worst
        b = draw.uniform(rng, n // 2, 1.5, 3.0) * rng.choice(np.array([-1, 1], np.float32), n // 2)
    else:
        raise draw.unknown_family(values)
    b[0], b[-1] = abs(b[0]) + 1, abs(b[-1]) + 1  # open gates, so that an end left out shows
    return {"input": np.concatenate([a, b]), "N": n}


def halves(input: Array) -> tuple[Array, Array]:
    a, b = input.astype(np.float64).reshape(2, -1)
    return a, b


def _taylor() -> Array:
    """Coefficients of erf(x0 + d) by powers of d, shape (5, 385), for x0 = 0, 1/64 ... 6."""
    x = np.arange(6 * STEPS + 1) / STEPS
    slope = 2 / math.sqrt(math.pi) * np.exp(-(x**2))
    values = np.array([math.erf(v) for v in x])
    ones = np.ones_like(x)
    return np.stack([values, *(slope * [ones, -x, (2 * x**2 - 1) / 3, (3 * x - 2 * x**3) / 6])])


STEPS = 64
TAYLOR = _taylor()


def erf(x: Array) -> Array:
    """From the nearest point of a table by Taylor's series, right to 1e-11; beyond 6 it is 1 in float64."""
    size = np.minimum(np.abs(x), 6.0)
    nearest = np.rint(size * STEPS).astype(np.int16)
    d = size - nearest / STEPS
    result = TAYLOR[4][nearest]
    for coefficients in TAYLOR[3::-1]:
        result *= d
        result += coefficients[nearest]
    return np.copysign(result, x)


def gelu(x: Array) -> Array:
    return np.asarray(x * (1 + erf(x / np.sqrt(2))) / 2)


def reference(input: Array, N: int) -> dict[str, Array]:
    a, b = halves(input)
    return {"output": a * gelu(b)}


def terms(input: Array, N: int) -> dict[str, Array]:
    a, b = halves(input)
    return {"output": np.abs(a * b) * 20 + rounding.flush_allowance() * (1 + np.abs(a))}


def in_float32(add: Any, input: Array, N: int) -> dict[str, Array]:
    a, b = input.reshape(2, -1)
    half, one = np.float32(0.5), np.float32(1)
    gate = one + erf((b * np.float32(0.70710678)).astype(np.float64)).astype(np.float32)
    return {"output": half * a * b * gate}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    a, b = halves(input)
    even, odd = input.astype(np.float64).reshape(-1, 2).T
    tangent = b * (1 + np.tanh(np.sqrt(2 / np.pi) * (b + 0.044715 * b**3))) / 2
    with np.errstate(over="ignore"):
        quick = b / (1 + np.exp(-1.702 * b))
    return {
        "approximation by a tangent": {"output": a * tangent},
        "approximation by a sigmoid": {"output": a * quick},
        "halves swapped": {"output": b * gelu(a)},
        "root of two forgotten": {"output": a * b * (1 + erf(b)) / 2},
        "gate without its factor": {"output": a * (1 + erf(b / np.sqrt(2))) / 2},
        "neighbours instead of halves": {"output": even * gelu(odd)},
        "half precision": {"output": (a * gelu(b)).astype(np.float16)},
    }
