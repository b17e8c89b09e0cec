"""Oracle of the histogram: counts are exact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, bins = sizes["N"], sizes["num_bins"]
    if values == "random":
        x = rng.integers(0, bins, n, dtype=np.int32)
    elif values == "skewed":  # nine of ten in a few bins, the rest anywhere
        crowd = rng.choice(rng.permutation(bins)[:3], n)
        x = np.where(rng.random(n) < 0.9, crowd, rng.integers(0, bins, n))
    elif values == "one-bin":
        x = np.full(n, bins - 1)
    elif values == "sorted":
        x = np.sort(rng.integers(0, bins, n))
    elif values == "ends":
        x = rng.choice([0, bins - 1], n)
    else:
        raise draw.unknown_family(values)
    return {"input": x.astype(np.int32), "N": n, "num_bins": bins}


def reference(input: Array, N: int, num_bins: int) -> dict[str, Array]:
    return {"histogram": np.bincount(input, minlength=num_bins)}


def mistakes(input: Array, N: int, num_bins: int) -> dict[str, dict[str, Array]]:
    def count(x: Array) -> Array:
        return np.bincount(x, minlength=num_bins)[:num_bins].astype(np.int32)

    right = count(input)
    wrong = {
        "last element skipped": count(input[:-1]),
        "first element skipped": count(input[1:]),
        "first block only": count(input[:256]),
        "no last partial block": count(input[: N // 256 * 256]),
        "updates lost": np.minimum(right, 1),
        "eight-bit counters": right % 256,
        "bins off by one": np.roll(right, 1),
        "last bin dropped": np.where(np.arange(num_bins) < num_bins - 1, right, 0),
        "running sums": np.cumsum(right),
    }
    return {name: {"histogram": value.astype(np.int32)} for name, value in wrong.items()}
