"""Oracle of a residual addition fused with RMS normalization.

Error model, in units of the bound (two roundoffs): h = x + residual is rounded once, by h itself even
where its terms cancel; the mean square adds C positive terms, so it is off by the roundings of a sum
times itself, and the square root halves that; the last steps round the result a few times.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, c = sizes["N"], sizes["C"]
    eps = np.float32(10.0 ** rng.uniform(-6, -4))
    x = rng.standard_normal((n, c), dtype=np.float32)
    residual = rng.standard_normal((n, c), dtype=np.float32) + draw.uniform(rng, (n, 1), -1.0, 1.0)
    if values == "random":
        size = np.exp2(draw.uniform(rng, (n, 1), -3.0, 3.0))
        x, residual = x * size, residual * size
    elif values == "cancelling":  # x is nearly -residual, so that little is left of either
        residual = residual * np.float32(64)
        x = x / np.float32(16) - residual
    elif values == "equal":  # with so large an eps that the answer is not the weights again
        eps = np.float32(3)
        x[:] = np.rint(draw.uniform(rng, (n, 1), 4.0, 40.0)) / 8
        residual[:] = np.rint(draw.uniform(rng, (n, 1), 4.0, 40.0)) / 8
    elif values == "tiny":  # the mean square is around a tenth of eps
        eps = np.float32(1e-5)
        x, residual = x * np.float32(6e-4), residual * np.float32(6e-4)
    elif values == "shifted":  # a mean far above the deviation: it is not subtracted here
        residual = residual + draw.uniform(rng, (n, 1), 50.0, 100.0)
    elif values == "outlier":
        x[np.arange(n), rng.integers(0, c, n)] = np.float32(300)
    else:
        raise draw.unknown_family(values)
    weight = draw.uniform(rng, c, 0.5, 2.0) * rng.choice(np.array([-1, 1], np.float32), c)
    return {
        "x": x.astype(np.float32),
        "residual": residual.astype(np.float32),
        "weight": weight,
        "N": n,
        "C": c,
        "eps": float(eps),
    }


def reference(x: Array, residual: Array, weight: Array, N: int, C: int, eps: float) -> dict[str, Array]:
    h = x.astype(np.float64) + residual
    return {"out": h / np.sqrt(np.square(h).mean(axis=1, keepdims=True) + eps) * weight}


def terms(x: Array, residual: Array, weight: Array, N: int, C: int, eps: float) -> dict[str, Array]:
    result = np.abs(reference(x, residual, weight, N, C, eps)["out"])
    return {"out": result * (6.0 + rounding.roundings(C) / 2) + rounding.flush_allowance()}


def in_float32(
    add: Add, x: Array, residual: Array, weight: Array, N: int, C: int, eps: float
) -> dict[str, Array]:
    h = x + residual
    return {"out": h / np.sqrt(add(h * h) / np.float32(C) + np.float32(eps))[:, None] * weight}


def mistakes(
    x: Array, residual: Array, weight: Array, N: int, C: int, eps: float
) -> dict[str, dict[str, Array]]:
    h = x + residual
    square = np.square(h).mean(axis=1, keepdims=True)
    mean = h.mean(axis=1, keepdims=True)
    wrong = {
        "residual left out": x / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + eps) * weight,
        "residual not normalized": x / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + eps) * weight
        + residual,
        "scale of x alone": h / np.sqrt(np.square(x).mean(axis=1, keepdims=True) + eps) * weight,
        "mean subtracted": (h - mean) / np.sqrt(h.var(axis=1, keepdims=True) + eps) * weight,
        "sum in the place of the mean": h / np.sqrt(square * C + eps) * weight,
        "divided by C - 1": h / np.sqrt(square * (C / max(C - 1, 1)) + eps) * weight,
        "eps left out": h / np.sqrt(square) * weight,
        "eps outside the root": h / (np.sqrt(square) + eps) * weight,
        "divided by the mean square": h / (square + eps) * weight,
        "weight left out": h / np.sqrt(square + eps),
        "one plus the weight": h / np.sqrt(square + eps) * (1 + weight),
        "statistics of the first row": h / np.sqrt(square[0] + eps) * weight,
        "statistics of columns": h / np.sqrt(np.square(h).mean(axis=0) + eps) * weight,
    }
    return {name: {"out": value.astype(np.float32)} for name, value in wrong.items()}
