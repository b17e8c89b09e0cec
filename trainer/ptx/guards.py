"""Which lanes the end of a block acts on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir

from trainer.ptx.lower.values import I32
from trainer.ptx.module import Instruction

if TYPE_CHECKING:
    from trainer.ptx.function import FunctionBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types


def taken_lanes(function: FunctionBuilder, last: Instruction) -> Value | None:
    """i32 lanes for which the guard of `last` holds; None when it has no guard."""
    guard = last.predicate
    if guard is None:
        return None
    context, builder = function.context, function.builder
    bits = context.bits(context.register(guard.register))
    if guard.negated:
        bits = builder.not_(bits)
    return builder.and_(bits, context.block_mask_bits)


def first_lane(function: FunctionBuilder, vector: Value, mask: Value) -> Value:
    """The value of the lowest active lane, as a scalar (lane 0 when none is active)."""
    builder, context = function.builder, function.context
    lane = context.intrinsic("llvm.cttz.i32", I32, [mask, ir.Constant(ir.IntType(1), 0)])
    return builder.extract_element(vector, builder.and_(lane, I32(context.width - 1)))
