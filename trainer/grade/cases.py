"""Turn a case of a question into the arguments of one call and what must come out."""

from __future__ import annotations

import traceback
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from trainer.bank.dtypes import dtype_of, is_float
from trainer.bank.expressions import evaluate
from trainer.bank.model import Argument, Array, CaseSpec, Inputs, KernelTask, Role
from trainer.errors import ContentError, Location
from trainer.grade.backend import ArgumentValue


@dataclass(frozen=True)
class Case:
    """One call. `expected` (and `terms`, for tolerance "terms") stay in the grading process."""

    spec: CaseSpec
    arguments: tuple[ArgumentValue, ...]
    expected: Mapping[str, Array]
    terms: Mapping[str, Array] | None

    @property
    def elements(self) -> int:
        return sum(int(a.size) for a in self.expected.values())

    def shape(self, output: str) -> tuple[int, ...]:
        return next(a.shape for a in self.arguments if a.name == output)


def build_case(task: KernelTask, spec: CaseSpec, seed: int) -> Case:
    """Draw the inputs of `spec` from `seed`; equal seeds give equal cases, whatever else was drawn.

    Raises ContentError where the oracle's inputs or results do not fit the declared arguments.
    """
    rng = np.random.default_rng([seed, zlib.crc32(spec.name.encode())])
    with _blamed(spec):
        inputs = task.oracle.inputs(rng, spec.sizes, spec.values)
    arguments = tuple(_argument(a, spec, inputs) for a in task.arguments)
    with _blamed(spec):
        expected = task.oracle.reference(**inputs)
        terms = task.oracle.terms(**inputs) if task.tolerance.kind == "terms" and task.oracle.terms else None
    outputs = {a.name: a.shape for a in arguments if a.role.is_written}
    if set(expected) != set(outputs):
        raise ContentError(
            f"case {spec.name!r}: the oracle returns {sorted(expected)}, the outputs are {sorted(outputs)}"
        )
    for name, shape in outputs.items():
        if expected[name].size != np.prod(shape, dtype=np.int64):
            raise ContentError(
                f"case {spec.name!r}: the oracle's {name!r} has shape {expected[name].shape}, not {shape}"
            )
    return Case(spec, arguments, expected, terms)


@contextmanager
def _blamed(spec: CaseSpec) -> Iterator[None]:
    """An oracle is somebody's Python file: whatever goes wrong in it is told as that."""
    try:
        yield
    except ContentError:
        raise
    except Exception as problem:
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        raise ContentError(
            f"case {spec.name!r}: the oracle failed: {type(problem).__name__}: {problem}",
            where=Location(frame.filename, frame.lineno),
        ) from problem


def _argument(argument: Argument, spec: CaseSpec, inputs: Inputs) -> ArgumentValue:
    shape: tuple[int, ...] = ()
    value: Array | int | float | None = None
    if argument.role is not Role.SCALAR:
        shape = tuple(evaluate(extent, _names(spec, inputs)) for extent in argument.shape)
    if argument.role is not Role.OUTPUT:
        if argument.name not in inputs:
            raise ContentError(f"case {spec.name!r}: inputs() gives no {argument.name!r}")
        value = _value(argument, inputs[argument.name])
    if isinstance(value, np.ndarray) and value.size != np.prod(shape, dtype=np.int64):
        raise ContentError(
            f"case {spec.name!r}: input {argument.name!r} has shape {value.shape}, declared is {shape}"
        )
    return ArgumentValue(
        name=argument.name,
        ctype=argument.ctype,
        role=argument.role,
        dtype=argument.dtype,
        value=value,
        shape=shape,
        zeroed=argument.zeroed,
    )


def _names(spec: CaseSpec, inputs: Inputs) -> dict[str, int]:
    scalars = {k: int(v) for k, v in inputs.items() if isinstance(v, int | np.integer)}
    return {**spec.sizes, **scalars}


def _value(argument: Argument, value: Array | int | float) -> Array | int | float:
    if argument.role.is_read:
        array = np.ascontiguousarray(value, dtype=dtype_of(argument.dtype))
        array.flags.writeable = False  # a reference that works in place would change the case itself
        return array
    return float(value) if is_float(dtype_of(argument.dtype)) else int(value)
