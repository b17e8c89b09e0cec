"""`cvt` to and from the narrow float formats (conversions in `narrow_ir`)."""

from __future__ import annotations

from typing import Any

from trainer.ptx.lower import half_ir, narrow_ir, routine, vec
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.small_float import BY_TYPE, Small, narrow, widen
from trainer.ptx.lower.values import DOUBLE, FLOAT, I16, I32, integer
from trainer.ptx.lower.vec import F64, Builder, Value, like
from trainer.ptx.module import Instruction
from trainer.ptx.types import TYPES

_PAIRS = ("f16x2", "bf16x2", "e4m3x2", "e5m2x2")
NARROW = frozenset(("f16", "bf16", "tf32", *_PAIRS))
_KEPT = ("rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz", "sat", "satfinite", "relu")


def concerns(instruction: Instruction) -> bool:
    """Whether a cvt has a narrow format at either end."""
    return not NARROW.isdisjoint(instruction.modifiers[-2:])


def cvt(ctx: Context, instruction: Instruction) -> None:
    """A cvt that `concerns` narrow formats."""
    target, source = instruction.modifiers[-2:]
    present = ctx.modifiers(*_KEPT)
    mods = tuple(m for m in _KEPT if m in present)
    if target in _PAIRS:
        value = _to_pair(ctx, instruction, target, source, mods)
    elif source in _PAIRS:
        ctx.unsupported()
    elif source in ("f16", "bf16"):
        value = _from_small(ctx, instruction, target, BY_TYPE[source], mods)
    else:
        value = _to_small(ctx, instruction, target, source, mods)
    ctx.write(instruction.operands[0], value, signed=TYPES[target].is_signed)


def _name(target: str, source: str, mods: tuple[str, ...]) -> str:
    return "_".join(["cvt", target, source, *mods])


def _to_small(ctx: Context, instruction: Instruction, target: str, source: str, mods: tuple[str, ...]) -> Any:
    """f32, f64 or an integer → f16, bf16 or tf32."""
    type_ = TYPES[source]
    value = ctx.read(instruction.operands[1], type_)

    def emit(b: Builder, x: Value) -> Value:
        if target == "tf32":
            return narrow_ir.to_tf32(b, x, mods)
        small = BY_TYPE[target]
        if type_.is_float:
            return narrow_ir.from_float(b, x, small, mods)
        return narrow_ir.from_integer(b, x, type_.is_signed, small, mods)

    result = integer(TYPES[target].bits)
    return routine.call(ctx, _name(target, source, mods), emit, [value], result)


def _from_small(
    ctx: Context, instruction: Instruction, target: str, small: Small, mods: tuple[str, ...]
) -> Any:
    """f16 or bf16 → f16, bf16, f32, f64 or an integer."""
    value = ctx.read(instruction.operands[1], "b16")
    kind = TYPES[target]

    def emit(b: Builder, x: Value) -> Value:
        whole = next((m for m in mods if m in narrow_ir.TO_INTEGRAL), None)
        if target in BY_TYPE:
            if BY_TYPE[target] is small and whole is not None:
                return narrow_ir.to_integral(b, x, small, mods)
            return narrow(b, half_ir.clamp(b, widen(b, x, small), mods), BY_TYPE[target], _rounding(mods))
        wide = widen(b, x, small)  # `.ftz` speaks of f32 subnormals only
        if kind.is_float:
            wide = half_ir.clamp(b, wide, mods)
            return wide if kind.bits == 32 else b.fpext(wide, like(wide, F64))
        rounded = b.intrinsic(narrow_ir.TO_INTEGRAL[whole or "rzi"], wide.type, [wide])
        return _to_integer(b, rounded, kind.bits, kind.is_signed)

    result = {"f32": FLOAT, "f64": DOUBLE}.get(target) or integer(kind.bits)
    return routine.call(ctx, _name(target, small.name, mods), emit, [value], result)


def _rounding(mods: tuple[str, ...]) -> str:
    return narrow_ir.rounding(mods)


def _to_integer(b: Builder, whole: Value, bits: int, signed: bool) -> Value:
    """Clamped to the range of the integer, NaN to 0."""
    kind = like(whole, integer(bits))
    name = "fptosi.sat" if signed else "fptoui.sat"
    return b.intrinsic(name, kind, [whole], [kind, whole.type])


def _to_pair(ctx: Context, instruction: Instruction, target: str, source: str, mods: tuple[str, ...]) -> Any:
    """Two f32 (the first operand goes to the upper half), or another pair, → a packed pair."""
    name = _name(target, source, mods)
    operands = instruction.operands[1:]
    if source == "f32":
        values = [ctx.read(o, "f32") for o in operands]
        result = I16 if target in narrow_ir.TINY else I32
        return routine.call(ctx, name, lambda b, *x: _pack(b, x, target, mods), values, result)
    if source in narrow_ir.TINY and target == "f16x2":
        tiny = narrow_ir.TINY[source]

        def expand(b: Builder, x: Value) -> Value:
            halves = [narrow_ir.from_tiny(b, byte, tiny) for byte in narrow_ir.unpack_bytes(b, x)]
            if "relu" in mods:
                small = BY_TYPE["f16"]
                halves = [narrow(b, half_ir.clamp(b, widen(b, h, small), mods), small) for h in halves]
            return vec.pack_halves(b, *halves)

        return routine.call(ctx, name, expand, [ctx.read(operands[0], "b16")], I32)
    if source in BY_TYPE and target in narrow_ir.TINY:
        small = BY_TYPE[source]

        def shrink(b: Builder, x: Value) -> Value:
            halves = [widen(b, half, small) for half in (vec.high_half(b, x), vec.low_half(b, x))]
            return _pack(b, tuple(halves), target, mods)

        return routine.call(ctx, name, shrink, [ctx.read(operands[0], "b32")], I16)
    return ctx.unsupported()


def _pack(b: Builder, values: tuple[Value, ...], target: str, mods: tuple[str, ...]) -> Value:
    high, low = values
    if target in narrow_ir.TINY:
        tiny = narrow_ir.TINY[target]
        return narrow_ir.pack_bytes(
            b, narrow_ir.to_tiny(b, low, tiny, mods), narrow_ir.to_tiny(b, high, tiny, mods)
        )
    small = BY_TYPE[target]
    return vec.pack_halves(
        b, narrow_ir.from_float(b, low, small, mods), narrow_ir.from_float(b, high, small, mods)
    )
