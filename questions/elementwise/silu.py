"""Oracle of SiLU.

Error model: with e = exp(-x) and s = 1 / (1 + e), a relative error of e reaches s with weight 1 - s. It is
that of the product x * log2(e), about |x| roundings, and a few more; sum, division and product add some to the
result. All of it four times over. A sigmoid that is flushed to zero leaves |x| times the smallest number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        x = draw.uniform(rng, n, -6.0, 6.0)
        x[-1] = abs(x[-1]) + 1
    elif values == "far":
        x = draw.uniform(rng, n, -110.0, 110.0)
    elif values == "huge":
        x = draw.spread(rng, n, 100.0)
    elif values == "negative":
        x = draw.uniform(rng, n, -20.0, -5.0)
    elif values == "positive":
        x = draw.uniform(rng, n, 1.0, 30.0)
    else:
        raise draw.unknown_family(values)
    return {"input": x, "N": n}


def sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def reference(input: Array, N: int) -> dict[str, Array]:
    x = input.astype(np.float64)
    return {"output": x * sigmoid(x)}


def terms(input: Array, N: int) -> dict[str, Array]:
    x = input.astype(np.float64)
    s, size = sigmoid(x), np.abs(x)
    return {"output": size * s * (20 + (1 - s) * (8 + 3 * size)) + rounding.flush_allowance() * (1 + size)}


def in_float32(add: Any, input: Array, N: int) -> dict[str, Array]:
    with np.errstate(over="ignore"):
        return {"output": input / (1 + np.exp(-input))}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    x = input.astype(np.float64)
    with np.errstate(all="ignore"):
        return {
            "sigmoid alone": {"output": sigmoid(x)},
            "ReLU": {"output": np.maximum(x, 0)},
            "sign of the exponent lost": {"output": x * sigmoid(-x)},
            "NaN for large inputs": {"output": input * (np.exp(input) / (1 + np.exp(input)))},
            "scaled as in quick GELU": {"output": x * sigmoid(1.702 * x)},
            "piecewise": {"output": x * np.clip(x / 6 + 0.5, 0, 1)},
            "half precision": {"output": (x * sigmoid(x)).astype(np.float16)},
        }
