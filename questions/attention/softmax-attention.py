"""Oracle of softmax attention in single precision.

Error model, in units of the bound (two roundoffs): a score is a sum of d products, off by the roundings
of such a sum times their sizes, and that moves its weight by as much, relatively; so does the rounding
of the exponential's argument. The output is a sum of N weighted values over a sum of N weights.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, d = sizes["M"], sizes["N"], sizes["d"]
    q = rng.standard_normal((m, d), dtype=np.float32)
    k = rng.standard_normal((n, d), dtype=np.float32)
    v = rng.standard_normal((n, d), dtype=np.float32) + draw.uniform(rng, d, -1.0, 1.0)
    if values == "random":
        q *= np.float32(1.5)
    elif values == "peaked":  # a few keys carry each query
        q *= np.float32(6)
    elif values == "dominated":  # one key carries all queries
        k[rng.integers(n)] *= np.float32(8)
        q = np.abs(q) * np.sign(k[np.abs(k).sum(axis=1).argmax()])
    elif values == "shifted":  # all scores are above 100, so their exponentials are no floats
        common = draw.uniform(rng, d, 1.0, 2.0)
        size = np.float32(np.sqrt(150 * np.sqrt(d) / np.square(common).sum()))
        q, k = q / 8 + common * size, k / 8 + common * size
    elif values == "equal":  # all keys are the same: the output is the mean of the values
        k[:] = k[0]
    else:
        raise draw.unknown_family(values)
    return {
        "Q": q.astype(np.float32),
        "K": k.astype(np.float32),
        "V": v.astype(np.float32),
        "M": m,
        "N": n,
        "d": d,
    }


def reference(Q: Array, K: Array, V: Array, M: int, N: int, d: int) -> dict[str, Array]:
    return {"output": _weights(_scores(Q, K, d)) @ V.astype(np.float64)}


def terms(Q: Array, K: Array, V: Array, M: int, N: int, d: int) -> dict[str, Array]:
    scores = Q @ K.T * float(1 / np.sqrt(d))  # float32 is enough for an estimate
    relative = np.abs(Q) @ np.abs(K).T * float(rounding.roundings(d) / np.sqrt(d))
    relative += scores.max(axis=1, keepdims=True) - scores
    relative += float(4.0 + 1.5 * rounding.roundings(N))
    weights = _weights(scores)
    output = np.abs(weights @ V)
    weights *= relative
    return {"output": weights @ np.abs(V) + weights.sum(axis=1, keepdims=True) * output}


def in_float32(add: Add, Q: Array, K: Array, V: Array, M: int, N: int, d: int) -> dict[str, Array]:
    scale = np.float32(1 / np.sqrt(d))
    out = np.empty((M, d), np.float32)
    for row in range(M):
        scores = add(Q[row] * K) * scale
        powers = np.exp(scores - scores.max())
        out[row] = add(powers * V.T) / add(powers)
    return {"output": out}


def mistakes(Q: Array, K: Array, V: Array, M: int, N: int, d: int) -> dict[str, dict[str, Array]]:
    scores = _scores(Q, K, d)
    plain = np.exp(scores.astype(np.float32))
    visible = np.where(np.arange(N) <= np.arange(M)[:, None], scores, -np.inf)
    wrong = {
        "scale left out": _weights(scores * np.sqrt(d)) @ V,
        "divided by d": _weights(scores / np.sqrt(d)) @ V,
        "largest score not subtracted": plain / plain.sum(axis=1, keepdims=True) @ V,
        "not divided by the sum": np.exp(scores - scores.max(axis=1, keepdims=True)) @ V,
        "softmax over the queries": _weights(scores.T).T @ V,
        "scores ignored": np.broadcast_to(V.mean(axis=0), (M, d)),
        "best key only": V[scores.argmax(axis=1)],
        "last key left out": _weights(scores[:, : max(N - 1, 1)]) @ V[: max(N - 1, 1)],
        "first 64 keys only": _weights(scores[:, :64]) @ V[:64],
        "causal": _weights(visible) @ V,
        "keys taken for values": _weights(scores) @ K,
        "powers of two": _weights(scores * np.log(2)) @ V,
        "first query everywhere": np.broadcast_to(_weights(scores[:1]) @ V, (M, d)),
    }
    return {name: {"output": value.astype(np.float32)} for name, value in wrong.items()}


def _scores(Q: Array, K: Array, d: int) -> Array:
    scores: Array = Q.astype(np.float64) @ K.astype(np.float64).T / np.sqrt(d)
    return scores


def _weights(scores: Array) -> Array:
    weights: Array = scores - scores.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights
