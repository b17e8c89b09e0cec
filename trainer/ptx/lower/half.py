"""Instructions on f16, f16x2, bf16 and bf16x2 (arithmetic in `half_ir`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainer.ptx.lower import half_ir, routine
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.small_float import BY_TYPE, Small
from trainer.ptx.lower.values import I1, I16, I32, integer
from trainer.ptx.lower.vec import Builder, Value
from trainer.ptx.module import Instruction, Pair
from trainer.ptx.types import TYPES

_TYPES = ("f16", "f16x2", "bf16", "bf16x2")
_OPERATIONS: dict[str, Callable[..., Value]] = {
    "add": half_ir.add,
    "sub": half_ir.sub,
    "mul": half_ir.mul,
    "fma": half_ir.fma,
    "neg": half_ir.neg,
    "abs": half_ir.absolute,
    "min": half_ir.smaller,
    "max": half_ir.larger,
    "ex2": half_ir.ex2,
    "tanh": half_ir.tanh,
}
_KEPT = ("ftz", "sat", "relu", "NaN", "xorsign")  # what changes a result
_IGNORED = ("rn", "approx", "abs")  # the only rounding; `abs` comes with xorsign
_BOOLEAN = ("and", "or", "xor")


def _names(operations: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{op}.{type_}" for op in operations for type_ in _TYPES)


@lowers(*_names(tuple(_OPERATIONS)))
def arithmetic(ctx: Context, instruction: Instruction) -> None:
    type_ = instruction.modifiers[-1]
    present = ctx.modifiers(*_KEPT, *_IGNORED)
    mods = tuple(m for m in _KEPT if m in present)
    operation, small = _OPERATIONS[instruction.op], BY_TYPE[type_]

    def emit(b: Builder, *values: Value) -> Value:
        if type_.endswith("x2"):
            return half_ir.packed(b, lambda *part: operation(b, *part, small, mods), list(values))
        return operation(b, *values, small, mods)

    element = integer(TYPES[type_].bits)
    operands = [ctx.read(o, f"b{element.width}") for o in instruction.operands[1:]]
    name = "_".join([instruction.op, type_, *mods])
    ctx.write(instruction.operands[0], routine.call(ctx, name, emit, operands, element))


def _compare(ctx: Context, operator: str, x: Any, y: Any, small: Small, mods: tuple[str, ...]) -> Any:
    """i1 lanes of a 16-bit comparison."""
    name = "_".join(["compare", operator, small.name, *mods])
    return routine.call(
        ctx, name, lambda b, p, q: half_ir.compare(b, operator, p, q, small, mods), [x, y], I1
    )


def _combined(ctx: Context, result: Any, boolean: str | None, instruction: Instruction, at: int) -> Any:
    """The optional `.and/.or/.xor` with a predicate operand."""
    if boolean is None:
        return result
    other = ctx.read(instruction.operands[at], "pred")
    combine = {"and": ctx.builder.and_, "or": ctx.builder.or_, "xor": ctx.builder.xor}[boolean]
    return combine(result, other)


def _comparison(ctx: Context, instruction: Instruction) -> tuple[str, str | None, tuple[str, ...]]:
    """Operator, boolean operation and result-changing modifiers of a setp or set."""
    present = ctx.modifiers("ftz", *_BOOLEAN, *half_ir.COMPARISONS)
    operator = next(m for m in instruction.modifiers if m in half_ir.COMPARISONS)
    boolean = next((m for m in _BOOLEAN if m in present), None)
    return operator, boolean, ("ftz",) if "ftz" in present else ()


def _halves(ctx: Context, value: Any) -> tuple[Any, Any]:
    high = ctx.builder.lshr(value, ctx.constant(I32, 16))
    return ctx.convert(value, I16), ctx.convert(high, I16)


@lowers(*_names(("setp",)))
def setp(ctx: Context, instruction: Instruction) -> None:
    type_ = instruction.modifiers[-1]
    small = BY_TYPE[type_]
    operator, boolean, mods = _comparison(ctx, instruction)
    target, left, right = instruction.operands[:3]
    if type_.endswith("x2"):
        xs, ys = _halves(ctx, ctx.read(left, "b32")), _halves(ctx, ctx.read(right, "b32"))
        both = [_compare(ctx, operator, x, y, small, mods) for x, y in zip(xs, ys, strict=True)]
    else:
        one = _compare(ctx, operator, ctx.read(left, "b16"), ctx.read(right, "b16"), small, mods)
        both = [one, ctx.builder.not_(one)]
    both = [_combined(ctx, r, boolean, instruction, 3) for r in both]
    targets = (target.first, target.second) if isinstance(target, Pair) else (target,)
    for register, value in zip(targets, both, strict=False):
        ctx.write(register, value)


@lowers(*_names(("set",)))
def set_(ctx: Context, instruction: Instruction) -> None:
    """`set`: all ones (integers) or 1.0 where the comparison holds, else zero."""
    source, result = instruction.modifiers[-1], instruction.modifiers[-2]
    small = BY_TYPE[source]
    operator, boolean, mods = _comparison(ctx, instruction)
    _, left, right = instruction.operands[:3]
    one = BY_TYPE[result].one if result in BY_TYPE else 0x3F800000 if result == "f32" else -1
    if source.endswith("x2"):
        xs, ys = _halves(ctx, ctx.read(left, "b32")), _halves(ctx, ctx.read(right, "b32"))
        flags = [_compare(ctx, operator, x, y, small, mods) for x, y in zip(xs, ys, strict=True)]
        flags = [_combined(ctx, f, boolean, instruction, 3) for f in flags]
        low, high = (_chosen(ctx, flag, one, 16) for flag in flags)
        upper = ctx.builder.shl(ctx.convert(high, I32), ctx.constant(I32, 16))
        value = ctx.builder.or_(ctx.convert(low, I32), upper)
    else:
        flag = _compare(ctx, operator, ctx.read(left, "b16"), ctx.read(right, "b16"), small, mods)
        flag = _combined(ctx, flag, boolean, instruction, 3)
        value = _chosen(ctx, flag, one, TYPES[result].bits)
    ctx.write(instruction.operands[0], value)


def _chosen(ctx: Context, flag: Any, one: int, bits: int) -> Any:
    return ctx.builder.select(flag, ctx.constant(bits, one), ctx.constant(bits, 0))
