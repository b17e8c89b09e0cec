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
from trainer.bank.model import Argument, Array, CaseSpec, Inputs, KernelTask, Oracle, Role
from trainer.errors import ContentError, Location
from trainer.grade.backend import ArgumentValue


@dataclass(frozen=True)
class Call:
    """What `solve` is given, and what the oracle drew to make that."""

    spec: CaseSpec
    arguments: tuple[ArgumentValue, ...]
    inputs: Inputs


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
    """A call and what must come out of it. Raises ContentError as `draw_call` and `answer` do."""
    return answer(task, draw_call(task, spec, seed))


def draw_call(task: KernelTask, spec: CaseSpec, seed: int) -> Call:
    """Draw the inputs of `spec` from `seed`; equal seeds give equal calls, whatever else was drawn.

    Raises ContentError where the oracle's inputs do not fit the declared arguments.
    """
    rng = np.random.default_rng([seed, zlib.crc32(spec.name.encode())])
    with _blamed(spec):
        inputs = task.oracle.inputs(rng, spec.sizes, spec.values)
        arguments = tuple(_argument(a, inputs, spec.sizes, task.oracle) for a in task.arguments)
    return Call(spec, arguments, inputs)


def answer(task: KernelTask, call: Call) -> Case:
    """What must come out of `call`. Raises ContentError where the oracle's results do not fit."""
    inputs = call.inputs
    with _blamed(call.spec):
        expected = task.oracle.reference(**inputs)
        terms = task.oracle.terms(**inputs) if task.tolerance.kind == "terms" and task.oracle.terms else None
        shapes = {a.name: a.shape for a in call.arguments if a.role.is_written}
        check_outputs(expected, shapes, "reference()", "reference", task.oracle)
        if terms is not None:
            check_outputs(terms, shapes, "terms()", "terms", task.oracle)
    return Case(call.spec, call.arguments, expected, terms)


def check_outputs(
    given: Mapping[str, Array],
    shapes: Mapping[str, tuple[int, ...]],
    what: str,
    function: str,
    oracle: Oracle,
) -> None:
    """Raises ContentError, at the `function` of the oracle, unless `what` it gave is every output in full."""
    problem = ""
    if set(given) != set(shapes):
        problem = f"gives {sorted(given)}, the outputs are {sorted(shapes)}"
    for name, shape in shapes.items():
        if not problem and given[name].size != np.prod(shape, dtype=np.int64):
            problem = f"gives {name!r} the shape {given[name].shape}, declared is {shape}"
    if problem:
        raise ContentError(f"{what} {problem}", where=oracle.where(function))


@contextmanager
def _blamed(spec: CaseSpec) -> Iterator[None]:
    """An oracle is somebody's Python file: whatever goes wrong in it is told as that."""
    try:
        yield
    except ContentError as problem:
        message = f"case {spec.name!r}: {problem.message}"
        raise ContentError(message, where=problem.where, hint=problem.hint) from problem
    except Exception as problem:
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        raise ContentError(
            f"case {spec.name!r}: the oracle failed: {type(problem).__name__}: {problem}",
            where=Location(frame.filename, frame.lineno),
        ) from problem


def _argument(
    argument: Argument, inputs: Inputs, sizes: Mapping[str, int], oracle: Oracle
) -> ArgumentValue:
    """One argument of the call; ContentError where `inputs` lacks it or gives it another shape."""
    shape: tuple[int, ...] = ()
    value: Array | int | float | None = None
    if argument.role is not Role.SCALAR:
        shape = tuple(evaluate(extent, _names(sizes, inputs)) for extent in argument.shape)
    if argument.role is not Role.OUTPUT:
        if argument.name not in inputs:
            raise ContentError(f"inputs() gives no {argument.name!r}", where=oracle.where("inputs"))
        value = _value(argument, inputs[argument.name])
    if isinstance(value, np.ndarray) and value.size != np.prod(shape, dtype=np.int64):
        message = f"inputs() gives {argument.name!r} the shape {value.shape}, declared is {shape}"
        raise ContentError(message, where=oracle.where("inputs"))
    return ArgumentValue(
        name=argument.name,
        ctype=argument.ctype,
        role=argument.role,
        dtype=argument.dtype,
        value=value,
        shape=shape,
        zeroed=argument.zeroed,
    )


def _names(sizes: Mapping[str, int], inputs: Inputs) -> dict[str, int]:
    scalars = {k: int(v) for k, v in inputs.items() if isinstance(v, int | np.integer)}
    return {**sizes, **scalars}


def _value(argument: Argument, value: Array | int | float) -> Array | int | float:
    if argument.role.is_read:
        array = np.ascontiguousarray(value, dtype=dtype_of(argument.dtype))
        array.flags.writeable = False  # a reference that works in place would change the case itself
        return array
    return float(value) if is_float(dtype_of(argument.dtype)) else int(value)
