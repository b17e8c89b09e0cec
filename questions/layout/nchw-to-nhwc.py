"""Oracle of the change of layout: values move and stay what they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = tuple(sizes[name] for name in ("N", "C", "H", "W"))
    if values == "random":
        x = draw.uniform(rng, shape, -1.0, 1.0)
    elif values == "rising":  # each tells where it came from
        x = np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape) + np.float32(rng.integers(1000))
    else:
        raise draw.unknown_family(values)
    return {"input": x, **sizes}


def reference(input: Array, N: int, C: int, H: int, W: int) -> dict[str, Array]:
    return {"output": input.transpose(0, 2, 3, 1).astype(np.float64)}


def mistakes(input: Array, N: int, C: int, H: int, W: int) -> dict[str, dict[str, Array]]:
    right = np.ascontiguousarray(input.transpose(0, 2, 3, 1))
    first, whole = np.zeros_like(right), np.zeros_like(right)
    first[0] = right[0]
    pixels = H * W // 32 * 32
    whole.reshape(N, H * W, C)[:, :pixels] = right.reshape(N, H * W, C)[:, :pixels]
    return {
        "not moved at all": {"output": input},
        "back from NHWC": {"output": input.reshape(N, H, W, C).transpose(0, 3, 1, 2)},
        "width before height": {"output": input.transpose(0, 3, 2, 1)},
        "images and channels as one": {"output": input.transpose(2, 3, 0, 1)},
        "first image only": {"output": first},
        "only whole tiles of pixels": {"output": whole},
        "half precision": {"output": right.astype(np.float16).astype(np.float32)},
    }
