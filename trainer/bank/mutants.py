"""Outputs that no task may accept, made from the right ones: what lazy or broken kernels leave behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.bank.dtypes import dtype_of, is_float
from trainer.bank.model import Argument, Inputs

Array = NDArray[Any]
Outputs = dict[str, Array]
_BLOCK = 256  # threads, so elements that one block writes


def mutants(
    arguments: tuple[Argument, ...], inputs: Inputs, expected: Mapping[str, Array], rng: np.random.Generator
) -> dict[str, Outputs]:
    """Wrong outputs by name. Some may happen to be right in a case: zeros where the answer is zero."""
    outputs = [a for a in arguments if a.role.is_written]
    right = {a.name: np.ravel(expected[a.name]).astype(dtype_of(a.dtype)) for a in outputs}
    before = {a.name: _unwritten(a, right[a.name].size, inputs, rng) for a in outputs}

    def written(keep: Callable[[Array], Array]) -> Outputs:
        """The right answer where `keep` of the indices says so; elsewhere what was there before."""
        return {n: np.where(keep(np.arange(v.size)), v, before[n]) for n, v in right.items()}

    made: dict[str, Outputs] = {
        "zeros": {n: np.zeros_like(v) for n, v in right.items()},
        "unwritten output": before,
        "NaN or all bits set": {n: _all_bits(v) for n, v in right.items()},
        "mean of the answer everywhere": {n: np.full_like(v, _mean(v)) for n, v in right.items()},
        "answer doubled": {n: v * v.dtype.type(2) for n, v in right.items()},
        "first block only": written(lambda index: index < _BLOCK),
        "last element skipped": written(lambda index: index < index.size - 1),
        "first element skipped": written(lambda index: index > 0),
    }
    for argument in arguments:
        if argument.role.is_read:
            values = np.ravel(np.asarray(inputs[argument.name]))
            made[f"copy of {argument.name}"] = {n: _copy(values, v) for n, v in right.items()}
    return made


def _unwritten(argument: Argument, size: int, inputs: Inputs, rng: np.random.Generator) -> Array:
    if argument.role.is_read:
        return np.ravel(np.asarray(inputs[argument.name]))
    dtype = dtype_of(argument.dtype)
    if argument.zeroed:
        return np.zeros(size, dtype)
    if is_float(dtype):  # far from any answer; random bits would hold a few tiny numbers
        return rng.uniform(1e3, 1e4, size).astype(dtype)
    return np.frombuffer(rng.bytes(size * dtype.itemsize), dtype)


def _all_bits(values: Array) -> Array:
    return np.full_like(values, np.nan) if is_float(values.dtype) else np.invert(np.zeros_like(values))


def _mean(values: Array) -> Any:
    finite = values[np.isfinite(values)]
    return values.dtype.type(finite.astype(np.float64).mean() if finite.size else 0)


def _copy(source: Array, target: Array) -> Array:
    """`source` cut or repeated to the size of `target`; what does not fit its type becomes anything."""
    with np.errstate(all="ignore"):
        return np.resize(source, target.size).astype(target.dtype)
