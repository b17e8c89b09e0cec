"""Oracle of attention for one new token per sequence, with grouped queries, in bfloat16.

Error model as for causal flash attention, in units of the bound: weights may be rounded to bfloat16
before they meet the values; single precision adds little to that, and the last rounding is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add

D = 128
SCALE = 1 / np.sqrt(D)
WEIGHT_ROUNDING = 6 * 2.0**-9  # six times what one weight may be off: the worst of many outputs uses half


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    heads, g, n = sizes["B"] * sizes["H"], sizes["G"], sizes["N"]
    q = rng.standard_normal((heads, g, D), dtype=np.float32) * np.float32(1.5)
    k = rng.standard_normal((heads, n, D), dtype=np.float32)
    v = rng.standard_normal((heads, n, D), dtype=np.float32)
    v += draw.uniform(rng, (heads, 1, D), -1.0, 1.0)
    if values == "dominated":  # one key carries a whole group
        place = rng.integers(0, n, heads)
        k[np.arange(heads), place] *= np.float32(8)
        q = np.abs(q) * np.sign(k[np.arange(heads), place])[:, None]
    elif values == "rising":  # later keys score higher, so the parts of a split differ by powers of e
        common = np.sign(rng.standard_normal((heads, 1, D), dtype=np.float32))
        q = q / 4 + common
        k = k / 4 + common * np.linspace(-2, 2, n, dtype=np.float32)[:, None]
    elif values == "shifted":  # all scores are above 100, so their exponentials are no floats
        common = np.sign(rng.standard_normal((heads, 1, D), dtype=np.float32)) * np.float32(3.7)
        q, k = q / 8 + common, k / 8 + common
    elif values == "equal":  # all keys are the same: the output is the mean of the values
        k[:] = k[:, :1]
    elif values != "random":
        raise draw.unknown_family(values)
    front = (sizes["B"], sizes["H"])
    drawn = {
        name: draw.narrow(x, "bfloat16").reshape(*front, *x.shape[1:])
        for name, x in {"Q": q, "K": k, "V": v}.items()
    }
    return {**drawn, **sizes}


def reference(Q: Array, K: Array, V: Array, B: int, H: int, G: int, N: int) -> dict[str, Array]:
    return {"output": _by_head(lambda q, k, v: _softmax(q @ k.T * SCALE) @ v, Q, K, V)}


def terms(Q: Array, K: Array, V: Array, B: int, H: int, G: int, N: int) -> dict[str, Array]:
    def head(q: Array, k: Array, v: Array) -> Array:
        scores = q @ k.T * SCALE
        weights = _softmax(scores)
        below = scores.max(axis=1, keepdims=True) - scores
        products = np.abs(q) @ np.abs(k).T * SCALE
        relative = rounding.roundings(D) * products + below + 4.0 + 1.5 * rounding.roundings(N)
        single = (weights * relative).sum(axis=1, keepdims=True) * 2 * np.abs(v).max(axis=0)
        return np.sqrt(np.square(weights) @ np.square(v)) * (WEIGHT_ROUNDING / rounding.BOUND) + single

    return {"output": _by_head(head, Q, K, V)}


def in_float32(add: Add, Q: Array, K: Array, V: Array, B: int, H: int, G: int, N: int) -> dict[str, Array]:
    def head(q: Array, k: Array, v: Array) -> Array:
        q, k, v = (x.astype(np.float32) for x in (q, k, v))
        out = np.empty(q.shape, np.float32)
        for row in range(len(q)):
            scores = add(q[row] * k) * np.float32(SCALE)
            powers = np.exp(scores - scores.max())
            out[row] = add(powers * v.T) / add(powers)
        return out

    return {"output": _by_head(head, Q, K, V)}


def mistakes(Q: Array, K: Array, V: Array, B: int, H: int, G: int, N: int) -> dict[str, dict[str, Array]]:
    def alternative(weights: Callable[[Array], Array]) -> Array:
        return _by_head(lambda q, k, v: weights(q @ k.T * SCALE) @ v, Q, K, V)

    def parts_averaged(scores: Array) -> Array:  # four parts, each with a softmax of its own
        parts = np.array_split(scores, min(4, N), axis=1)
        return np.concatenate([_softmax(part) / len(parts) for part in parts], axis=1)

    def parts_by_their_sums(scores: Array) -> Array:  # weighed without their maxima
        parts = np.array_split(scores, min(4, N), axis=1)
        powers = [np.exp(part - part.max(axis=1, keepdims=True)) for part in parts]
        return np.concatenate(powers, axis=1) / sum(p.sum(axis=1, keepdims=True) for p in powers)

    def plain(scores: Array) -> Array:
        powers = np.exp(scores.astype(np.float32))
        return powers / powers.sum(axis=1, keepdims=True)

    wrong = {
        "scale left out": alternative(lambda s: _softmax(s / SCALE)),
        "divided by d": alternative(lambda s: _softmax(s * SCALE)),
        "largest score not subtracted": alternative(plain),
        "scores ignored": alternative(lambda s: _softmax(np.zeros_like(s))),
        "last key left out": alternative(
            lambda s: _softmax(np.where(np.arange(N) < max(N - 1, 1), s, -np.inf))
        ),
        "parts averaged": alternative(parts_averaged),
        "parts merged without their maxima": alternative(parts_by_their_sums),
        "powers of two": alternative(lambda s: _softmax(s * np.log(2))),
        "first query of the group": np.broadcast_to(
            reference(Q, K, V, B, H, G, N)["output"][:, :, :1], Q.shape
        ),
        "keys of the first head": reference(Q, np.broadcast_to(K[:, :1], K.shape), V, B, H, G, N)["output"],
    }
    return {name: {"output": value} for name, value in wrong.items()}


def _by_head(head: Callable[[Array, Array, Array], Array], Q: Array, K: Array, V: Array) -> Array:
    """`head(q, k, v)`, G x D and twice N x D in float64, for every head of keys."""
    out = np.empty(Q.shape, np.float64)
    for index in np.ndindex(*Q.shape[:2]):
        out[index] = head(*(x[index].astype(np.float64) for x in (Q, K, V)))
    return out


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: Array = powers / powers.sum(axis=1, keepdims=True)
    return weights
