"""Oracle of one Jacobi step: the average of four neighbours, with the border kept."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["rows"], sizes["cols"])
    x = draw.uniform(rng, shape, -1.0, 1.0)
    match values:
        case "random":
            pass
        case "octaves":
            x = draw.spread(rng, shape)
        case "hot-border":  # the border is far from everything inside
            x[[0, -1]] += 1000
            x[:, [0, -1]] += 1000
        case "spike":
            x[rng.integers(1, shape[0] - 1), rng.integers(1, shape[1] - 1)] = 1e6
        case _:
            raise draw.unknown_family(values)
    return {"input": x, **sizes}


def reference(input: Array, rows: int, cols: int) -> dict[str, Array]:
    return {"output": _averaged(input.astype(np.float64))}


def terms(input: Array, rows: int, cols: int) -> dict[str, Array]:
    return {"output": _averaged(np.abs(input.astype(np.float64))) * rounding.roundings(4)}


def in_float32(add: Add, input: Array, rows: int, cols: int) -> dict[str, Array]:
    output = input.copy()
    if min(rows, cols) > 2:
        output[1:-1, 1:-1] = add(_neighbours(input)) / np.float32(4)
    return {"output": output}


def mistakes(input: Array, rows: int, cols: int) -> dict[str, dict[str, Array]]:
    near = np.stack([np.roll(input, s, axis) for axis in (0, 1) for s in (1, -1)])
    right = reference(input, rows, cols)["output"]
    centred, unscaled, zero_border, no_last = right.copy(), right.copy(), np.zeros_like(right), right.copy()
    centred[1:-1, 1:-1] = (right * 4 + input)[1:-1, 1:-1] / 5
    unscaled[1:-1, 1:-1] *= 4
    zero_border[1:-1, 1:-1] = right[1:-1, 1:-1]
    no_last[1:-1, -2:] = input[1:-1, -2:]
    in_place = input.astype(np.float64)
    for r in range(1, rows - 1):
        in_place[r, 1:-1] = (in_place[r - 1] + in_place[r + 1])[1:-1] / 4 + near[2:, r, 1:-1].sum(axis=0) / 4
    wrong = {
        "grid wraps round": near.sum(axis=0) / 4,
        "centre included": centred,
        "not divided": unscaled,
        "border zero": zero_border,
        "last inner column left out": no_last,
        "rows above already updated": in_place,
        "nothing happens": input,
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _averaged(x: Array) -> Array:
    """One step in place of a copy, without an array of neighbours: timed grids are large."""
    result = x.copy()
    inner = result[1:-1, 1:-1]
    np.add(x[:-2, 1:-1], x[2:, 1:-1], out=inner)
    inner += x[1:-1, :-2]
    inner += x[1:-1, 2:]
    inner /= 4
    return result


def _neighbours(x: Array) -> Array:
    """The four neighbours of each inner cell, along a new last axis."""
    return np.stack([x[:-2, 1:-1], x[2:, 1:-1], x[1:-1, :-2], x[1:-1, 2:]], axis=-1)
