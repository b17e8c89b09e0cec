"""Oracle of the bfloat16 matrix product: float sums, rounded once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, k = sizes["M"], sizes["N"], sizes["K"]
    if values == "integers":  # float sums are exact, and small enough for a result to be so, too
        a, b = draw.whole(rng, (m, k), 3), draw.whole(rng, (k, n), 2)
        b *= rng.integers(0, 2, (k, n))
    elif values == "wide":  # beyond half precision at both ends
        a, b = draw.spread(rng, (m, k), 20.0), draw.spread(rng, (k, n), 20.0)
    else:
        a, b = draw.uniform(rng, (m, k), -1.0, 1.0), draw.uniform(rng, (k, n), -1.0, 1.0)
        if values == "cancelling":  # neighbours along the inner dimension nearly cancel
            pairs = k // 2
            b[1 : 2 * pairs : 2] = -b[0 : 2 * pairs : 2]
            a[:, 1 : 2 * pairs : 2] = a[:, 0 : 2 * pairs : 2] * (1 + draw.uniform(rng, (m, pairs), -0.02, 0.02))
            a[:, 2 * pairs :] *= np.float32(0.01)
        elif values != "random":
            raise draw.unknown_family(values)
    return {"A": draw.narrow(a, "bfloat16"), "B": draw.narrow(b, "bfloat16"), "M": m, "N": n, "K": k}


def reference(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": A.astype(np.float64) @ B.astype(np.float64)}


def terms(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    sizes = np.abs(A.astype(np.float64)) @ np.abs(B.astype(np.float64))
    return {"C": sizes * rounding.roundings(K)}


def in_float32(add: Add, A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    a, columns = A.astype(np.float32), B.astype(np.float32).T
    return {"C": np.stack([add(row * columns) for row in a])}


def mistakes(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, dict[str, Array]]:
    a, b = A.astype(np.float32), B.astype(np.float32)
    half = a.astype(np.float16).astype(np.float32) @ b.astype(np.float16).astype(np.float32)
    running, kind = np.zeros((M, N), dtype_of("bfloat16")), dtype_of("bfloat16")
    for k in range(K):
        running = (running.astype(np.float32) + a[:, k : k + 1] * b[k]).astype(kind)
    sums = np.ascontiguousarray(a @ b)
    whole = K // 16 * 16
    wrong = {
        "half precision": half,
        "sums kept in bfloat16": running,
        "cut off instead of rounded": (sums.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32),
        "inner dimension one short": a[:, :-1] @ b[:-1],
        "only whole tiles of the inner dimension": a[:, :whole] @ b[:whole],
        "average instead of sum": sums / np.float32(K),
    }
    return {name: {"C": c} for name, c in wrong.items()}
