"""Oracle of the sum reduction."""

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
    return {"output": input.sum(dtype=np.float64, keepdims=True)}


def terms(input: Array, N: int) -> dict[str, Array]:
    return {"output": np.array([rounding.sum_allowance(input)])}


def in_float32(add: Add, input: Array, N: int) -> dict[str, Array]:
    return {"output": add(input[None])}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    total = input.sum(keepdims=True)
    wrong = {
        "last element skipped": input[:-1].sum(keepdims=True),
        "first element skipped": input[1:].sum(keepdims=True),
        "first block only": input[:256].sum(keepdims=True),
        "no last partial block": input[: N // 256 * 256].sum(keepdims=True),
        "no last partial float4": input[: N // 4 * 4].sum(keepdims=True),
        "average": total / np.float32(N),
        "extrapolated from half": 2 * input[: N // 2].sum(keepdims=True),
        "half precision": input.astype(np.float16).sum(keepdims=True).astype(np.float32),
        "largest element": input.max(keepdims=True),
        "sizes added": np.abs(input).sum(keepdims=True),
    }
    return {name: {"output": value} for name, value in wrong.items()}
