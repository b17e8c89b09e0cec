"""Oracle of the sigmoid.

Error model: with y = 1 / (1 + e), e = exp(-x), a relative error of e reaches y with weight 1 - y. It
is that of the product x * log2(e), about |x| roundings, and a few more; addition and division add some
to y itself. All of it four times over."""

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
    elif values == "far":
        x = draw.uniform(rng, n, -110.0, 110.0)
    elif values == "huge":
        x = draw.spread(rng, n, 100.0)
    elif values == "negative":
        x = draw.uniform(rng, n, -20.0, -5.0)
    elif values == "small":
        x = draw.uniform(rng, n, -1.0, 1.0) * np.float32(2.0**-8)
    else:
        raise draw.unknown_family(values)
    return {"X": x, "N": n}


def reference(X: Array, N: int) -> dict[str, Array]:
    return {"Y": sigmoid(X.astype(np.float64))}


def sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def terms(X: Array, N: int) -> dict[str, Array]:
    x = X.astype(np.float64)
    y = sigmoid(x)
    return {"Y": y * (16 + (1 - y) * (8 + 3 * np.abs(x))) + rounding.flush_allowance()}


def in_float32(add: Any, X: Array, N: int) -> dict[str, Array]:
    with np.errstate(over="ignore"):
        return {"Y": 1 / (1 + np.exp(-X))}


def mistakes(X: Array, N: int) -> dict[str, dict[str, Array]]:
    x = X.astype(np.float64)
    one = np.float32(1)
    return {
        "sign lost": {"Y": 1 / (1 + np.exp(x))},
        "NaN for large inputs": {"Y": np.exp(X) / (one + np.exp(X))},
        "hyperbolic tangent": {"Y": np.tanh(x)},
        "cancels for negative inputs": {"Y": np.float32(0.5) * np.tanh(np.float32(0.5) * X) + np.float32(0.5)},
        "piecewise linear": {"Y": np.clip(x / 6 + 0.5, 0, 1)},
        "powers of two": {"Y": 1 / (1 + np.exp2(-x))},
        "half precision": {"Y": sigmoid(x).astype(np.float16)},
    }
