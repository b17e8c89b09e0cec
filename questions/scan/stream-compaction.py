"""Oracle of stream compaction: the positive elements in order, then zeros."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    x = draw.uniform(rng, n, 0.1, 1.0)
    match values:
        case "random":  # half are kept
            x *= rng.integers(0, 2, n, dtype=np.int8) * np.int8(2) - np.int8(1)
        case "sparse":
            x = np.where(rng.random(n) < 0.01, x, -x)
            x[-1] = 2
        case "all":
            pass
        case "none":
            x = -x
        case "runs":  # long stretches of one sign, among them whole tiles
            signs = rng.choice([-1, 1], n // 3000 + 1)
            x *= np.repeat(signs, 3000)[:n].astype(np.float32)
            x[rng.integers(n, size=5)] *= -1
        case "zeros":  # of either sign, between the others
            x *= rng.integers(-1, 2, n).astype(np.float32)
        case "tiny":  # the smallest normal numbers are positive, too
            x = np.where(rng.random(n) < 0.5, np.float32(1.2e-38), -x)
        case _:
            raise draw.unknown_family(values)
    return {"A": x.astype(np.float32), "N": n}


def reference(A: Array, N: int) -> dict[str, Array]:
    return {"out": _padded(A[A > 0], N)}


def mistakes(A: Array, N: int) -> dict[str, dict[str, Array]]:
    kept = A[A > 0]
    blocks = [A[i : i + 256] for i in range(0, N, 256)]
    separate = np.concatenate([_padded(block[block > 0], len(block)) for block in blocks])
    wrong = {
        "gaps left open": np.where(A > 0, A, 0),
        "zeros kept": A[A >= 0],
        "negative ones kept": A[A < 0],
        "in reverse": kept[::-1],
        "sorted": np.sort(kept),
        "each block on its own": separate,
        "blocks in another order": np.concatenate([b[b > 0] for b in blocks[::-1]]),
        "last element skipped": A[:-1][A[:-1] > 0],
        "first block only": A[:256][A[:256] > 0],
        "rest not zero": np.concatenate([kept, A[len(kept) :]]),
        "one place late": np.concatenate([[0], kept])[:N],
        "above a threshold": A[A > 1e-6],
    }
    return {name: {"out": _padded(value, N)} for name, value in wrong.items()}


def _padded(values: Array, length: int) -> Array:
    return np.concatenate([values, np.zeros(length - len(values))]).astype(np.float32)
