"""Oracle of value clipping: a selection, so exact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    x = draw.uniform(rng, n, -100.0, 100.0)
    lo, hi = (float(np.float32(v)) for v in (rng.uniform(-60, -20), rng.uniform(20, 60)))
    if values == "random":
        x[0] = x[0] / 10 + (1 if x[0] > 0 else -1)  # within the range, so that no constant answers N = 1
    elif values == "at_the_limits":
        ends = np.array([lo, hi], np.float32)
        x = rng.choice(np.concatenate([ends, np.nextafter(ends, np.inf), np.nextafter(ends, -np.inf)]), n)
    elif values == "one_point":
        hi = lo
    elif values == "positive_range":
        lo, hi = hi / 4, hi
    elif values == "negative_range":
        lo, hi = lo, lo / 4
    elif values == "infinite":
        x[rng.random(n) < 0.3] = np.inf
        x[rng.random(n) < 0.3] = -np.inf
    else:
        raise draw.unknown_family(values)
    return {"input": x, "lo": lo, "hi": hi, "N": n}


def reference(input: Array, lo: float, hi: float, N: int) -> dict[str, Array]:
    return {"output": np.clip(input.astype(np.float64), lo, hi)}


def mistakes(input: Array, lo: float, hi: float, N: int) -> dict[str, dict[str, Array]]:
    x = input.astype(np.float64)
    return {
        "only the lower limit": {"output": np.maximum(x, lo)},
        "only the upper limit": {"output": np.minimum(x, hi)},
        "limits swapped": {"output": np.minimum(np.maximum(x, hi), lo)},
        "zero outside of the range": {"output": np.where((x < lo) | (x > hi), 0, x)},
        "symmetric about zero": {"output": np.clip(x, -hi, hi)},
        "whole-number limits": {"output": np.clip(x, int(lo), int(hi))},
        "half precision": {"output": np.clip(x, lo, hi).astype(np.float16)},
    }
