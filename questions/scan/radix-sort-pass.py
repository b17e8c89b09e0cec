"""Oracle of a stable sort by one digit of eight bits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n, shift = sizes["N"], sizes["shift"]
    keys = rng.integers(0, 1 << 32, n, dtype=np.uint32)
    digits: Array | None = None
    match values:
        case "random":
            pass
        case "few":  # five digits, the same ones again and again
            digits = rng.choice(rng.integers(0, 256, 5), n)
        case "equal":
            digits = np.full(n, rng.integers(256))
        case "descending":
            digits = np.sort(rng.integers(0, 256, n))[::-1]
        case "skewed":
            digits = np.where(rng.random(n) < 0.9, 77, rng.integers(0, 256, n))
        case "ends":
            digits = rng.choice([0, 255], n)
        case _:
            raise draw.unknown_family(values)
    if digits is not None:
        keys = keys & ~np.uint32(255 << shift) | digits.astype(np.uint32) << np.uint32(shift)
    return {"input": keys.astype(np.uint32), **sizes}


def reference(input: Array, N: int, shift: int) -> dict[str, Array]:
    return {"output": input[np.argsort(_digits(input, shift), kind="stable")]}


def mistakes(input: Array, N: int, shift: int) -> dict[str, dict[str, Array]]:
    digits = _digits(input, shift)
    order = np.argsort(digits, kind="stable")
    tiles = [input[i : i + 256] for i in range(0, N, 256)]
    wrong = {
        "sorted completely": np.sort(input),
        "not stable": input[::-1][np.argsort(digits[::-1], kind="stable")],
        "in descending order": input[np.argsort(-digits.astype(np.int16), kind="stable")],
        "digits only": digits[order],
        "by seven bits": input[np.argsort(digits & 127, kind="stable")],
        "by the lowest digit": input[np.argsort(_digits(input, 0), kind="stable")],
        "digits as signed bytes": input[np.argsort(digits.astype(np.int8), kind="stable")],
        "each tile on its own": np.concatenate(
            [t[np.argsort(_digits(t, shift), kind="stable")] for t in tiles]
        ),
        "places instead of keys": order,
        "not sorted": input,
    }
    return {name: {"output": value.astype(np.uint32)} for name, value in wrong.items()}


def _digits(keys: Array, shift: int) -> Array:
    return (keys >> np.uint32(shift) & np.uint32(255)).astype(np.uint8)
