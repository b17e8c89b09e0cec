"""Oracle of the color inversion: whole numbers, so exact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    width, height = sizes["width"], sizes["height"]
    image = rng.integers(0, 256, (height, width, 4), dtype=np.uint8)
    if values == "transparent":
        image[..., 3] = 0
    elif values == "gray":
        image[..., 1] = image[..., 2] = image[..., 0]
    elif values == "extremes":
        image = rng.choice(np.array([0, 255], np.uint8), image.shape)
    elif values != "random":
        raise draw.unknown_family(values)
    return {"image": image, "width": width, "height": height}


def reference(image: Array, width: int, height: int) -> dict[str, Array]:
    inverted = 255 - image
    inverted[..., 3] = image[..., 3]
    return {"image": inverted}


def mistakes(image: Array, width: int, height: int) -> dict[str, dict[str, Array]]:
    right = reference(image, width, height)["image"]
    blue, argb, square = right.copy(), 255 - image, right.copy()
    blue[..., 2] = image[..., 2]
    argb[..., 0] = image[..., 0]
    square[:, width // 4 * 4 :] = image[:, width // 4 * 4 :]
    negated = (256 - image.astype(np.int32)).astype(np.uint8)
    negated[..., 3] = image[..., 3]
    return {
        "alpha inverted, too": {"image": 255 - image},
        "blue left out": {"image": blue},
        "alpha taken for the first byte": {"image": argb},
        "last pixels of each row left": {"image": square},
        "256 instead of 255": {"image": negated},
        "nothing done": {"image": image},
    }
