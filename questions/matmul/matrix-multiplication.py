"""Oracle of the matrix product, with integer cases that tell fp32 from TF32, fp16 and bfloat16."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, k = sizes["M"], sizes["N"], sizes["K"]
    a, b = draw.uniform(rng, (m, n), -1.0, 1.0), draw.uniform(rng, (n, k), -1.0, 1.0)
    if values == "integers":
        # Odd, with 12 bits: TF32 and fp16 hold 11, bfloat16 8. Sums stay below 2^24, so fp32 is exact.
        a = (rng.integers(1024, 2048, (m, n)) * 2 + 1).astype(np.float32)
        a *= rng.choice(np.array([-1, 1], np.float32), (m, n))
        b = rng.integers(-1, 2, (n, k)).astype(np.float32)
    elif values == "cancelling":  # neighbours along the inner dimension nearly cancel
        pairs = n // 2
        a[:, 1 : 2 * pairs : 2] = a[:, 0 : 2 * pairs : 2] * (1 + draw.uniform(rng, (m, pairs), -0.02, 0.02))
        b[1 : 2 * pairs : 2] = -b[0 : 2 * pairs : 2]
        a[:, 2 * pairs :] *= np.float32(0.01)
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
        return {"C": np.full((M, K), rounding.exact_allowance(step))}
    return {"C": sizes * rounding.roundings(N)}


def in_float32(add: Add, A: Array, B: Array, M: int, N: int, K: int) -> dict[str, Array]:
    return {"C": np.stack([add(row * B.T) for row in A])}


def mistakes(A: Array, B: Array, M: int, N: int, K: int) -> dict[str, dict[str, Array]]:
    def rounded(x: Array, bits: int) -> Array:
        """`x` with its mantissa rounded to `bits` bits, the leading one included."""
        fraction, exponent = np.frexp(x)
        return np.ldexp(np.rint(fraction * 2**bits) / 2**bits, exponent).astype(np.float32)

    whole = N // 16 * 16
    wrong = {
        "TF32": rounded(A, 11) @ rounded(B, 11),
        "bfloat16": rounded(A, 8) @ rounded(B, 8),
        "half precision": A.astype(np.float16).astype(np.float32) @ B.astype(np.float16).astype(np.float32),
        "inner dimension one short": A[:, :-1] @ B[:-1],
        "only whole tiles of the inner dimension": A[:, :whole] @ B[:whole],
        "average instead of sum": A @ B / np.float32(N),
        "M and N confused": A.reshape(-1)[np.arange(M)[:, None] * M + np.arange(N)[None] % M] @ B
        if N >= M
        else np.zeros((M, K)),
    }
    return {name: {"C": c} for name, c in wrong.items()}
