"""Oracle of SwiGLU.

Error model: with e = exp(-a) and s = 1 / (1 + e), a relative error of e reaches s with weight 1 - s. It is
that of the product a * log2(e), about |a| roundings, and a few more; sum, division and products add some to the
result. All of it four times over. A sigmoid that is flushed to zero leaves |a * b| times the smallest number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    a, b = draw.uniform(rng, n // 2, -6.0, 6.0), draw.spread(rng, n // 2, 2.0)
    if values == "random":
        a[-1] = abs(a[-1]) + 1
    elif values == "far":
        a = draw.uniform(rng, n // 2, -110.0, 110.0)
    elif values == "huge":
        a = draw.spread(rng, n // 2, 60.0)
    elif values == "negative":
        a = draw.uniform(rng, n // 2, -20.0, -5.0)
    else:
        raise draw.unknown_family(values)
    return {"input": np.concatenate([a, b]), "N": n}


def halves(input: Array) -> tuple[Array, Array]:
    a, b = input.astype(np.float64).reshape(2, -1)
    return a, b


def sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def reference(input: Array, N: int) -> dict[str, Array]:
    a, b = halves(input)
    return {"output": a * sigmoid(a) * b}


def terms(input: Array, N: int) -> dict[str, Array]:
    a, b = halves(input)
    s, size = sigmoid(a), np.abs(a)
    relative = 24 + (1 - s) * (8 + 3 * size)
    flushed = rounding.flush_allowance() * (1 + np.abs(a * b) + np.abs(b))
    return {"output": np.abs(a * b) * s * relative + flushed}


def in_float32(add: Any, input: Array, N: int) -> dict[str, Array]:
    a, b = input.reshape(2, -1)
    with np.errstate(over="ignore"):
        return {"output": a / (1 + np.exp(-a)) * b}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    a, b = halves(input)
    even, odd = input.astype(np.float64).reshape(-1, 2).T
    with np.errstate(all="ignore"):
        return {
            "halves swapped": {"output": b * sigmoid(b) * a},
            "gate without its factor": {"output": sigmoid(a) * b},
            "gate left out": {"output": a * b},
            "GELU by its quick form": {"output": a * sigmoid(1.702 * a) * b},
            "neighbours instead of halves": {"output": even * sigmoid(even) * odd},
            "product forgotten": {"output": a * sigmoid(a)},
            "half precision": {"output": (a * sigmoid(a) * b).astype(np.float16)},
        }
