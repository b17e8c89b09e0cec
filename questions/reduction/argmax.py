"""Oracle of the index of the largest element; the lowest index wins ties."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    n = sizes["N"]
    x = draw.uniform(rng, n, -1.0, 1.0)
    match values:
        case "random":
            pass
        case "ties":  # a handful of values, the largest many times but not right at the start
            x = rng.integers(-3, 4, n).astype(np.float32)
            x[: n // 5] = -4
        case "negative":
            x = -np.abs(x) - np.float32(0.5)
        case "at-the-end":
            x[-1] = 2
        case "zeros":  # nothing is above zero, and zeros have either sign
            x = -np.abs(x)
            places = rng.choice(n, n // 50 + 1, replace=False)
            x[places] = rng.choice(np.array([-0.0, 0.0], np.float32), len(places))
            x[places.min()] = -0.0
        case "equal":
            x[:] = rng.uniform(-1, 1)
        case "infinite":
            x[rng.choice(n, 2, replace=False)] = np.inf
            x[rng.choice(n, 2, replace=False)] = -np.inf
        case "minus-infinity":  # all but one
            x[:] = -np.inf
            x[rng.integers(n // 2, n)] = -3e38
        case _:
            raise draw.unknown_family(values)
    return {"input": x, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"output": np.array([np.argmax(input)])}


def mistakes(input: Array, N: int) -> dict[str, dict[str, Array]]:
    wrong = {
        "last of equal values": N - 1 - np.argmax(input[::-1]),
        "counted from one": np.argmax(input) + 1,
        "smallest instead": np.argmin(input),
        "largest size": np.argmax(np.abs(input)),
        "starts from zero": np.argmax(input) if input.max() > 0 else 0,
        "first block only": np.argmax(input[:256]),
        "last element skipped": np.argmax(input[:-1]) if N > 1 else -1,
        "no last partial float4": np.argmax(input[: N // 4 * 4]) if N > 3 else -1,
        "compared as integers": np.argmax(input.view(np.int32)),
        "half precision": np.argmax(input.astype(np.float16)),
    }
    return {name: {"output": np.array([index], np.int32)} for name, index in wrong.items()}
