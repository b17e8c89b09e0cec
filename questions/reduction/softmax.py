"""Oracle of softmax over one vector.

Error model, in units of the bound (two roundoffs): an exponential costs a few roundings, and its
argument z = x - max is rounded too, which moves exp(z) by |z| roundoffs. The sum of n terms counts
one and a half times, because most of them are small: added one by one to a large sum, they lose
their last bits always in the same direction (measured: 1.4 sqrt(n) roundoffs for 131,072 terms).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    scores = (rng.standard_normal(n, dtype=np.float32) * 2).astype(np.float32)
    if values == "random":
        scores += np.float32(rng.uniform(-5, 5))
    elif values == "wide":  # exp(100) is not a float, exp(-100) no normal one
        scores = draw.uniform(rng, n, -100.0, 100.0)
        scores[rng.integers(n)] = np.float32(100)
    elif values == "shifted":
        scores += np.float32(rng.uniform(2000, 5000))
    elif values == "negative":
        scores -= np.float32(rng.uniform(300, 900))
    elif values == "equal":
        scores[:] = scores[0]
    elif values == "one-hot":
        scores[rng.integers(n)] = scores.max() + np.float32(6)
    elif values == "ties":
        scores[rng.permutation(n)[: max(1, n // 3)]] = scores.max() + np.float32(1)
    else:
        raise draw.unknown_family(values)
    return {"input": scores, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    powers = np.exp(_below_largest(input))
    return {"output": powers / powers.sum()}


def terms(input: Array, N: int) -> dict[str, Array]:
    below = _below_largest(input)
    powers = np.exp(below)
    relative = 4.0 + np.abs(below) + 1.5 * rounding.roundings(N)
    return {"output": powers / powers.sum() * relative + rounding.flush_allowance()}


def in_float32(add: Add, input: Array, N: int) -> dict[str, Array]:
    powers = np.exp(input - input.max())
    return {"output": powers / add(powers)}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    powers = np.exp(input - input.max())
    plain = np.exp(input)
    first = powers[:256].sum()
    by_block = np.concatenate([_softmax(input[i : i + 256]) for i in range(0, N, 256)])
    wrong = {
        "largest score not subtracted": plain / plain.sum(),
        "not divided by the sum": powers,
        "sum over the first block only": powers / first,
        "each block on its own": by_block,
        "largest of zero and the scores": np.exp(input - max(input.max(), np.float32(0)))
        / np.exp(input - max(input.max(), np.float32(0))).sum(),
        "powers of two": np.exp2(input - input.max()) / np.exp2(input - input.max()).sum(),
        "uniform": np.full(N, 1 / N, np.float32),
        "half precision": _softmax(input.astype(np.float16).astype(np.float32)),
        "only the largest score": (input == input.max()).astype(np.float32),
    }
    return {name: {"output": value} for name, value in wrong.items()}


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def _below_largest(scores: Array) -> Array:
    wide = scores.astype(np.float64)
    return wide - wide.max()
