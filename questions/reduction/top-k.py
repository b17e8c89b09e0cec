"""Oracle of the k largest elements in descending order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, k = sizes["N"], sizes["k"]
    x = draw.uniform(rng, n, -1.0, 1.0)
    match values:
        case "random":
            pass
        case "ties":  # far fewer values than places to fill
            x = rng.integers(1, 8, n).astype(np.float32)
        case "ascending":
            x = np.sort(x)
        case "together":  # all winners in one stretch that a single block reads
            start = rng.integers(n - k)
            x[start : start + k] += 5
        case "strided":  # all winners in the same lane
            x[np.arange(k) * (n // k) // 32 * 32 + 7] += 5
        case "equal":
            x[:] = rng.uniform(1, 2)
        case "negative":
            x = -np.abs(x) - np.float32(0.5)
        case "infinite":
            x[rng.choice(n, k // 2, replace=False)] = np.inf
            x[rng.choice(n, n - k, replace=False)] = -np.inf
        case _:
            raise draw.unknown_family(values)
    return {"input": x, "N": n, "k": k}


def reference(input: Array, N: int, k: int) -> dict[str, Array]:
    return {"output": _largest(input, k)}


def mistakes(input: Array, N: int, k: int) -> dict[str, dict[str, Array]]:
    distinct = np.unique(input)[::-1]
    lanes = np.resize(input, (-(-N // 32), 32)).max(axis=1)
    later = _largest(input, min(N, 2 * k))[-k:]
    wrong = {
        "ascending": _largest(input, k)[::-1],
        "smallest": -_largest(-input, k),
        "equal values once": np.resize(distinct[:k], k),
        "largest sizes": _largest(np.abs(input), k),
        "the next k": later,
        "unsorted": input[np.sort(np.argsort(-input, kind="stable")[:k])],
        "one winner per warp": np.resize(_largest(lanes, min(k, len(lanes))), k),
        "from the first block": np.resize(_largest(input[:1024], min(k, N, 1024)), k),
        "last element skipped": np.resize(_largest(input[:-1], min(k, N - 1)), k) if N > 1 else input * 0,
        "half precision": _largest(input.astype(np.float16), k),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _largest(values: Array, k: int) -> Array:
    """The k largest, largest first."""
    return np.sort(np.partition(values, len(values) - k)[len(values) - k :])[::-1]
