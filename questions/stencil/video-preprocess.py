"""Oracle of the video pre-processing: bilinear resize, BGR to RGB, normalisation, HWC to CHW."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    shape = (sizes["batch"], sizes["in_height"], sizes["in_width"], 3)
    frames = rng.integers(0, 256, shape, dtype=np.uint8)
    match values:
        case "random":
            pass
        case "checker":  # neighbours as different as can be
            rows, cols = np.indices(shape[1:3])
            frames[:] = (((rows + cols) % 2) * 255).astype(np.uint8)[:, :, None]
            frames[:, rng.integers(shape[1]), rng.integers(shape[2])] = (10, 100, 200)
        case "smooth":
            rows, cols = np.indices(shape[1:3])
            frames[:] = np.stack([3 * rows, 2 * cols, rows + cols], axis=-1).astype(np.uint8)
        case "one-channel":
            frames[..., [0, 1]] = 0
        case _:
            raise draw.unknown_family(values)
    mean, std = draw.uniform(rng, 3, 0.3, 0.6), draw.uniform(rng, 3, 0.2, 0.5)
    return {"frames": frames, "mean": mean, "std": std, **sizes}


def reference(frames: Array, mean: Array, std: Array, **sizes: int) -> dict[str, Array]:
    return {"output": _normalised(_resized(frames, sizes), mean, std)}


def terms(frames: Array, mean: Array, std: Array, **sizes: int) -> dict[str, Array]:
    """Places are off by some roundings of their size, which neighbours of full contrast turn into values.

    Interpolation is continuous, so it does no harm if a place is rounded to the other side of a pixel.
    """
    sy, sx = (
        _places(sizes[f"out_{n}"], sizes[f"in_{n}"], "half").astype(np.float64) for n in ("height", "width")
    )
    pixel = 10 * (sy[:, None] + sx + 2) + 16
    shape = (sizes["batch"], 3, *pixel.shape)
    return {"output": np.broadcast_to(pixel / std.astype(np.float64)[:, None, None], shape)}


def in_float32(add: Add, frames: Array, mean: Array, std: Array, **sizes: int) -> dict[str, Array]:
    one = np.float32(1)
    sy, sx = (
        np.clip(
            (np.arange(sizes[f"out_{n}"], dtype=np.float32) + np.float32(0.5))
            * (np.float32(sizes[f"in_{n}"]) / np.float32(sizes[f"out_{n}"]))
            - np.float32(0.5),
            np.float32(0),
            np.float32(sizes[f"in_{n}"] - 1),
        )
        for n in ("height", "width")
    )
    y, x = sy.astype(np.int64), sx.astype(np.int64)
    fy, fx = (sy - y).astype(np.float32)[:, None, None], (sx - x).astype(np.float32)[:, None]
    below, right = np.minimum(y + 1, sizes["in_height"] - 1), np.minimum(x + 1, sizes["in_width"] - 1)
    pixels = frames.astype(np.float32)
    four = [
        pixels[:, y][:, :, x] * ((one - fy) * (one - fx)),
        pixels[:, y][:, :, right] * ((one - fy) * fx),
        pixels[:, below][:, :, x] * (fy * (one - fx)),
        pixels[:, below][:, :, right] * (fy * fx),
    ]
    value = add(np.stack(four, axis=-1))[..., ::-1] / np.float32(255)
    return {"output": np.moveaxis((value - mean) / std, -1, 1)}


def mistakes(frames: Array, mean: Array, std: Array, **sizes: int) -> dict[str, dict[str, Array]]:
    resized = _resized(frames, sizes)
    right = _normalised(resized, mean, std)
    nearest = frames[:, np.rint(_places(sizes["out_height"], sizes["in_height"], "half")).astype(int)]
    nearest = nearest[:, :, np.rint(_places(sizes["out_width"], sizes["in_width"], "half")).astype(int)]
    wrong = {
        "red and blue not swapped": _normalised(resized[..., ::-1], mean, std),
        "pixels not planes": np.moveaxis(right, 1, -1),
        "corners aligned": _normalised(_resized(frames, sizes, "corners"), mean, std),
        "centres not at half": _normalised(_resized(frames, sizes, "no half"), mean, std),
        "nearest pixel": _normalised(nearest, mean, std),
        "rounded to bytes": _normalised(np.rint(resized), mean, std),
        "not divided by 255": _normalised(resized * 255, mean, std),
        "mean not subtracted": _normalised(resized, mean * 0, std),
        "not divided by std": _normalised(resized, mean, std * 0 + 1),
        "constants of one channel": _normalised(resized, mean[[0, 0, 0]], std[[0, 0, 0]]),
        "first frame over and over": np.broadcast_to(right[:1], right.shape),
        "height and width swapped": np.swapaxes(right, 2, 3),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _places(out: int, size: int, mode: str) -> Array:
    """Where output pixels lie in the input, clamped."""
    x = np.arange(out, dtype=np.float64)
    if mode == "corners":
        return x * ((size - 1) / max(out - 1, 1))
    places = x * size / out if mode == "no half" else (x + 0.5) * size / out - 0.5
    return np.clip(places, 0, size - 1)


def _resized(frames: Array, sizes: Mapping[str, int], mode: str = "half") -> Array:
    """The resized frames in float64, still 0 to 255 and BGR; frame by frame, which fits the caches."""
    sy = _places(sizes["out_height"], sizes["in_height"], mode)
    sx = _places(sizes["out_width"], sizes["in_width"], mode)
    y, x = sy.astype(np.int64), sx.astype(np.int64)
    fy, fx = (sy - y)[:, None, None], (sx - x)[:, None]
    below, right = np.minimum(y + 1, sizes["in_height"] - 1), np.minimum(x + 1, sizes["in_width"] - 1)
    done = np.empty((len(frames), len(sy), len(sx), 3))
    for frame, result in zip(frames, done, strict=True):
        rows = frame[y] * (1 - fy) + frame[below] * fy
        result[:] = rows[:, x] * (1 - fx) + rows[:, right] * fx
    return done


def _normalised(pixels: Array, mean: Array, std: Array) -> Array:
    """RGB planes of BGR pixels."""
    values = (pixels[..., ::-1] / 255 - mean.astype(np.float64)) / std.astype(np.float64)
    return np.moveaxis(values, -1, 1)
