"""Oracle of the batched matrix product, with integer cases that tell fp32 from shorter types."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    batch, m, n, k = (sizes[name] for name in ("BATCH", "M", "N", "K"))
    a, b = draw.uniform(rng, (batch, m, k), -1.0, 1.0), draw.uniform(rng, (batch, k, n), -1.0, 1.0)
    if values == "integers":  # odd, with 12 bits: TF32 and fp16 hold 11, bfloat16 8; sums are exact in fp32
        a = (rng.integers(1024, 2048, (batch, m, k)) * 2 + 1).astype(np.float32)
        b = rng.integers(-1, 2, (batch, k, n)).astype(np.float32)
    elif values == "positive":
        a, b = np.abs(a), np.abs(b)
    elif values != "random":
        raise draw.unknown_family(values)
    return {"A": a, "B": b, "BATCH": batch, "M": m, "N": n, "K": k}


def reference(A: Array, B: Array, BATCH: int, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": A.astype(np.float64) @ B.astype(np.float64)}


def terms(A: Array, B: Array, BATCH: int, M: int, N: int, K: int) -> dict[str, Array]:
    sizes = np.abs(A).astype(np.float64) @ np.abs(B).astype(np.float64)
    step = rounding.quantum(A) * rounding.quantum(B)
    if step and float(sizes.max()) <= step * 2.0**rounding.MANTISSA_BITS:
        return {"C": np.full((BATCH, M, N), rounding.exact_allowance(step))}
    return {"C": sizes * rounding.roundings(K)}


def in_float32(add: Add, A: Array, B: Array, BATCH: int, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": add(A[:, :, None, :] * np.swapaxes(B, 1, 2)[:, None])}


def mistakes(A: Array, B: Array, BATCH: int, M: int, N: int, K: int) -> dict[str, dict[str, Array]]:
    half = A.astype(np.float16).astype(np.float32) @ B.astype(np.float16).astype(np.float32)
    wrong = {
        "half precision": half,
        "the first matrix of B for all": A @ B[:1],
        "the first matrix of A for all": A[:1] @ B,
        "inner dimension one short": A[..., :-1] @ B[:, :-1],
        "only whole tiles of the inner dimension": A[..., : K // 16 * 16] @ B[:, : K // 16 * 16],
        "matrices in reverse order": (A @ B)[::-1],
    }
    return {name: {"C": c} for name, c in wrong.items()}
