"""setp, set, selp, slct."""

from __future__ import annotations

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.floating import read_float
from trainer.ptx.lower.registry import lowers
from trainer.ptx.module import Instruction, Pair
from trainer.ptx.types import ScalarType

_SYMBOL = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
_UNORDERED = {f"{k}u": v for k, v in _SYMBOL.items()}
_COMPARISONS = (*_SYMBOL, *_UNSIGNED, *_UNORDERED, "num", "nan")
_COMBINE = ("and", "or", "xor")


def compare(ctx: Context, name: str, a: Value, b: Value, kind: ScalarType) -> Value:
    """<W x i1>: the comparison `name` (eq, ltu, num, ...) of two vectors."""
    builder = ctx.builder
    if kind.is_float:
        if name in _SYMBOL:
            return builder.fcmp_ordered(_SYMBOL[name], a, b)
        if name in _UNORDERED:
            return builder.fcmp_unordered(_UNORDERED[name], a, b)
        if name == "num":
            return builder.fcmp_ordered("ord", a, b)
        if name == "nan":
            return builder.fcmp_unordered("uno", a, b)
        ctx.unsupported()
    if name in _UNSIGNED:
        return builder.icmp_unsigned(_UNSIGNED[name], a, b)
    if name not in _SYMBOL:
        ctx.unsupported()
    emit = builder.icmp_signed if kind.is_signed else builder.icmp_unsigned
    return emit(_SYMBOL[name], a, b)


def _comparison(
    ctx: Context, instruction: Instruction, kind: ScalarType
) -> tuple[Value, Value | None, str | None]:
    """(a cmp b, combining predicate, how they combine)."""
    flags = ctx.modifiers("ftz", *_COMPARISONS, *_COMBINE)
    name = next((m for m in instruction.modifiers if m in _COMPARISONS), None)
    if name is None or kind.name in ("f16", "bf16", "f16x2", "bf16x2"):
        ctx.unsupported()
    combine = next((m for m in instruction.modifiers if m in _COMBINE), None)
    operands = instruction.operands[1:]
    ftz = "ftz" in flags
    a, b = (read_float(ctx, o, kind, ftz) if kind.is_float else ctx.read(o, kind) for o in operands[:2])
    held = compare(ctx, name, a, b, kind)
    return held, ctx.read(operands[2], "pred") if combine else None, combine


def _combined(ctx: Context, held: Value, other: Value | None, combine: str | None) -> Value:
    if other is None or combine is None:
        return held
    emit = {"and": ctx.builder.and_, "or": ctx.builder.or_, "xor": ctx.builder.xor}[combine]
    return emit(held, other)


@lowers("setp")
def _setp(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    held, other, combine = _comparison(ctx, instruction, kind)
    target = instruction.operands[0]
    if isinstance(target, Pair):
        ctx.write(target.first, _combined(ctx, held, other, combine))
        ctx.write(target.second, _combined(ctx, ctx.builder.not_(held), other, combine))
    else:
        ctx.write(target, _combined(ctx, held, other, combine))


@lowers("set")
def _set(ctx: Context, instruction: Instruction) -> None:
    """All ones (1.0f for f32) where the comparison holds, else 0."""
    result, kind = (ctx.type_of(m) for m in instruction.modifiers[-2:])
    value = _combined(ctx, *_comparison(ctx, instruction, kind))
    if result.name == "f32":
        one, zero = ctx.float_constant(1.0), ctx.float_constant(0.0)
    elif result.bits == 32:
        one, zero = ctx.constant(32, -1), ctx.constant(32, 0)
    else:
        ctx.unsupported()
    ctx.write(instruction.operands[0], ctx.builder.select(value, one, zero))


@lowers("selp")
def _selp(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    target, a, b, choice = instruction.operands
    left, right = ctx.read(a, kind), ctx.read(b, kind)
    ctx.write(target, ctx.builder.select(ctx.read(choice, "pred"), left, right))


@lowers("slct")
def _slct(ctx: Context, instruction: Instruction) -> None:
    """a if c >= 0 else b."""
    result, kind = (ctx.type_of(m) for m in instruction.modifiers[-2:])
    flags = ctx.modifiers("ftz")
    target, a, b, c = instruction.operands
    if kind.is_float:
        held = ctx.builder.fcmp_ordered(
            ">=", read_float(ctx, c, kind, "ftz" in flags), ctx.float_constant(0.0)
        )
    else:
        held = ctx.builder.icmp_signed(">=", ctx.read(c, kind), ctx.constant(32, 0))
    ctx.write(target, ctx.builder.select(held, ctx.read(a, result), ctx.read(b, result)))
