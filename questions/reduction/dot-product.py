"""Oracle of the dot product."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    if values == "random" and n > 4096:  # products up to 144: exact sums for any order
        a, b = draw.whole(rng, n, 12), draw.whole(rng, n, 12)
    elif values == "real":
        a, b = draw.uniform(rng, n, -1.0, 1.0), draw.uniform(rng, n, -1.0, 1.0)
        a += np.float32(rng.uniform(-1, 1))
    else:
        drawn = draw.family(rng, n, values)
        if drawn is None:
            raise draw.unknown_family(values)
        a, b = drawn, rng.choice(np.array([-1, 1], np.float32), n)
        if values == "cancelling":  # the products cancel, not the factors
            a *= b
        elif values in ("negative", "equal"):
            b[:] = np.float32(0.5)
    return {"A": a, "B": b, "N": n}


def reference(A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"result": _products(A, B).sum(keepdims=True)}


def terms(A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"result": np.array([rounding.sum_allowance(_products(A, B))])}


def in_float32(add: Add, A: Array, B: Array, N: int) -> dict[str, Array]:
    return {"result": add((A * B)[None])}


def mistakes(A: Array, B: Array, N: int) -> dict[str, dict[str, Array]]:
    products = A * B
    wrong = {
        "last product skipped": products[:-1].sum(keepdims=True),
        "first product skipped": products[1:].sum(keepdims=True),
        "first block only": products[:256].sum(keepdims=True),
        "no last partial block": products[: N // 256 * 256].sum(keepdims=True),
        "average": products.sum(keepdims=True) / np.float32(N),
        "half precision": (A.astype(np.float16) * B.astype(np.float16)).sum(keepdims=True),
        "sum of A": A.sum(keepdims=True),
        "A with itself": (A * A).sum(keepdims=True),
        "sums multiplied": A.sum(keepdims=True) * B.sum(keepdims=True),
    }
    return {name: {"result": value.astype(np.float32)} for name, value in wrong.items()}


def _products(A: Array, B: Array) -> Array:
    """Exact: a product of two float32 fits into a float64."""
    return A.astype(np.float64) * B
