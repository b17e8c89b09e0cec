"""Oracle of the matrix product with long sums; integer cases tell fp32 from shorter types."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, k = sizes["M"], sizes["N"], sizes["K"]
    a, b = draw.uniform(rng, (m, k), -1.0, 1.0), draw.uniform(rng, (k, n), -1.0, 1.0)
    if values == "integers":  # odd, with 12 bits: TF32 and fp16 hold 11, bfloat16 8; sums are exact in fp32
        a = (rng.integers(1024, 2048, (m, k)) * 2 + 1).astype(np.float32)
        b = rng.integers(-1, 2, (k, n)).astype(np.float32)
    elif values == "positive":
        a, b = np.abs(a), np.abs(b)
    elif values != "random":
        raise draw.unknown_family(values)
    return {"A": a, "B": b, "M": m, "N": n, "K": k}


def reference(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": A.astype(np.float64) @ B.astype(np.float64)}


def terms(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    sizes = np.abs(A).astype(np.float64) @ np.abs(B).astype(np.float64)
    step = rounding.quantum(A) * rounding.quantum(B)
    if step and float(sizes.max()) <= step * 2.0**rounding.MANTISSA_BITS:
        return {"C": np.full((M, N), rounding.exact_allowance(step))}
    return {"C": sizes * rounding.roundings(K)}


def in_float32(add: Add, A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": np.stack([add(row * B.T) for row in A])}


def mistakes(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, dict[str, Array]]:
    half = A.astype(np.float16).astype(np.float32) @ B.astype(np.float16).astype(np.float32)
    whole, range_of = K // 256 * 256, -(-K // 4)
    wrong = {
        "half precision": half,
        "only whole ranges of the inner dimension": A[:, :whole] @ B[:whole],
        "one range overwrites the others": A[:, 3 * range_of :] @ B[3 * range_of :],
        "ranges overlap by one": A @ B + A[:, min(range_of, K - 1), None] * B[min(range_of, K - 1)],
        "inner dimension one short": A[:, :-1] @ B[:-1],
    }
    return {name: {"C": c} for name, c in wrong.items()}
