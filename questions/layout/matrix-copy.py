"""Oracle of the copy. A copy of an input is the right answer here, so nothing can forbid it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        a = draw.uniform(rng, (n, n), -1.0, 1.0)
    elif values == "rising":  # each tells where it came from
        a = np.arange(1, n * n + 1, dtype=np.float32).reshape(n, n) + np.float32(rng.integers(1000))
    elif values == "infinite":
        a = draw.spread(rng, (n, n))
        a[rng.random((n, n)) < 0.2] = np.inf
    else:
        raise draw.unknown_family(values)
    return {"A": a, "N": n}


def reference(A: Array, N: int) -> dict[str, Array]:
    return {"B": A.astype(np.float64)}


def mistakes(A: Array, N: int) -> dict[str, dict[str, Array]]:
    first_row, corner = np.zeros_like(A), np.zeros_like(A)
    first_row[0] = A[0]
    whole = N // 16 * 16
    corner[:whole, :whole] = A[:whole, :whole]
    return {
        "transposed": {"B": A.T},
        "only N of the N * N elements": {"B": first_row},
        "no last partial tile": {"B": corner},
        "half precision": {"B": A.astype(np.float16).astype(np.float32)},
    }
