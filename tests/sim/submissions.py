"""Runs small submissions through the real path: NVRTC, PTX, engine, observation."""

from __future__ import annotations

from functools import cache

import numpy as np

from trainer.bank.model import Array, Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import ArgumentValue, RunOutcome, RunRequest
from trainer.sim.backend import SimBackend


def given(name: str, values: Array) -> ArgumentValue:
    """An input buffer."""
    return ArgumentValue(
        name, f"const {_ctype(values)}*", Role.INPUT, str(values.dtype), values, values.shape
    )


def wanted(name: str, shape: int, dtype: str = "float32", *, zeroed: bool = False) -> ArgumentValue:
    """An output buffer of `shape` elements."""
    ctype = f"{_ctype(np.zeros(0, dtype=dtype))}*"
    return ArgumentValue(name, ctype, Role.OUTPUT, dtype, None, (shape,), zeroed)


def number(name: str, value: int | float) -> ArgumentValue:
    """A scalar: int or float."""
    kind = "int" if isinstance(value, int) else "float"
    return ArgumentValue(name, kind, Role.SCALAR, "int32" if kind == "int" else "float32", value)


def _ctype(values: Array) -> str:
    names = {"float32": "float", "int32": "int", "uint8": "unsigned char", "float64": "double"}
    return names[str(values.dtype)]


@cache
def backend() -> SimBackend:
    """One backend for all tests of the process: LLVM starts once."""
    return SimBackend()


def run(
    source: str, *arguments: ArgumentValue, observe: bool = True, hazards: bool = True, seed: int = 1,
    budget_s: float = 20.0,
) -> RunOutcome:  # fmt: skip
    """Compile and run `source`, whose `solve` takes `arguments` in this order."""
    signature = Signature("solve", tuple(Parameter(a.name, a.ctype) for a in arguments))
    compiled = backend().compile(source, signature)
    assert compiled.ok, compiled.log or compiled.message
    return backend().run(RunRequest(arguments, seed, observe, hazards, budget_s=budget_s))
