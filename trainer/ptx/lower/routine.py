"""From vector emitters to calls: a routine is compiled once per process and used by every kernel.

An emitter (see `vec`) writes instructions; `call` wraps it in a function that takes and returns one value
per lane. Kernels then hold a call instead of dozens of instructions, which keeps them quick to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from trainer.ptx.lower.context import Context
from trainer.ptx.lower.values import vector_type
from trainer.ptx.lower.vec import Value, function_text

Emitter = Callable[..., Value]


def text(name: str, emit: Emitter, arguments: Sequence[ir.Type], result: ir.Type, width: int) -> str:
    """`<W x result> @wd_name(<W x argument>…)` around an emitter, as `Context.call_helper` wants it."""
    kinds = [vector_type(element, width) for element in arguments]
    return function_text(f"wd{width}_{name}", kinds, vector_type(result, width), emit)


def call(ctx: Context, name: str, emit: Emitter, arguments: Sequence[Any], result: ir.Type) -> Any:
    """Call the routine `name`, made from `emit` when first needed; `arguments` are lane vectors.

    The name must tell apart everything that the emitter depends on.
    """
    elements = [a.type.element for a in arguments]
    return ctx.call_helper(
        name, lambda width: text(name, emit, elements, result, width), ctx.vector(result), arguments
    )
