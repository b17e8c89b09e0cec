"""Oracle of the inclusive prefix sum."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    x = draw.family(rng, sizes["N"], values)
    if x is None:
        raise draw.unknown_family(values)
    return {"input": x, "N": sizes["N"]}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"output": np.cumsum(input, dtype=np.float64)}


def terms(input: Array, N: int) -> dict[str, Array]:
    step = rounding.exact_quantum(input)
    if step:
        return {"output": np.full(N, rounding.exact_allowance(step))}
    return {"output": np.cumsum(np.abs(input), dtype=np.float64) * rounding.roundings(np.arange(1, N + 1))}


def in_float32(add: Add, input: Array, N: int) -> dict[str, Array]:
    """Blocks of 256, each after the sum of all totals before it."""
    blocks = [np.cumsum(input[i : i + 256]) for i in range(0, N, 256)]
    totals = np.array([block[-1] for block in blocks], np.float32)
    before = [np.float32(0), *(add(totals[:i]) for i in range(1, len(blocks)))]
    return {"output": np.concatenate([b + t for b, t in zip(blocks, before, strict=True)])}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    running = np.cumsum(input)
    blocks = [np.cumsum(input[i : i + 256]) for i in range(0, N, 256)]
    totals = np.array([b[-1] for b in blocks], np.float32)
    previous = np.concatenate([[0], totals[:-1]])
    wrong = {
        "exclusive": running - input,
        "each block on its own": np.concatenate(blocks),
        "total of one block before only": np.concatenate(
            [b + p for b, p in zip(blocks, previous, strict=True)]
        ),
        "from the other end": np.cumsum(input[::-1])[::-1],
        "half precision": np.cumsum(input.astype(np.float16)).astype(np.float32),
        "total everywhere": np.full(N, running[-1]),
        "two neighbours only": input + np.concatenate([[0], input[:-1]]),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}
