"""Oracle of layer normalization.

Error model, in units of the bound, with r the roundings of a sum over a row: the mean is off by
r * mean|x|, which every element of the row feels as that times weight / sigma; the variance is off
by r of itself and by the square of the mean's error; the last steps round the result a few times.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, c = sizes["N"], sizes["C"]
    eps = 10.0 ** rng.uniform(-6, -4)
    x = rng.standard_normal((n, c), dtype=np.float32)
    offset = draw.uniform(rng, (n, 1), -3.0, 3.0)
    if values == "random":
        x = x * np.exp2(draw.uniform(rng, (n, 1), -3.0, 3.0)) + offset
    elif values == "shifted":  # mean / standard deviation up to a thousand
        x = x + np.sign(offset) * draw.uniform(rng, (n, 1), 500.0, 1000.0)
    elif values == "constant":
        # Eighths, so that their sum is exact: adding one and the same number again and again rounds
        # always in the same direction otherwise, and the deviations would be nothing but that.
        x = np.broadcast_to(np.rint(offset * 8) / 8, (n, c)).copy()
    elif values == "tiny":  # variance around a tenth of eps
        eps = 1e-5
        x = x * np.float32(1e-3) + offset * np.float32(1e-3)
    elif values == "outlier":
        x[np.arange(n), rng.integers(0, c, n)] = np.float32(200)
    else:
        raise draw.unknown_family(values)
    weight = draw.uniform(rng, c, 0.5, 2.0) * rng.choice(np.array([-1, 1], np.float32), c)
    bias = draw.uniform(rng, c, 0.5, 2.0) * rng.choice(np.array([-1, 1], np.float32), c)
    return {
        "input": x.astype(np.float32),
        "weight": weight,
        "bias": bias,
        "N": n,
        "C": c,
        "eps": float(np.float32(eps)),
    }


def reference(input: Array, weight: Array, bias: Array, N: int, C: int, eps: float) -> dict[str, Array]:
    x = input.astype(np.float64)
    mean = x.mean(axis=1, keepdims=True)
    variance = np.square(x - mean).mean(axis=1, keepdims=True)
    return {"output": (x - mean) / np.sqrt(variance + eps) * weight + bias}


def terms(input: Array, weight: Array, bias: Array, N: int, C: int, eps: float) -> dict[str, Array]:
    x = input.astype(np.float64)
    mean = x.mean(axis=1, keepdims=True)
    variance = np.square(x - mean).mean(axis=1, keepdims=True)
    scale = np.abs(weight) / np.sqrt(variance + eps)
    mean_error = rounding.roundings(C) * np.abs(x).mean(axis=1, keepdims=True)
    share = (rounding.roundings(C) * variance + rounding.BOUND * mean_error**2) / (variance + eps)
    return {"output": scale * (mean_error + np.abs(x - mean) * (4.0 + share)) + np.abs(bias)}


def in_float32(
    add: Add, input: Array, weight: Array, bias: Array, N: int, C: int, eps: float
) -> dict[str, Array]:
    centred = input - (add(input) / np.float32(C))[:, None]
    variance = add(centred * centred) / np.float32(C)
    return {"output": centred / np.sqrt(variance + np.float32(eps))[:, None] * weight + bias}


def mistakes(
    input: Array, weight: Array, bias: Array, N: int, C: int, eps: float
) -> dict[str, dict[str, Array]]:
    mean = input.mean(axis=1, keepdims=True)
    variance = input.var(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        one_pass = np.square(input).mean(axis=1, keepdims=True) - np.square(mean)
        wrong = {
            "mean of squares minus square of the mean": (input - mean) / np.sqrt(one_pass + np.float32(eps)),
            "divided by C - 1": (input - mean) / np.sqrt(variance * (C / max(C - 1, 1)) + eps),
            "eps left out": (input - mean) / np.sqrt(variance),
            "eps added to the deviation": (input - mean) / (np.sqrt(variance) + eps),
            "mean not subtracted": input / np.sqrt(variance + eps),
            "divided by the variance": (input - mean) / (variance + eps),
            "statistics of the first row": (input - mean[0]) / np.sqrt(variance[0] + eps),
            "statistics of columns": (input - input.mean(axis=0)) / np.sqrt(input.var(axis=0) + eps),
        }
        wrong = {name: value * weight + bias for name, value in wrong.items()}
        normal = (input - mean) / np.sqrt(variance + eps)
        wrong |= {"weight left out": normal + bias, "bias left out": normal * weight, "plain": normal}
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}
