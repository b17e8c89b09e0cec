"""Which function translates which PTX operation.

A handler is `(ctx, instruction) -> None`. It reads operands with `ctx.read`, emits LLVM IR through
`ctx.builder` and writes its result with `ctx.write`. What it does not know it refuses with
`ctx.unsupported()`: never a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainer.ptx.lower.context import Context
    from trainer.ptx.module import Instruction

Handler = Callable[["Context", "Instruction"], None]
HANDLERS: dict[str, Handler] = {}
# What nearly every kernel uses, and what is only loaded when an instruction asks for it.
_COMMON = (
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
)
_OTHERS = ("half", "approx", "warp", "async_copy", "matrix", "simd", "mbarrier")
_PLAIN = frozenset(
    "u8 s8 b8 u16 s16 b16 u32 s32 b32 u64 s64 b64 b128 f32 f64 pred u16x2 s16x2".split()
)  # types whose instructions no other module overrides


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
def _load(names: tuple[str, ...]) -> None:
    for name in names:
        import_module(f"trainer.ptx.lower.{name}")


def handler_for(instruction: Instruction) -> Handler | None:
    """The handler of an instruction: by `op.lasttype` first, then by `op`."""
    _load(_COMMON)
    last = instruction.modifiers[-1] if instruction.modifiers else ""
    if instruction.op not in HANDLERS or (last and last not in _PLAIN):
        _load(_OTHERS)
    return HANDLERS.get(f"{instruction.op}.{last}") or HANDLERS.get(instruction.op)
