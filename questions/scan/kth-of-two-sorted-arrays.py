"""Oracle of the k-th smallest of two sorted arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    a, b = (draw.uniform(rng, sizes[n], -1.0, 1.0) for n in ("M", "N"))
    match values:
        case "random":
            pass
        case "ties":
            a, b = (rng.integers(1, 6, len(x)).astype(np.float32) for x in (a, b))
        case "a-above-b":
            a += 3
        case "b-above-a":
            b += 3
        case "equal":
            a[:] = b[:] = rng.uniform(1, 2)
        case "crowded":  # all of B lies between two neighbours of A
            a = np.sort(a)
            middle = len(a) // 2
            a[middle:] += 10
            b = b + 5
        case _:
            raise draw.unknown_family(values)
    return {"A": np.sort(a), "B": np.sort(b), **sizes}


def reference(A: Array, B: Array, M: int, N: int, k: int) -> dict[str, Array]:
    return {"output": np.array([_all(A, B, k - 1)])}


def mistakes(A: Array, B: Array, M: int, N: int, k: int) -> dict[str, dict[str, Array]]:
    everything = np.concatenate([A, B])
    distinct = np.unique(everything)
    wrong = {
        "counted from zero": _all(A, B, min(k, M + N - 1)),
        "one too low": _all(A, B, max(k - 2, 0)),
        "k-th largest": _all(A, B, M + N - k),
        "k-th of one array after the other": everything[k - 1],
        "A alone": A[min(k, M) - 1],
        "B alone": B[min(k, N) - 1],
        "equal numbers count once": distinct[min(k, len(distinct)) - 1],
        "half of k from each": max(A[min((k + 1) // 2, M) - 1], B[min(max(k // 2, 1), N) - 1]),
    }
    return {name: {"output": np.array([value], np.float32)} for name, value in wrong.items()}


def _all(a: Array, b: Array, index: int) -> float:
    """The element at `index` of all in order."""
    everything = np.concatenate([a, b])
    return float(np.partition(everything, index)[index])
