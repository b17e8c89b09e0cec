"""Oracle of the interleaving: values move and stay what they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        a, b = draw.uniform(rng, n, -1.0, 1.0), draw.uniform(rng, n, -1.0, 1.0)
    elif values == "rising":  # each tells where it came from
        a = np.arange(1, n + 1, dtype=np.float32) + np.float32(rng.integers(1000))
        b = -a
    elif values == "constants":
        a, b = np.full(n, 1.5, np.float32), np.full(n, -2.5, np.float32)
    else:
        raise draw.unknown_family(values)
    return {"A": a, "B": b, "N": n}


def reference(A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"output": np.stack([A, B], axis=1).reshape(-1).astype(np.float64)}


def mistakes(A: Array, B: Array, N: int) -> dict[str, dict[str, Array]]:
    right = np.stack([A, B], axis=1).reshape(-1)
    whole = right.copy()
    whole[N // 2 * 4 :] = 0
    blocks = np.concatenate([np.concatenate([A[i : i + 4], B[i : i + 4]]) for i in range(0, N, 4)])
    return {
        "one after the other": {"output": np.concatenate([A, B])},
        "swapped": {"output": np.stack([B, A], axis=1)},
        "four by four": {"output": blocks},
        "A twice": {"output": np.repeat(A, 2)},
        "last pair of an odd N left out": {"output": whole},
        "half precision": {"output": right.astype(np.float16).astype(np.float32)},
    }
