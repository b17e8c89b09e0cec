"""Instructions that approximate: ex2, lg2, rcp, rsqrt, sqrt, div, sin, cos, tanh (`approx_ir`)."""

from __future__ import annotations

from trainer.ptx.lower import approx_ir, routine
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import element_type
from trainer.ptx.module import Instruction
from trainer.ptx.types import TYPES


@lowers("ex2.f32", "lg2.f32", "sin.f32", "cos.f32", "tanh.f32", "rsqrt.f32", "rsqrt.f64")
def always(ctx: Context, instruction: Instruction) -> None:
    approximate(ctx, instruction)


def approximate(ctx: Context, instruction: Instruction) -> None:
    """A one-operand `.approx` instruction (also rcp and sqrt when they say so)."""
    present = ctx.modifiers("approx", "ftz")
    if "approx" not in present:
        ctx.unsupported()
    type_ = TYPES[instruction.modifiers[-1]]
    mods = ("ftz",) if "ftz" in present else ()
    operation = instruction.op
    value = ctx.read(instruction.operands[1], type_)
    name = "_".join(["approx", operation, type_.name, *mods])
    result = routine.call(
        ctx, name, lambda b, x: approx_ir.unary(b, operation, x, mods), [value], element_type(type_)
    )
    ctx.write(instruction.operands[0], result)


def divide(ctx: Context, instruction: Instruction) -> None:
    """`div.approx.f32` and `div.full.f32`."""
    present = ctx.modifiers("approx", "full", "ftz")
    mods = tuple(m for m in ("approx", "full", "ftz") if m in present)
    operands = [ctx.read(o, "f32") for o in instruction.operands[1:]]
    name = "_".join(["approx", "div", *mods])
    result = routine.call(
        ctx, name, lambda b, x, y: approx_ir.binary(b, x, y, mods), operands, element_type(TYPES["f32"])
    )
    ctx.write(instruction.operands[0], result)
