"""Byte and half-word differences in one register: vabsdiff4 and vabsdiff2 (CUDA's __vabs*, __vsad*)."""

from __future__ import annotations

from trainer.ptx.lower import routine
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I32
from trainer.ptx.lower.vec import Builder, Value, splat
from trainer.ptx.module import Instruction

_TYPES = ("u32", "s32")


def _part(b: Builder, packed: Value, k: int, bits: int, signed: bool) -> Value:
    """Part k of a register, extended to 32 bits."""
    top = b.shl(packed, splat(packed.type, 32 - bits * (k + 1)))
    shift = splat(packed.type, 32 - bits)
    return b.ashr(top, shift) if signed else b.lshr(top, shift)


def differences(
    b: Builder, x: Value, y: Value, bits: int, signs: tuple[bool, bool], most: int | None
) -> list[Value]:
    """|x − y| of each part; above `most` (when given) clamped to it."""
    zero = splat(x.type, 0)
    found = []
    for k in range(32 // bits):
        apart = b.sub(_part(b, x, k, bits, signs[0]), _part(b, y, k, bits, signs[1]))
        size = b.select(b.icmp_signed("<", apart, zero), b.sub(zero, apart), apart)
        if most is not None:
            limit = splat(x.type, most)
            size = b.select(b.icmp_signed(">", size, limit), limit, size)
        found.append(size)
    return found


@lowers("vabsdiff4", "vabsdiff2")
def vabsdiff(ctx: Context, instruction: Instruction) -> None:
    """The parts side by side, or with `.add` their sum plus the third operand."""
    present = ctx.modifiers("sat", "add", *_TYPES)
    types = [m for m in instruction.modifiers if m in _TYPES]
    if len(types) != 3 or len(instruction.operands) != 4:
        ctx.unsupported()
    bits = 8 if instruction.op == "vabsdiff4" else 16
    signs = (types[1] == "s32", types[2] == "s32")
    most = (1 << (bits - (types[0] == "s32"))) - 1 if "sat" in present else None

    def emit(b: Builder, x: Value, y: Value, c: Value) -> Value:
        parts = differences(b, x, y, bits, signs, most)
        total = c if "add" in present else splat(x.type, 0)
        for k, part in enumerate(parts):
            if "add" in present:
                total = b.add(total, part)
            else:
                low = b.and_(part, splat(x.type, (1 << bits) - 1))
                total = b.or_(total, b.shl(low, splat(x.type, bits * k)))
        return total

    target, *operands = instruction.operands
    values = [ctx.read(o, "b32") for o in operands]
    name = "_".join([instruction.op, *instruction.modifiers])
    ctx.write(target, routine.call(ctx, name, emit, values, I32))
