"""Oracle of decoding with multi-head latent attention: 576 numbers a token, 512 of which are its value.

Error model as for causal flash attention, in units of the bound: weights may be rounded to bfloat16
before they meet the values; single precision adds little to that, and the last rounding is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add

KEY, VALUE = 576, 512
WEIGHT_ROUNDING = 6 * 2.0**-9  # six times what one weight may be off: the worst of many outputs uses half


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    b, h, n = sizes["B"], sizes["H"], sizes["N"]
    scale = np.float32(1 / np.sqrt(192))
    q = rng.standard_normal((b, h, KEY), dtype=np.float32)
    c = rng.standard_normal((b, n, KEY), dtype=np.float32)
    c[..., :VALUE] += draw.uniform(rng, (b, 1, VALUE), -0.5, 0.5)
    if values == "rotary":  # what the last 64 numbers add decides
        q[..., :VALUE] *= np.float32(1 / 8)
        q[..., VALUE:] *= np.float32(3)
    elif values == "dominated":  # one token carries all heads
        place = rng.integers(0, n, b)
        c[np.arange(b), place] *= np.float32(4)
        q = np.abs(q) * np.sign(c[np.arange(b), place])[:, None]
    elif values == "rising":  # later tokens score higher, so the parts of a split differ by powers of e
        common = np.sign(rng.standard_normal((b, 1, KEY), dtype=np.float32))
        q = q / 4 + common / 2
        c = c / 4 + common * np.linspace(-1, 1, n, dtype=np.float32)[:, None]
    elif values == "shifted":  # all scores are above 100, so their exponentials are no floats
        common = np.sign(rng.standard_normal((b, 1, KEY), dtype=np.float32)) * np.float32(2)
        q, c = q / 8 + common, c / 8 + common
    elif values != "random":
        raise draw.unknown_family(values)
    drawn = {name: draw.narrow(x, "bfloat16") for name, x in {"Q": q, "C": c}.items()}
    return {**drawn, **sizes, "scale": float(scale)}


def reference(Q: Array, C: Array, B: int, H: int, N: int, scale: float) -> dict[str, Array]:
    return {"output": _by_sequence(lambda q, c: _softmax(q @ c.T * scale) @ c[:, :VALUE], Q, C)}


def terms(Q: Array, C: Array, B: int, H: int, N: int, scale: float) -> dict[str, Array]:
    def heads(q: Array, c: Array) -> Array:
        scores, v = q @ c.T * scale, c[:, :VALUE]
        weights = _softmax(scores)
        below = scores.max(axis=1, keepdims=True) - scores
        products = np.abs(q) @ np.abs(c).T * scale
        relative = rounding.roundings(KEY) * products + below + 4.0 + 1.5 * rounding.roundings(N)
        single = (weights * relative).sum(axis=1, keepdims=True) * 2 * np.abs(v).max(axis=0)
        return np.sqrt(np.square(weights) @ np.square(v)) * (WEIGHT_ROUNDING / rounding.BOUND) + single

    return {"output": _by_sequence(heads, Q, C)}


def in_float32(add: Add, Q: Array, C: Array, B: int, H: int, N: int, scale: float) -> dict[str, Array]:
    def heads(q: Array, c: Array) -> Array:
        q, c = q.astype(np.float32), c.astype(np.float32)
        out = np.empty((H, VALUE), np.float32)
        for head in range(H):
            scores = add(q[head] * c) * np.float32(scale)
            powers = np.exp(scores - scores.max())
            out[head] = add(powers * c[:, :VALUE].T) / add(powers)
        return out

    return {"output": _by_sequence(heads, Q, C)}


def mistakes(Q: Array, C: Array, B: int, H: int, N: int, scale: float) -> dict[str, dict[str, Array]]:
    def alternative(weights: Callable[[Array], Array]) -> Array:
        return _by_sequence(lambda q, c: weights(q @ c.T * scale) @ c[:, :VALUE], Q, C)

    def parts_by_their_sums(scores: Array) -> Array:  # weighed without their maxima
        parts = np.array_split(scores, min(4, N), axis=1)
        powers = [np.exp(part - part.max(axis=1, keepdims=True)) for part in parts]
        return np.concatenate(powers, axis=1) / sum(p.sum(axis=1, keepdims=True) for p in powers)

    def plain(scores: Array) -> Array:
        powers = np.exp(scores.astype(np.float32))
        return powers / powers.sum(axis=1, keepdims=True)

    wrong = {
        "scale left out": alternative(lambda s: _softmax(s / scale)),
        "scale of 576 numbers": alternative(lambda s: _softmax(s / scale / 24)),
        "largest score not subtracted": alternative(plain),
        "scores ignored": alternative(lambda s: _softmax(np.zeros_like(s))),
        "rotary part left out": _by_sequence(
            lambda q, c: _softmax(q[:, :VALUE] @ c[:, :VALUE].T * scale) @ c[:, :VALUE], Q, C
        ),
        "rotary part only": _by_sequence(
            lambda q, c: _softmax(q[:, VALUE:] @ c[:, VALUE:].T * scale) @ c[:, :VALUE], Q, C
        ),
        "value from the wrong end": _by_sequence(
            lambda q, c: _softmax(q @ c.T * scale) @ c[:, KEY - VALUE :], Q, C
        ),
        "parts merged without their maxima": alternative(parts_by_their_sums),
        "first head everywhere": np.repeat(reference(Q, C, B, H, N, scale)["output"][:, :1], H, axis=1),
        "powers of two": alternative(lambda s: _softmax(s * np.log(2))),
    }
    return {name: {"output": value} for name, value in wrong.items()}


def _by_sequence(heads: Callable[[Array, Array], Array], Q: Array, C: Array) -> Array:
    """`heads(q, c)`, H x KEY and N x KEY in float64, for every sequence."""
    return np.stack([heads(q.astype(np.float64), c.astype(np.float64)) for q, c in zip(Q, C, strict=True)])


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: Array = powers / powers.sum(axis=1, keepdims=True)
    return weights
