"""Which function translates which PTX operation.

A handler is `(ctx, instruction) -> None`. It reads operands with `ctx.read`, emits LLVM IR through
`ctx.builder` and writes its result with `ctx.write`. What it does not know it refuses with
`ctx.unsupported()`: never a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainer.ptx.lower.context import Context
    from trainer.ptx.module import Instruction

Handler = Callable[["Context", "Instruction"], None]
HANDLERS: dict[str, Handler] = {}
_MODULES = (
    "move",
    "integer",
    "carry",
    "bits",
    "floating",
    "compare",
    "convert",
    "memory",
    "atomic",
    "special",
    "half",
    "approx",
    "warp",
    "async_copy",
    "matrix",
    "simd",
    "mbarrier",
)


def lowers(*ops: str) -> Callable[[Handler], Handler]:
    """Register a handler for base operations, e.g. `@lowers("add", "sub")`.

    A handler registered for `"add.f16"` style names (operation and type, the last modifier) is
    preferred over the one for the plain operation.
    """

    def register(handler: Handler) -> Handler:
        for op in ops:
            HANDLERS[op] = handler
        return handler

    return register


@cache
def _load() -> None:
    for name in _MODULES:
        full = f"trainer.ptx.lower.{name}"
        if find_spec(full) is not None:
            import_module(full)


def handler_for(instruction: Instruction) -> Handler | None:
    """The handler of an instruction: by `op.lasttype` first, then by `op`."""
    _load()
    if instruction.modifiers:
        specific = HANDLERS.get(f"{instruction.op}.{instruction.modifiers[-1]}")
        if specific is not None:
            return specific
    return HANDLERS.get(instruction.op)
