"""Oracle of batch normalization with fixed statistics.

Error model, in units of the bound (two roundoffs): most kernels fold the statistics into a scale and a
shift, so both x * scale and mean * scale get rounded, and the shift by what its two parts are in size.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, c, s = sizes["N"], sizes["C"], sizes["S"]
    eps = np.float32(10.0 ** rng.uniform(-6, -4))
    mean = draw.uniform(rng, c, -3.0, 3.0)
    variance = np.exp2(draw.uniform(rng, c, -4.0, 4.0))
    if values == "shifted":
        mean = mean + np.sign(mean) * np.float32(300)
    elif values == "tiny":  # eps decides
        eps = np.float32(1e-5)
        variance = np.exp2(draw.uniform(rng, c, -20.0, -16.0))
    elif values == "dead":  # channels that never varied in training
        variance[rng.permutation(c)[: -(-c // 2)]] = np.float32(0)
    elif values != "random":
        raise draw.unknown_family(values)
    deviation = np.sqrt(variance + eps)
    x = rng.standard_normal((n, c, s), dtype=np.float32) * deviation[:, None] + mean[:, None]
    return {
        "input": x.astype(np.float32),
        "mean": mean,
        "variance": variance.astype(np.float32),
        "weight": draw.uniform(rng, c, 0.5, 2.0) * rng.choice(np.array([-1, 1], np.float32), c),
        "bias": draw.uniform(rng, c, 0.5, 2.0) * rng.choice(np.array([-1, 1], np.float32), c),
        "N": n,
        "C": c,
        "S": s,
        "eps": float(eps),
    }


def reference(
    input: Array, mean: Array, variance: Array, weight: Array, bias: Array, N: int, C: int, S: int, eps: float
) -> dict[str, Array]:
    scale = _scale(variance, weight, eps)
    return {"output": (input.astype(np.float64) - mean[:, None]) * scale + bias[:, None]}


def terms(
    input: Array, mean: Array, variance: Array, weight: Array, bias: Array, N: int, C: int, S: int, eps: float
) -> dict[str, Array]:
    scale = np.abs(_scale(variance, weight, eps))
    products = (np.abs(input) + np.abs(mean)[:, None]) * scale
    return {"output": 8.0 * products + 4.0 * np.abs(bias)[:, None]}


def in_float32(
    add: Add, input: Array, mean: Array, variance: Array, weight: Array, bias: Array, N: int, C: int, S: int,
    eps: float,
) -> dict[str, Array]:  # fmt: skip
    scale = weight / np.sqrt(variance + np.float32(eps))
    return {"output": input * scale[:, None] + (bias - mean * scale)[:, None]}


def mistakes(
    input: Array, mean: Array, variance: Array, weight: Array, bias: Array, N: int, C: int, S: int, eps: float
) -> dict[str, dict[str, Array]]:
    m, v, w, b = (each[:, None] for each in (mean, variance, weight, bias))
    flat = np.arange(N * C * S)
    by_last = [each[flat % C].reshape(input.shape) for each in (mean, variance, weight, bias)]
    own_mean = input.mean(axis=(0, 2), keepdims=True)
    own_variance = input.var(axis=(0, 2), keepdims=True)
    wrong = {
        "eps left out": (input - m) / np.sqrt(v) * w + b,
        "eps outside the root": (input - m) / (np.sqrt(v) + np.float32(eps)) * w + b,
        "divided by the variance": (input - m) / (v + eps) * w + b,
        "variance taken for the deviation": (input - m) / v * w + b,
        "mean not subtracted": input / np.sqrt(v + eps) * w + b,
        "weight left out": (input - m) / np.sqrt(v + eps) + b,
        "bias left out": (input - m) / np.sqrt(v + eps) * w,
        "bias scaled": ((input - m) * w + b) / np.sqrt(v + eps),
        "channel last": (input - by_last[0]) / np.sqrt(by_last[1] + eps) * by_last[2] + by_last[3],
        "statistics of the batch": (input - own_mean) / np.sqrt(own_variance + eps) * w + b,
        "first channel everywhere": (input - mean[0]) / np.sqrt(variance[0] + eps) * weight[0] + bias[0],
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _scale(variance: Array, weight: Array, eps: float) -> Array:
    scale: Array = weight / np.sqrt(variance.astype(np.float64) + eps)
    return scale[:, None]
