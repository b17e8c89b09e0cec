"""The examples of a statement: they have the declared shapes, and say what the oracle says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trainer.bank.dtypes import dtype_of
from trainer.bank.expressions import evaluate
from trainer.bank.model import Example, Inputs, KernelTask, Role


def untrue_examples(task: KernelTask) -> Iterator[tuple[Example, str]]:
    """Examples with what is wrong with them. Raises ContentError where the oracle fails."""
    for number, example in enumerate(task.examples, 1):
        misfit = _misfit(task, example)
        if misfit:
            yield example, f"example {number}: {misfit}"
            continue
        inputs: Inputs = {}
        for a in task.arguments:
            if a.role is not Role.OUTPUT:
                given = example.inputs[a.name]
                inputs[a.name] = np.array(given, dtype_of(a.dtype)) if a.role.is_read else given
        expected = task.oracle.reference(**inputs)
        for name, shown in example.outputs.items():
            if name not in expected:
                continue  # told of the first case
            shape = np.shape(expected[name])
            if np.shape(shown) != shape or not np.allclose(shown, expected[name], rtol=1e-6, atol=1e-9):
                computed = np.array2string(expected[name], precision=7, separator=", ")
                yield example, f"example {number} shows another {name} than the oracle computes: {computed}"


def _misfit(task: KernelTask, example: Example) -> str:
    """What is wrong with the shapes of an example; "" if nothing is."""
    for a in task.arguments:
        if a.role is Role.SCALAR and isinstance(example.inputs[a.name], list):
            return f"{a.name} should be a number"
    sizes = {name: value for name, value in example.inputs.items() if isinstance(value, int)}
    for a in (a for a in task.arguments if a.role is not Role.SCALAR):
        given = [values[a.name] for values in (example.inputs, example.outputs) if a.name in values]
        shape = tuple(evaluate(extent, sizes) for extent in a.shape)
        for values in given:
            try:
                elements = np.size(np.array(values, np.float64))
            except ValueError:
                return f"the rows of {a.name} differ in length"
            if elements != np.prod(shape, dtype=np.int64):
                return f"{a.name} has {elements} elements, declared is {shape}"
    return ""
