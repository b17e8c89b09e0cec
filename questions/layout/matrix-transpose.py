"""Oracle of the transpose: values move and stay what they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    rows, cols = sizes["rows"], sizes["cols"]
    if values == "random":
        x = draw.uniform(rng, (rows, cols), -1.0, 1.0)
    elif values == "integers":  # all different, each tells where it came from
        x = np.arange(1, rows * cols + 1, dtype=np.float32).reshape(rows, cols)
        x += np.float32(rng.integers(1000))
    else:
        raise draw.unknown_family(values)
    return {"input": x, "rows": rows, "cols": cols}


def reference(input: Array, rows: int, cols: int) -> dict[str, Array]:
    return {"output": input.reshape(rows, cols).T.astype(np.float64)}


def mistakes(input: Array, rows: int, cols: int) -> dict[str, dict[str, Array]]:
    square = min(rows, cols)
    top_left = np.zeros((cols, rows), np.float32)
    top_left[:square, :square] = input[:square, :square].T
    whole_tiles = np.zeros((cols, rows), np.float32)
    r, c = rows // 32 * 32, cols // 32 * 32
    whole_tiles[:c, :r] = input[:r, :c].T
    return {
        "rows and cols confused": {"output": input.reshape(cols, rows).T},
        "mirrored": {"output": input.T[::-1]},
        "only the square part": {"output": top_left},
        "only whole tiles": {"output": whole_tiles},
        "half precision": {"output": input.T.astype(np.float16).astype(np.float32)},
    }
