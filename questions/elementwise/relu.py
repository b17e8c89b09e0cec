"""Oracle of ReLU: a selection, so exact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        x = draw.uniform(rng, n, -4.0, 4.0)
        x[-1] = abs(x[-1]) + 1  # so that a last element left out shows
    elif values == "negative":
        x = -np.abs(draw.spread(rng, n))
    elif values == "positive":
        x = np.abs(draw.spread(rng, n))
    elif values == "tiny":
        x = draw.spread(rng, n) * np.float32(2.0**-100)
    elif values == "zeros":
        x = rng.choice(np.array([0.0, -0.0, 1.5, -1.5], np.float32), n)
    else:
        raise draw.unknown_family(values)
    return {"input": x, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"output": np.maximum(input.astype(np.float64), 0.0)}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    return {
        "absolute value": {"output": np.abs(input)},
        "leaky": {"output": np.where(input > 0, input, input * np.float32(0.01))},
        "clipped at 6": {"output": np.clip(input, 0, 6)},
        "smaller instead of larger": {"output": np.minimum(input, 0)},
        "half precision": {"output": np.maximum(input.astype(np.float16), 0).astype(np.float32)},
    }
