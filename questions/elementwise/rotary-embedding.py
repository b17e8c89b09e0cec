"""Oracle of the rotary embedding: two products and a sum each, so a few roundings of both, four times over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["M"], sizes["D"])
    q = draw.uniform(rng, shape, -2.0, 2.0)
    angle = draw.uniform(rng, shape, 0.3, 6.0)
    if values == "two_halves":  # as models have it: the same angles for both numbers of a pair
        angle[:, shape[1] // 2 :] = angle[:, : shape[1] // 2]
    elif values == "quarter_turns":  # a product of each pair vanishes
        angle = np.float32(np.pi / 2) * rng.integers(0, 4, shape).astype(np.float32)
    elif values == "first_position":
        angle[0] = 0
    elif values != "random":
        raise draw.unknown_family(values)
    return {"Q": q, "cos": grid(np.cos(angle)), "sin": grid(np.sin(angle)), **sizes}


def grid(values: Array) -> Array:
    """Without the tiny numbers that stand for the zeros of sine and cosine."""
    return np.where(np.abs(values) < 1e-6, 0, values).astype(np.float32)


def turned(q: Array) -> Array:
    """The partner of every number, with the sign that its product has."""
    first, second = np.split(q, 2, axis=1)
    return np.concatenate([-second, first], axis=1)


def reference(Q: Array, cos: Array, sin: Array, M: int, D: int) -> dict[str, Array]:
    q = Q.astype(np.float64)
    return {"output": q * cos + turned(q) * sin}


def terms(Q: Array, cos: Array, sin: Array, M: int, D: int) -> dict[str, Array]:
    q = Q.astype(np.float64)
    return {"output": 6 * (np.abs(q * cos) + np.abs(turned(q) * sin)) + rounding.flush_allowance()}


def in_float32(add: Any, Q: Array, cos: Array, sin: Array, M: int, D: int) -> dict[str, Array]:
    return {"output": add(np.stack([Q * cos, turned(Q) * sin], axis=-1))}


def mistakes(Q: Array, cos: Array, sin: Array, M: int, D: int) -> dict[str, dict[str, Array]]:
    q = Q.astype(np.float64)
    neighbours = np.stack([-q[:, 1::2], q[:, ::2]], axis=-1).reshape(M, D)
    half = D // 2
    first_angles = np.concatenate([cos[:, :half]] * 2, axis=1), np.concatenate([sin[:, :half]] * 2, axis=1)
    return {
        "turned the other way": {"output": q * cos - turned(q) * sin},
        "no sign at all": {"output": q * cos + np.abs(turned(np.ones_like(q))) * np.roll(q, half, 1) * sin},
        "neighbours instead of halves": {"output": q * cos + neighbours * sin},
        "sine and cosine swapped": {"output": q * sin + turned(q) * cos},
        "angles of the first half for both": {"output": q * first_angles[0] + turned(q) * first_angles[1]},
        "angles of the first row": {"output": q * cos[:1] + turned(q) * sin[:1]},
        "half precision": {"output": (q * cos + turned(q) * sin).astype(np.float16)},
    }
