"""Oracle of vector addition: exact in fp64 up to one rounding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random":
        a, b = draw.uniform(rng, n, -8.0, 8.0), draw.uniform(rng, n, -8.0, 8.0)
    elif values == "cancelling":
        a = draw.spread(rng, n)
        b = -a * (1 + draw.uniform(rng, n, 1e-5, 1e-3))
    elif values == "infinite":
        a, b = draw.spread(rng, n), draw.spread(rng, n)
        a[rng.random(n) < 0.2] = np.inf
        b[(rng.random(n) < 0.2) & np.isfinite(a)] = -np.inf
    elif values == "equal":
        a, b = np.full(n, draw.spread(rng, 1)[0]), np.full(n, draw.spread(rng, 1)[0])
    else:
        raise draw.unknown_family(values)
    return {"A": a, "B": b, "N": n}


def reference(A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"C": A.astype(np.float64) + B}


def mistakes(A: Array, B: Array, N: int) -> dict[str, dict[str, Array]]:
    whole_blocks = np.zeros(N, np.float32)
    whole_blocks[: N // 256 * 256] = (A + B)[: N // 256 * 256]
    return {
        "subtraction": {"C": A - B},
        "product": {"C": A * B},
        "next element of B": {"C": A + np.roll(B, -1)},
        "half precision": {"C": (A.astype(np.float16) + B.astype(np.float16)).astype(np.float32)},
        "no last partial block": {"C": whole_blocks},
    }
