"""Oracle of the binomial 5 x 5 blur of an RGB image, in exact integers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs

_WEIGHTS = (1, 4, 6, 4, 1)


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["height"], sizes["width"], 3)
    image = rng.integers(0, 256, shape, dtype=np.uint8)
    match values:
        case "random":
            pass
        case "extremes":
            image = np.where(image < 128, 0, 255)
        case "white":  # the largest sums there are
            image[:] = 255
            image[rng.integers(shape[0]), rng.integers(shape[1])] = 254
        case "bright-border":
            image //= 8
            image[[0, -1]] = 255
            image[:, [0, -1]] = 255
        case "one-channel":
            image[..., [0, 2]] = 0
        case _:
            raise draw.unknown_family(values)
    return {"image": image.astype(np.uint8), **sizes}


def reference(image: Array, width: int, height: int) -> dict[str, Array]:
    return {"output": _blur(image)}


def mistakes(image: Array, width: int, height: int) -> dict[str, dict[str, Array]]:
    wide = np.pad(image, ((2, 2), (2, 2), (0, 0)))
    inner = image.copy()
    inner[2:-2, 2:-2] = _blur(image)[2:-2, 2:-2]
    as_bytes = _blur(image.reshape(height, -1, 1)).reshape(image.shape)
    floats = sum(
        w * v * np.pad(image / 256, ((2, 2), (2, 2), (0, 0)), mode="edge")[i : i + height, j : j + width]
        for i, w in enumerate(_WEIGHTS)
        for j, v in enumerate(_WEIGHTS)
    )
    wrong = {
        "zero outside": _blur(wide)[2:-2, 2:-2],
        "border not blurred": inner,
        "channels blurred into each other": as_bytes,
        "channels in reverse": _blur(image)[..., ::-1],
        "rounded down": np.asarray(floats).astype(np.uint8),
        "rounded twice": _along(_along(image, 0, 16), 1, 16),
        "vertical only": _along(image, 0, 16),
        "horizontal only": _along(image, 1, 16),
        "average of 5 x 5": _blur(image, (3, 3, 4, 3, 3)),
        "of three rows and columns": _blur(image, (0, 4, 8, 4, 0)),
        "sums of eight bits": (_sums(_sums(image, 0) & 0xFF, 1) // 256),
        "not blurred": image,
    }
    return {name: {"output": np.asarray(value).astype(np.uint8)} for name, value in wrong.items()}


def _blur(image: Array, weights: tuple[int, ...] = _WEIGHTS) -> Array:
    """Sums stay below 2^16: 255 * 256 + 128."""
    sums = _sums(_sums(image, 0, weights), 1, weights)
    sums += np.uint16(128)
    sums >>= np.uint16(8)
    return sums.astype(np.uint8)


def _along(image: Array, axis: int, divisor: int) -> Array:
    """Filtered along one axis and rounded."""
    return (_sums(image, axis) + np.uint16(divisor // 2)) // np.uint16(divisor)


def _sums(values: Array, axis: int, weights: tuple[int, ...] = _WEIGHTS) -> Array:
    """Weighted sums along one axis as uint16, indices clamped."""
    width = [(2, 2) if a == axis else (0, 0) for a in range(3)]
    wide = np.pad(values.astype(np.uint16), width, mode="edge")
    length = values.shape[axis]
    total = np.zeros(values.shape, np.uint16)
    for i, weight in enumerate(weights):
        part = wide[i : i + length] if axis == 0 else wide[:, i : i + length]
        total += part * np.uint16(weight)
    return total
