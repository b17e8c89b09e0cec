"""Run a vector emitter over NumPy arrays: compile it once, call it for every 32 elements."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import count
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from trainer.ptx.lower.vec import Builder, Kind, Value

LANES = 32
_ELEMENTS = {"u1": "i8", "i1": "i8", "u2": "i16", "i2": "i16", "u4": "i32", "i4": "i32", "u8": "i64",
             "i8": "i64", "f4": "float", "f8": "double"}  # fmt: skip


def element_of(dtype: Any) -> str:
    return _ELEMENTS[np.dtype(dtype).str[1:]]


class Text:
    """Collects what a Builder writes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: dict[str, None] = {}
        numbers = count()
        self.builder = Builder(
            self.lines.append, lambda: f"%t{next(numbers)}", lambda s: self.declarations.setdefault(s)
        )

    def function(self, name: str, arguments: int) -> str:
        """The module: `void name(ptr %a0, …)` with the collected lines as its body."""
        signature = ", ".join(f"ptr %a{k}" for k in range(arguments))
        body = "\n  ".join(self.lines)
        return (
            "\n".join(self.declarations)
            + f"\ndefine void @{name}({signature}) {{\n  {body}\n  ret void\n}}\n"
        )


def run(emit: Callable[..., Value], inputs: list[np.ndarray], out: Any) -> np.ndarray:
    """`emit(builder, *vectors)` applied lane by lane; inputs are one-dimensional, same length."""
    size = len(inputs[0])
    padded = [np.concatenate([x, np.zeros(-size % LANES, x.dtype)]) for x in inputs]
    result = np.zeros(len(padded[0]), out)
    text = Text()
    b = text.builder
    vectors = []
    for k, x in enumerate(inputs):
        kind = Kind(element_of(x.dtype), LANES)
        vectors.append(b.define(kind, f"load {kind}, ptr %a{k}, align 1"))
    value = emit(b, *vectors)
    if value.type.element == "i1":
        value = b.zext(value, Kind(element_of(out), LANES))
    b.emit(f"store {value}, ptr %a{len(inputs)}, align 1")
    call, _keep = native(text.function("lanes", len(inputs) + 1), "lanes", len(inputs) + 1)
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
