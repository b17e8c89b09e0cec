"""Oracle of the row sums."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    rows, cols = sizes["rows"], sizes["cols"]
    if values == "random":  # every row's sum is exact in any order, and no row is like another
        x = draw.whole(rng, (rows, cols), int(np.clip((1 << 24) // cols, 60, 4095))) / np.float32(8)
    else:
        parts = [draw.family(rng, cols, values) for _ in range(rows)]
        if parts[0] is None:
            raise draw.unknown_family(values)
        x = np.stack([part for part in parts if part is not None])
    return {"input": x, **sizes}


def reference(input: Array, rows: int, cols: int) -> dict[str, Array]:
    return {"output": input.sum(axis=1, dtype=np.float64)}


def terms(input: Array, rows: int, cols: int) -> dict[str, Array]:
    sizes = np.abs(input).sum(axis=1, dtype=np.float64)
    step = rounding.quantum(input)
    loose = sizes * rounding.roundings(cols)
    is_exact = sizes <= step * 2.0**rounding.MANTISSA_BITS
    return {"output": np.where(is_exact, rounding.exact_allowance(step), loose)}


def in_float32(add: Add, input: Array, rows: int, cols: int) -> dict[str, Array]:
    return {"output": add(input)}


def mistakes(input: Array, rows: int, cols: int) -> dict[str, dict[str, Array]]:
    right = input.sum(axis=1)
    wrong = {
        "columns added up": np.resize(input.sum(axis=0), rows),
        "rows and columns swapped": input.reshape(cols, rows).sum(axis=0),
        "last column skipped": input[:, :-1].sum(axis=1),
        "first column skipped": input[:, 1:].sum(axis=1),
        "first 1024 columns only": input[:, :1024].sum(axis=1),
        "no last partial float4": input[:, : cols // 4 * 4].sum(axis=1),
        "averages": right / np.float32(cols),
        "total everywhere": np.full(rows, right.sum()),
        "largest elements": input.max(axis=1),
        "half precision": input.astype(np.float16).sum(axis=1, dtype=np.float32).astype(np.float16),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}
