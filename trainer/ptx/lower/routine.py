"""From vector emitters to calls: a routine is compiled once per process and used by every kernel.

An emitter (see `vec`) writes text; `call` wraps it in a function that takes and returns one value per
lane. Kernels then hold a call instead of dozens of instructions, which keeps them quick to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from llvmlite import ir

from trainer.ptx.lower.context import Context
from trainer.ptx.lower.vec import Builder, Kind, Value

Emitter = Callable[..., Value]


def text(name: str, emit: Emitter, arguments: Sequence[str], result: str, width: int) -> str:
    """`<W x result> @wd_name(<W x argument>…)` around an emitter; types are IR element names."""
    lines: list[str] = []
    declarations: dict[str, None] = {}
    numbers = count()
    b = Builder(lines.append, lambda: f"%t{next(numbers)}", lambda line: declarations.setdefault(line))
    values = [Value(f"%a{k}", Kind(element, width)) for k, element in enumerate(arguments)]
    value = emit(b, *values)
    kind = Kind(result, width)
    if value.type != kind:
        raise TypeError(f"routine {name} returns {value.type}, expected {kind}")
    body = "\n  ".join([*lines, f"ret {value}"])
    head = "\n".join(declarations)
    return f"{head}\ndefine {kind} @wd_{name}({', '.join(map(str, values))}) {{\n  {body}\n}}\n"


def call(ctx: Context, name: str, emit: Emitter, arguments: Sequence[Any], result: ir.Type) -> Any:
    """Call the routine `name`, made from `emit` when first needed; `arguments` are lane vectors.

    The name must tell apart everything that the emitter depends on.
    """
    elements = [str(a.type.element) for a in arguments]
    return ctx.call_helper(
        name, lambda width: text(name, emit, elements, str(result), width), ctx.vector(result), arguments
    )
