"""Oracle of the conversion to gray: three products and two sums, so a handful of roundings, four times over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs

WEIGHTS = np.array([0.299, 0.587, 0.114])


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["height"], sizes["width"], 3)
    x = draw.uniform(rng, shape, 0.0, 255.0)
    if values == "one_channel":
        x *= np.eye(3, dtype=np.float32)[rng.integers(0, 3, shape[:2])]
    elif values == "whole":
        x = rng.integers(0, 256, shape).astype(np.float32)
    elif values == "dark":
        x *= np.float32(2.0**-20)
    elif values != "random":
        raise draw.unknown_family(values)
    return {"input": x, **sizes}


def reference(input: Array, width: int, height: int) -> dict[str, Array]:
    return {"output": input.astype(np.float64) @ WEIGHTS}


def terms(input: Array, width: int, height: int) -> dict[str, Array]:
    return {"output": 8 * (np.abs(input.astype(np.float64)) @ WEIGHTS) + rounding.flush_allowance()}


def in_float32(add: Any, input: Array, width: int, height: int) -> dict[str, Array]:
    return {"output": add(input * WEIGHTS.astype(np.float32))}


def mistakes(input: Array, width: int, height: int) -> dict[str, dict[str, Array]]:
    x = input.astype(np.float64)
    planes = x.reshape(3, height, width)
    return {
        "mean of the channels": {"output": x.mean(axis=-1)},
        "blue, green, red": {"output": x @ WEIGHTS[::-1]},
        "weights of another standard": {"output": x @ np.array([0.2126, 0.7152, 0.0722])},
        "planes instead of pixels": {"output": np.tensordot(WEIGHTS, planes, 1)},
        "two digits of the weights": {"output": x @ np.array([0.3, 0.59, 0.11])},
        "rounded to whole numbers": {"output": np.rint(x @ WEIGHTS)},
        "half precision": {"output": (x.astype(np.float16) @ WEIGHTS.astype(np.float16))},
    }
