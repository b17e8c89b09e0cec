"""Oracle of the product of a CSR matrix and a vector."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trainer.bank import draw, rounding
from trainer.bank.model import Array, Inputs
from trainer.bank.orders import Add

_GIANTS = 64  # at most so many rows hold a sixteenth of a skewed matrix's elements


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    m, n, nnz = sizes["M"], sizes["N"], sizes["nnz"]
    a, x = draw.whole(rng, nnz, 31), draw.whole(rng, n, 15)  # sums of products are exact
    lengths = rng.multinomial(nnz, np.full(m, 1 / m))
    cols = rng.integers(0, n, nnz, dtype=np.int32)
    match values:
        case "random":
            pass
        case "real":
            a, x = draw.uniform(rng, nnz, -1, 1), draw.uniform(rng, n, -1, 1)
        case "skewed":  # short rows close to the diagonal, a few giants that reach everywhere
            giants = rng.choice(m, min(_GIANTS, m // 8 + 1), replace=False)
            share = rng.lognormal(0, 0.7, m)
            share *= (15 / 16) / share.sum()
            share[giants] = 1 / 16 / len(giants)
            lengths = rng.multinomial(nnz, share / share.sum())
            rows = np.repeat(np.arange(m, dtype=np.int32), lengths)
            near = (rows * (n / m)).astype(np.int32) + rng.integers(-64, 65, nnz, dtype=np.int32)
            is_giant = np.zeros(m, bool)
            is_giant[giants] = True
            cols = np.where(is_giant[rows], cols, np.clip(near, 0, n - 1)).astype(np.int32)
        case "empty-rows":  # first and last row among them
            share = np.where(rng.random(m) < 0.1, 1.0, 0.0)
            share[m // 2] = 1
            share[[0, -1]] = 0
            lengths = rng.multinomial(nnz, share / share.sum())
        case "dense":
            lengths = np.full(m, nnz // m) + (np.arange(m) < nnz % m)
            cols = (np.arange(nnz) % n).astype(np.int32)
        case _:
            raise draw.unknown_family(values)
    row_ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return {"row_ptr": row_ptr, "col_idx": cols, "values": a, "x": x, **sizes}


def reference(row_ptr: Array, col_idx: Array, values: Array, x: Array, **sizes: int) -> dict[str, Array]:
    return {"y": _row_sums(row_ptr, values.astype(np.float64) * x[col_idx])}


def terms(row_ptr: Array, col_idx: Array, values: Array, x: Array, **sizes: int) -> dict[str, Array]:
    magnitudes = _row_sums(row_ptr, np.abs(values.astype(np.float64) * x[col_idx]))
    step = rounding.quantum(values) * rounding.quantum(x)
    is_exact = magnitudes <= step * 2.0**rounding.MANTISSA_BITS
    loose = magnitudes * rounding.roundings(np.diff(row_ptr))
    return {"y": np.where(is_exact, rounding.exact_allowance(step), loose)}


def in_float32(
    add: Add, row_ptr: Array, col_idx: Array, values: Array, x: Array, **sizes: int
) -> dict[str, Array]:
    products = values * x[col_idx]
    lengths = np.diff(row_ptr)
    y = np.zeros(len(lengths), np.float32)
    classes = np.frexp(lengths.astype(np.float64))[1]  # rows of similar length are added up side by side
    for kind in np.unique(classes[lengths > 0]):
        rows = np.flatnonzero(classes == kind)
        places = row_ptr[rows][:, None] + np.arange(1 << int(kind))
        inside = places < row_ptr[rows + 1][:, None]
        y[rows] = add(np.where(inside, products[np.minimum(places, len(products) - 1)], np.float32(0)))
    return {"y": y}


def mistakes(
    row_ptr: Array, col_idx: Array, values: Array, x: Array, **sizes: int
) -> dict[str, dict[str, Array]]:
    m, n = sizes["M"], sizes["N"]
    products = values.astype(np.float64) * x[col_idx]
    rows = np.repeat(np.arange(m), np.diff(row_ptr))
    place = np.arange(len(products)) - np.repeat(row_ptr[:-1], np.diff(row_ptr))
    right = _row_sums(row_ptr, products)
    by_columns = np.bincount(col_idx, values.astype(np.float64) * x[rows % n], n)
    wrong = {
        "last element of each row skipped": right - _row_sums(row_ptr, _last_of_row(row_ptr, products)),
        "first 32 elements of each row": _row_sums(row_ptr, np.where(place < 32, products, 0)),
        "first 1024 elements of each row": _row_sums(row_ptr, np.where(place < 1024, products, 0)),
        "transposed": np.resize(by_columns, m),
        "x not gathered": _row_sums(row_ptr, values.astype(np.float64) * x[place % n]),
        "sums of the values": _row_sums(row_ptr, values.astype(np.float64)),
        "running sums": np.cumsum(right),
        "empty rows left out": np.resize(right[np.diff(row_ptr) > 0], m),
        "one row late": np.roll(right, 1),
        "half precision": _row_sums(row_ptr, values.astype(np.float16) * x[col_idx].astype(np.float16)),
    }
    return {name: {"y": value.astype(np.float32)} for name, value in wrong.items()}


def _row_sums(row_ptr: Array, terms: Array) -> Array:
    """The sum of each row's terms in float64; 0 for an empty row."""
    lengths = np.diff(row_ptr)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return np.bincount(rows, terms, len(lengths))


def _last_of_row(row_ptr: Array, products: Array) -> Array:
    kept = np.zeros_like(products)
    last = row_ptr[1:][np.diff(row_ptr) > 0] - 1
    kept[last] = products[last]
    return kept
