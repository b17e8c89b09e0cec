"""Oracle of causal attention in bfloat16 with single-precision accumulation, 128 numbers a head.

Error model, in units of the bound (two roundoffs of float32): the weights may be rounded to bfloat16
before they meet the values, each by up to 2^-9 of itself in either direction; together that is a small
multiple of 2^-9 sqrt(sum of (weight * value)^2). What single precision adds is as in softmax attention
but small. The last rounding of the output is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add

D = 128
SCALE = D**-0.5
WEIGHT_ROUNDING = 6 * 2.0**-9  # six times what one weight may be off: the worst of many outputs uses half


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    heads, n = sizes["B"] * sizes["H"], sizes["N"]
    q = rng.standard_normal((heads, n, D), dtype=np.float32)
    k = rng.standard_normal((heads, n, D), dtype=np.float32)
    v = rng.standard_normal((heads, n, D), dtype=np.float32) + draw.uniform(rng, (heads, 1, D), -1.0, 1.0)
    if values == "random":
        q *= np.float32(1.5)
    elif values == "peaked":  # a few keys carry each query
        q *= np.float32(6)
    elif values == "dominated":  # the first key carries every query
        k[:, 0] *= np.float32(8)
        q = np.abs(q) * np.sign(k[:, :1])
    elif values == "rising":  # later keys score higher: the largest score grows with every tile
        common = np.sign(rng.standard_normal((heads, 1, D), dtype=np.float32))
        q = q / 4 + common
        k = k / 4 + common * np.linspace(-2, 2, n, dtype=np.float32)[:, None]
    elif values == "shifted":  # all scores are above 100, so their exponentials are no floats
        common = np.sign(rng.standard_normal((heads, 1, D), dtype=np.float32)) * np.float32(3.7)
        q, k = q / 8 + common, k / 8 + common
    elif values == "equal":  # all keys are the same: the output is the mean of the values so far
        k[:] = k[:, :1]
    else:
        raise draw.unknown_family(values)
    shape = (sizes["B"], sizes["H"], n, D)
    drawn = {name: draw.narrow(x, "bfloat16").reshape(shape) for name, x in {"Q": q, "K": k, "V": v}.items()}
    return {**drawn, **sizes}


def reference(Q: Array, K: Array, V: Array, B: int, H: int, N: int) -> dict[str, Array]:
    def head(q: Array, k: Array, v: Array) -> Array:
        return _weights(q @ k.T * SCALE) @ v

    return {"output": _by_head(head, Q, K, V)}


def terms(Q: Array, K: Array, V: Array, B: int, H: int, N: int) -> dict[str, Array]:
    def head(q: Array, k: Array, v: Array) -> Array:
        scores = q @ k.T * SCALE
        relative = np.abs(q) @ np.abs(k).T * (SCALE * float(rounding.roundings(D)))
        relative += scores.max(axis=1, keepdims=True) - scores
        relative += float(4.0 + 1.5 * rounding.roundings(N))
        weights = _weights(scores)
        single = np.einsum("ij,ij->i", weights, relative)[:, None] * 2 * np.abs(v).max(axis=0)
        np.square(weights, out=weights)
        return np.sqrt(weights @ np.square(v)) * (WEIGHT_ROUNDING / rounding.BOUND) + single

    return {"output": _by_head(head, Q, K, V, np.float32)}  # enough for an estimate


def in_float32(add: Add, Q: Array, K: Array, V: Array, B: int, H: int, N: int) -> dict[str, Array]:
    scale = np.float32(SCALE)

    def head(q: Array, k: Array, v: Array) -> Array:
        q, k, v = (x.astype(np.float32) for x in (q, k, v))
        out = np.empty((N, D), np.float32)
        for row in range(N):
            scores = add(q[row] * k[: row + 1]) * scale
            powers = np.exp(scores - scores.max())
            out[row] = add(powers * v[: row + 1].T) / add(powers)
        return out

    return {"output": _by_head(head, Q, K, V)}


def mistakes(Q: Array, K: Array, V: Array, B: int, H: int, N: int) -> dict[str, dict[str, Array]]:
    heads = [x.astype(np.float64).reshape(-1, N, D) for x in (Q, K, V)]
    scores = heads[0] @ heads[1].transpose(0, 2, 1) * SCALE

    def alternative(weights: Callable[[Array], Array], scores: Array = scores) -> Array:
        return np.stack([weights(s) @ v for s, v in zip(scores, heads[2], strict=True)]).reshape(Q.shape)

    def unshrunk(scores: Array) -> Array:  # the sum is right; older weights refer to an older maximum
        masked = np.where(_seen(N), scores, -np.inf)
        running = np.maximum.accumulate(masked, axis=1)
        weights = np.where(_seen(N), np.exp(masked - running), 0)
        return weights / np.exp(masked - masked.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)

    wrong = {
        "no mask": alternative(lambda s: _softmax(s)),
        "own key masked": alternative(lambda s: _softmax(np.where(_others(N), s, -np.inf))),
        "mask from the other side": alternative(lambda s: _softmax(np.where(_seen(N).T, s, -np.inf))),
        "masked by a factor of zero": alternative(lambda s: _softmax(np.where(_seen(N), s, 0))),
        "scale left out": alternative(lambda s: _weights(s / SCALE)),
        "divided by d": alternative(lambda s: _weights(s * SCALE)),
        "largest score not subtracted": alternative(lambda s: _plain(s)),
        "scores ignored": alternative(lambda s: _weights(np.zeros_like(s))),
        "older outputs not shrunk": alternative(unshrunk),
        "powers of two": alternative(lambda s: _weights(s * np.log(2))),
        "keys of the first head": alternative(_weights, heads[0] @ heads[1][0].T * SCALE),
    }
    return {name: {"output": value} for name, value in wrong.items()}


def _by_head(
    head: Callable[[Array, Array, Array], Array], Q: Array, K: Array, V: Array, dtype: type = np.float64
) -> Array:
    """`head(q, k, v)`, each N x D, for every head."""
    out = np.empty(Q.shape, dtype)
    for index in np.ndindex(*Q.shape[:2]):
        out[index] = head(*(x[index].astype(dtype) for x in (Q, K, V)))
    return out


def _seen(n: int) -> Array:
    return np.tri(n, dtype=bool)


def _others(n: int) -> Array:  # the tokens before; the first one has only itself
    seen = np.tri(n, k=-1, dtype=bool)
    seen[0, 0] = True
    return seen


def _weights(scores: Array) -> Array:
    return _softmax(np.where(_seen(len(scores)), scores, -np.inf))


def _softmax(scores: Array) -> Array:
    weights: Array = scores - scores.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def _plain(scores: Array) -> Array:
    powers = np.where(_seen(len(scores)), np.exp(scores.astype(np.float32)), 0)
    weights: Array = powers / powers.sum(axis=1, keepdims=True)
    return weights
