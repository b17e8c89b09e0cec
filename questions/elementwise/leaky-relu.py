"""Oracle of the leaky ReLU: one product, so two roundings with that of the slope itself."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs

SLOPE = 0.01


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        x = draw.uniform(rng, n, -4.0, 4.0)
        x[-1] = -abs(x[-1]) - 1  # so that a last element left out or not scaled shows
    elif values == "negative":
        x = -np.abs(draw.spread(rng, n))
    elif values == "positive":
        x = np.abs(draw.spread(rng, n))
    elif values == "wide":
        x = draw.spread(rng, n, 100.0)
    elif values == "zeros":
        x = rng.choice(np.array([0.0, -0.0, 1.5, -1.5], np.float32), n)
    else:
        raise draw.unknown_family(values)
    return {"input": x, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    x = input.astype(np.float64)
    return {"output": np.where(x > 0, x, SLOPE * x)}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    x = input.astype(np.float64)
    return {
        "plain ReLU": {"output": np.maximum(x, 0)},
        "slope 0.1": {"output": np.where(x > 0, x, 0.1 * x)},
        "slope on the wrong side": {"output": np.where(x > 0, SLOPE * x, x)},
        "slope everywhere": {"output": SLOPE * x},
        "sign lost": {"output": np.where(x > 0, x, -SLOPE * x)},
        "ELU": {"output": np.where(x > 0, x, SLOPE * np.expm1(x))},
        "half precision": {"output": np.where(x > 0, x, SLOPE * x).astype(np.float16)},
    }
