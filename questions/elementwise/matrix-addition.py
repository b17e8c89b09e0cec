"""Oracle of matrix addition: exact in fp64 up to one rounding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["N"], sizes["N"])
    if values == "random":
        a, b = draw.uniform(rng, shape, -8.0, 8.0), draw.uniform(rng, shape, -8.0, 8.0)
    elif values == "cancelling":
        a = draw.spread(rng, shape)
        b = -a * (1 + draw.uniform(rng, shape, 1e-5, 1e-3))
    elif values == "infinite":
        a, b = draw.spread(rng, shape), draw.spread(rng, shape)
        a[rng.random(shape) < 0.2] = np.inf
        b[(rng.random(shape) < 0.2) & np.isfinite(a)] = -np.inf
    elif values == "equal":
        a, b = np.full(shape, draw.spread(rng, 1)[0]), np.full(shape, draw.spread(rng, 1)[0])
    else:
        raise draw.unknown_family(values)
    return {"A": a, "B": b, "N": sizes["N"]}


def reference(A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"C": A.astype(np.float64) + B}


def mistakes(A: Array, B: Array, N: int) -> dict[str, dict[str, Array]]:
    right = A + B
    first_row, corner = np.zeros_like(right), np.zeros_like(right)
    first_row[0] = right[0]
    whole = N // 16 * 16
    corner[:whole, :whole] = right[:whole, :whole]
    return {
        "B transposed": {"C": A + B.T},
        "result transposed": {"C": right.T},
        "subtraction": {"C": A - B},
        "only N of the N * N elements": {"C": first_row},
        "no last partial tile": {"C": corner},
    }
