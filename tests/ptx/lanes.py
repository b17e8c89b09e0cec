"""Run a vector emitter over NumPy arrays: compile it once, call it for every 32 elements."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from trainer.ptx.lower import vec
from trainer.ptx.lower.values import POINTER

LANES = 32
_FLOATS = {4: vec.F32, 8: vec.F64}


def element_of(dtype: Any) -> Any:
    """The IR element of a NumPy type: a float, or an integer of its size."""
    kind = np.dtype(dtype)
    return _FLOATS[kind.itemsize] if kind.kind == "f" else vec.integer(8 * kind.itemsize)


def run(emit: Callable[..., vec.Value], inputs: list[np.ndarray], out: Any) -> np.ndarray:
    """`emit(builder, *vectors)` applied lane by lane; inputs are one-dimensional, same length."""
    size = len(inputs[0])
    padded = [np.concatenate([x, np.zeros(-size % LANES, x.dtype)]) for x in inputs]
    result = np.zeros(len(padded[0]), out)

    def body(b: vec.Builder, *pointers: vec.Value) -> None:
        vectors = [
            b.load(p, typ=vec.vector_type(element_of(x.dtype), LANES), align=1)
            for p, x in zip(pointers, inputs, strict=False)
        ]
        value = emit(b, *vectors)
        if value.type.element == vec.I1:
            value = b.zext(value, vec.vector_type(element_of(out), LANES))
        b.store(value, pointers[-1], align=1)

    arguments = len(inputs) + 1
    text = vec.function_text("lanes", [POINTER] * arguments, None, body)
    call, _keep = native(text, "lanes", arguments)
    for at in range(0, len(result), LANES):
        call(*(x[at:].ctypes.data for x in [*padded, result]))
    return result[:size]


def native(module: str, name: str, arguments: int) -> tuple[Any, Any]:
    """The compiled function, and what must stay alive while it is used."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple().create_target_machine(
        opt=1, cpu=llvm.get_host_cpu_name(), features=features
    )
    parsed = llvm.parse_assembly(module)
    parsed.verify()
    engine = llvm.create_mcjit_compiler(parsed, target)
    engine.finalize_object()
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arguments)
    return prototype(engine.get_function_address(name)), engine
