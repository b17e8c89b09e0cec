"""Oracle of the dequantization: one product, so one rounding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw
from trainer.bank.model import Array, Inputs


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, tile = sizes["M"], sizes["N"], sizes["TILE_SIZE"]
    tiles = (-(-m // tile), -(-n // tile))
    x, s = draw.uniform(rng, (m, n), -2.0, 2.0), draw.uniform(rng, tiles, 1.5, 4.0)
    if values == "random":
        x += np.copysign(np.float32(0.1), x)
    elif values == "wide":
        x, s = draw.spread(rng, (m, n), 40.0), draw.spread(rng, tiles, 20.0)
    elif values == "signs":
        s = rng.choice(np.array([-1, 1], np.float32), tiles)
    elif values != "one_tile":
        raise draw.unknown_family(values)
    return {"X": x, "S": s, **sizes}


def spread_out(S: Array, M: int, N: int, tile: int) -> Array:
    """The scale of every element."""
    return np.asarray(S[np.arange(M) // tile][:, np.arange(N) // tile])


def reference(X: Array, S: Array, M: int, N: int, TILE_SIZE: int) -> dict[str, Array]:
    return {"Y": X.astype(np.float64) * spread_out(S, M, N, TILE_SIZE)}


def mistakes(X: Array, S: Array, M: int, N: int, TILE_SIZE: int) -> dict[str, dict[str, Array]]:
    x = X.astype(np.float64)
    scales = spread_out(S, M, N, TILE_SIZE)
    rows, cols = np.arange(M) // TILE_SIZE, np.arange(N) // TILE_SIZE
    flat, down = S.reshape(-1), N // TILE_SIZE
    whole = flat[(rows[:, None] * down + cols) % flat.size]
    turned = flat[(cols * S.shape[0] + rows[:, None]) % flat.size]
    return {
        "divided": {"Y": x / scales},
        "scale forgotten": {"Y": x},
        "first scale for all": {"Y": x * S[0, 0]},
        "tiles counted by whole ones": {"Y": x * whole},
        "scales by columns": {"Y": x * turned},
        "one scale a row of tiles": {"Y": x * S[rows][:, :1]},
        "half precision": {"Y": (x * scales).astype(np.float16)},
    }
