"""Oracle of the sort of 32-bit unsigned numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    x = rng.integers(0, 1 << 32, n, dtype=np.uint32)
    match values:
        case "random":
            pass
        case "few":
            x = rng.choice(x[:7], n)
        case "equal":
            x[:] = x[0]
        case "descending":
            x = np.sort(x)[::-1]
        case "sorted":
            x = np.sort(x)
        case "high-bits":  # the lower digits are all alike
            x &= np.uint32(0xFF000000)
        case "low-bits":
            x &= np.uint32(0x0000FFFF)
        case _:
            raise draw.unknown_family(values)
    return {"input": np.ascontiguousarray(x), "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"output": np.sort(input)}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    tiles = [np.sort(input[i : i + 1024]) for i in range(0, N, 1024)]
    bytes_of = input.view(np.uint8).reshape(-1, 4)
    wrong = {
        "descending": np.sort(input)[::-1],
        "as signed numbers": np.sort(input.view(np.int32)).view(np.uint32),
        "by the lower three bytes": input[np.argsort(input & 0xFFFFFF, kind="stable")],
        "by the upper three bytes": input[np.argsort(input >> 8, kind="stable")],
        "by the highest byte first": input[np.argsort(bytes_of[:, 0], kind="stable")],
        "each tile on its own": np.concatenate(tiles),
        "as floats": np.sort(input.astype(np.float32)).astype(np.uint64),
        "equal ones once": np.resize(np.unique(input), N),
        "last element left behind": np.concatenate([np.sort(input[:-1]), input[-1:]]),
        "not sorted": input,
    }
    return {name: {"output": value.astype(np.uint32)} for name, value in wrong.items()}
