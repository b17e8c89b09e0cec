"""Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc with the carry register CC.CF.

The carry lives in a register of its own, `%cc`, kept like any other predicate. A subtraction is the sum
a + ~b + 1, so it sets the carry when it does *not* borrow: NVRTC's 128-bit division reads the flag of a
`subc.cc` with an `addc`.
"""

from __future__ import annotations

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.integer import product
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import integer
from trainer.ptx.module import Instruction, Register
from trainer.ptx.types import PRED, ScalarType

CARRY = Register("%cc", PRED)


def _carry_in(ctx: Context, bits: int) -> Value:
    return ctx.convert(ctx.register(CARRY), integer(bits))


def _add(ctx: Context, a: Value, b: Value, carry: Value | None) -> tuple[Value, Value]:
    """Sum and carry out (i1)."""
    builder = ctx.builder
    total = builder.add(a, b)
    out = builder.icmp_unsigned("<", total, a)
    if carry is not None:
        again = builder.add(total, carry)
        out = builder.or_(out, builder.icmp_unsigned("<", again, total))
        total = again
    return total, out


def _subtract(ctx: Context, a: Value, b: Value, carry: Value | None) -> tuple[Value, Value]:
    """Difference and carry out (i1): a + ~b + carry, the carry being 1 at the lowest word."""
    builder = ctx.builder
    rest = builder.sub(a, b)
    borrows = builder.icmp_unsigned("<", a, b)
    if carry is not None:
        one = ctx.constant(a.type.element, 1)
        borrow = builder.sub(one, carry)
        again = builder.sub(rest, borrow)
        borrows = builder.or_(borrows, builder.icmp_unsigned("<", rest, borrow))
        rest = again
    return rest, builder.not_(borrows)


def _kind(ctx: Context, instruction: Instruction) -> ScalarType:
    kind = ctx.type_of(instruction.modifiers[-1])
    if kind.bits not in (32, 64) or not kind.is_integer:
        ctx.unsupported()
    return kind


@lowers("addc", "subc")
def add_with_carry(ctx: Context, instruction: Instruction) -> None:
    """add.cc, addc{.cc}, sub.cc, subc{.cc}."""
    kind = _kind(ctx, instruction)
    flags = ctx.modifiers("cc")
    target, a, b = instruction.operands
    carry = _carry_in(ctx, kind.bits) if instruction.op.endswith("c") else None
    emit = _add if instruction.op.startswith("add") else _subtract
    value, out = emit(ctx, ctx.read(a, kind), ctx.read(b, kind), carry)
    ctx.write(target, value)
    if "cc" in flags:
        ctx.write(CARRY, out)


@lowers("madc")
def multiply_with_carry(ctx: Context, instruction: Instruction) -> None:
    """mad{c}.lo/hi{.cc}: product half plus addend plus carry."""
    kind = _kind(ctx, instruction)
    flags = ctx.modifiers("cc", "lo", "hi")
    target, a, b, c = instruction.operands
    carry = _carry_in(ctx, kind.bits) if instruction.op == "madc" else None
    part = product(ctx, ctx.read(a, kind), ctx.read(b, kind), kind, "lo" if "lo" in flags else "hi")
    value, out = _add(ctx, ctx.read(c, kind), part, carry)
    ctx.write(target, value)
    if "cc" in flags:
        ctx.write(CARRY, out)
