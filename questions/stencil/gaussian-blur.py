"""Oracle of the blur: a weighted sum over a window, zero outside the image, kernel not mirrored."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["input_rows"], sizes["input_cols"])
    window = (sizes["kernel_rows"], sizes["kernel_cols"])
    image, kernel = draw.uniform(rng, shape, 0.1, 1.0), draw.uniform(rng, window, 0.1, 1.0)
    if values == "random":  # no symmetry at all
        kernel /= kernel.sum()
    elif values == "gaussian":
        kernel = np.outer(_bell(window[0], rng.uniform(0.6, 2)), _bell(window[1], rng.uniform(0.6, 2)))
    elif values == "shift":  # a single one, off the centre: the image moves
        kernel = np.zeros(window, np.float32)
        kernel[rng.integers(window[0]), window[1] - 1] = 1
    elif values == "signed":
        image, kernel = image * 2 - 1, kernel * 2 - 1
    else:
        raise draw.unknown_family(values)
    return {"input": image, "kernel": kernel.astype(np.float32), **sizes}


def _bell(length: int, sigma: float) -> Array:
    weights = np.exp(-0.5 * np.square((np.arange(length) - length // 2) / sigma))
    return weights / weights.sum()


def reference(input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    return {"output": _filter(input, kernel)}


def terms(input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    return {"output": _filter(np.abs(input), np.abs(kernel)) * rounding.roundings(kernel.size)}


def in_float32(add: Add, input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    p, q = kernel.shape[0] // 2, kernel.shape[1] // 2
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(input, ((p, p), (q, q))), kernel.shape)
    return {"output": np.stack([add((row * kernel).reshape(len(row), -1)) for row in windows])}


def mistakes(input: Array, kernel: Array, **sizes: int) -> dict[str, dict[str, Array]]:
    right = _filter(input, kernel)
    rows, cols = kernel.shape
    inner = np.zeros_like(right)
    inside = np.s_[rows // 2 : input.shape[0] - rows // 2, cols // 2 : input.shape[1] - cols // 2]
    inner[inside] = right[inside]
    p, q = rows // 2, cols // 2
    wrong = {
        "kernel mirrored": _filter(input, kernel[::-1, ::-1]),
        "kernel transposed": _filter(input, kernel.reshape(cols, rows).T),
        "window not centred": _filter(np.pad(input, ((0, p), (0, q)))[p:, q:], kernel),
        "edge repeated": _filter(np.pad(input, ((p, p), (q, q)), mode="edge"), kernel)[
            p : p + input.shape[0], q : q + input.shape[1]
        ],
        "border left out": inner,
        "last kernel column left out": _filter(input, np.where(np.arange(cols) < cols - 1, kernel, 0)),
        "average of the window": _filter(input, np.full_like(kernel, 1 / kernel.size)),
        "not blurred": input,
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _filter(image: Array, kernel: Array) -> Array:
    """The filtered image in float64, one shifted image at a time."""
    rows, cols = image.shape
    p, q = kernel.shape[0] // 2, kernel.shape[1] // 2
    padded = np.pad(image.astype(np.float64), ((p, p), (q, q)))
    total, product = np.zeros((rows, cols)), np.empty((rows, cols))
    for (i, j), weight in np.ndenumerate(kernel.astype(np.float64)):
        np.multiply(padded[i : i + rows, j : j + cols], weight, out=product)
        total += product
    return total
