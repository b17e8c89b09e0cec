"""Oracle of softmax over the rows of a matrix, with masked scores.

Error model as for one vector, in units of the bound (two roundoffs): an exponential costs a few
roundings, its argument z = x - max is rounded too, which moves exp(z) by |z| roundoffs, and most of
the terms of a long sum are small (one and a half times what a sum usually costs).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    rows, cols = sizes["rows"], sizes["cols"]
    scores = rng.standard_normal((rows, cols), dtype=np.float32)
    scores *= 2
    lead = rng.integers(0, cols, rows)
    if values == "random":
        scores += draw.uniform(rng, (rows, 1), -5.0, 5.0)
    elif values == "wide":  # exp(100) is not a float, exp(-100) no normal one
        scores = draw.uniform(rng, (rows, cols), -100.0, 100.0)
        scores[np.arange(rows), lead] = np.float32(100)
    elif values == "shifted":  # every row by another number, up or down
        scores += draw.uniform(rng, (rows, 1), 300.0, 3000.0) * np.where(np.arange(rows) % 2, -1, 1)[:, None]
        scores = scores.astype(np.float32)
    elif values == "equal":
        scores[:] = scores[:, :1]
    elif values == "dominated":  # one score carries most of its row
        scores[np.arange(rows), lead] = scores.max(axis=1) + np.float32(8)
    elif values == "masked":  # all but a random half, and one row all but one score
        scores[rng.random((rows, cols)) < 0.5] = -np.inf
        scores[0] = -np.inf
        scores[np.arange(rows), lead] = np.float32(1)
    elif values == "causal":  # row r sees the first r + 1 scores
        scores[np.arange(cols) > np.arange(rows)[:, None]] = -np.inf
    else:
        raise draw.unknown_family(values)
    return {"input": scores, "rows": rows, "cols": cols}


def reference(input: Array, rows: int, cols: int) -> dict[str, Array]:
    powers = input.astype(np.float64)
    powers -= powers.max(axis=1, keepdims=True)
    np.exp(powers, out=powers)
    powers /= powers.sum(axis=1, keepdims=True)
    return {"output": powers}


def terms(input: Array, rows: int, cols: int) -> dict[str, Array]:
    below = input - input.max(axis=1, keepdims=True)  # float32 is enough for an estimate
    share = np.exp(below)
    share /= share.sum(axis=1, keepdims=True)
    np.maximum(below, np.float32(-1e30), out=below)  # a masked score's share is 0: 0 times a number
    share *= float(4.0 + 1.5 * rounding.roundings(cols)) - below
    share += np.float32(rounding.flush_allowance())
    return {"output": share}


def in_float32(add: Add, input: Array, rows: int, cols: int) -> dict[str, Array]:
    powers = np.exp(input - input.max(axis=1, keepdims=True))
    return {"output": powers / add(powers)[:, None]}


def mistakes(input: Array, rows: int, cols: int) -> dict[str, dict[str, Array]]:
    largest = input.max(axis=1, keepdims=True)
    powers = np.exp(input - largest)
    plain = np.exp(input)
    columns = np.exp(input - input.max(axis=0))
    finite = np.isfinite(input)
    wrong = {
        "largest score not subtracted": plain / plain.sum(axis=1, keepdims=True),
        "not divided by the sum": powers,
        "softmax of columns": columns / columns.sum(axis=0),
        "softmax of the whole matrix": np.exp(input - input.max()) / np.exp(input - input.max()).sum(),
        "largest of the whole matrix": _divided(np.exp(input - input.max())),
        "sum of the first row": powers / powers[0].sum(),
        "sum of the first 1024 columns": powers / powers[:, :1024].sum(axis=1, keepdims=True),
        "largest of zero and the scores": _divided(np.exp(input - np.maximum(largest, np.float32(0)))),
        "masked scores count as zero": _divided(np.exp(np.where(finite, input, 0) - np.maximum(largest, 0))),
        "the average of the row": np.where(finite, 1 / finite.sum(axis=1, keepdims=True), 0),
        "powers of two": _divided(np.exp2(input - largest)),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _divided(powers: Array) -> Array:
    quotient: Array = powers / powers.sum(axis=1, keepdims=True)
    return quotient
