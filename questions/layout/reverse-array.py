"""Oracle of the reversal: values move and stay what they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        x = draw.uniform(rng, n, -1.0, 1.0)
    elif values == "rising":  # each tells where it came from
        x = np.arange(1, n + 1, dtype=np.float32) + np.float32(rng.integers(1000))
    elif values == "halves":  # two values only: a swap left out shows in every pair all the same
        x = np.full(n, 1.5, np.float32)
        x[n // 2 :] = -2.0
    else:
        raise draw.unknown_family(values)
    return {"input": x, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"input": input[::-1].astype(np.float64)}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    half = N // 2
    one_way, quads = input.copy(), input.copy()
    one_way[:half] = input[::-1][:half]
    whole = N // 4 * 4
    quads[:whole] = input[:whole][::-1]
    return {
        "nothing done": {"input": input},
        "second half not written": {"input": one_way},
        "only whole float4s": {"input": quads},
        "float4s in order, not turned": {"input": input.copy() if N % 4 else input.reshape(-1, 4)[::-1]},
        "rotated by one": {"input": np.roll(input[::-1], 1)},
        "half precision": {"input": input[::-1].astype(np.float16).astype(np.float32)},
    }
