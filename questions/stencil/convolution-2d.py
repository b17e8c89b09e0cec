"""Oracle of the valid 2-D convolution, kernel not mirrored. Large images go through a Fourier transform."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add

_LARGE = 1 << 20  # elements from which the transform is faster


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["input_rows"], sizes["input_cols"])
    window = (sizes["kernel_rows"], sizes["kernel_cols"])
    image, kernel = draw.uniform(rng, shape, -1.0, 1.0), draw.uniform(rng, window, -1.0, 1.0)
    match values:
        case "random":
            pass
        case "whole":  # every sum is exact
            image, kernel = draw.whole(rng, shape, 255), draw.whole(rng, window, 15)
        case "shift":  # a single one in the last column: the image moves
            kernel[:] = 0
            kernel[rng.integers(window[0]), -1] = 1
        case "edges":  # weights and pixels at the rims are far larger than the others
            image[[0, -1]] *= 100
            image[:, [0, -1]] *= 100
            kernel[[0, -1]] *= 10
            kernel[:, [0, -1]] *= 10
        case _:
            raise draw.unknown_family(values)
    return {"input": image, "kernel": kernel, **sizes}


def reference(input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    return {"output": _filter(input, kernel)}


def terms(input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    return {"output": _filter(np.abs(input), np.abs(kernel)) * rounding.roundings(kernel.size)}


def in_float32(add: Add, input: Array, kernel: Array, **sizes: int) -> dict[str, Array]:
    windows = np.lib.stride_tricks.sliding_window_view(input, kernel.shape)
    return {"output": np.stack([add((row * kernel).reshape(len(row), -1)) for row in windows])}


def mistakes(input: Array, kernel: Array, **sizes: int) -> dict[str, dict[str, Array]]:
    right = _filter(input, kernel)
    rows, cols = kernel.shape
    p, q = rows // 2, cols // 2
    same = _filter(np.pad(input, ((p, rows - 1 - p), (q, cols - 1 - q))), kernel)
    tf32 = (input.view(np.int32) & ~0x1FFF).view(np.float32)
    wrong = {
        "kernel mirrored": _filter(input, kernel[::-1, ::-1]),
        "kernel transposed": _filter(input, kernel.reshape(cols, rows).T),
        "centred as for 'same'": same[: right.shape[0], : right.shape[1]],
        "output as long as the input's rows": np.resize(same, right.shape),
        "last kernel column left out": _filter(input, np.where(np.arange(cols) < cols - 1, kernel, 0)),
        "last kernel row left out": _filter(input, np.where(np.arange(rows)[:, None] < rows - 1, kernel, 0)),
        "average of the window": right / kernel.size,
        "ten-bit mantissas": _filter(tf32, kernel),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _filter(image: Array, kernel: Array) -> Array:
    """The valid correlation in float64."""
    rows, cols = (n - k + 1 for n, k in zip(image.shape, kernel.shape, strict=True))
    wide = image.astype(np.float64)
    if image.size >= _LARGE:
        spectrum = np.fft.rfft2(wide) * np.conj(np.fft.rfft2(kernel.astype(np.float64), wide.shape))
        return np.fft.irfft2(spectrum, wide.shape)[:rows, :cols]
    total, product = np.zeros((rows, cols)), np.empty((rows, cols))
    for (i, j), weight in np.ndenumerate(kernel.astype(np.float64)):
        np.multiply(wide[i : i + rows, j : j + cols], weight, out=product)
        total += product
    return total
