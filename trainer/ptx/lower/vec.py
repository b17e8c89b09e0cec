"""Vector IR in few words: constants, casts and intrinsics over a warp's lanes, and functions of them.

Every value is a vector with one element per lane (`<32 x T>`, `<1 x T>` for the host thread); the lane
count is taken from the operands, so the same emitters serve both.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from llvmlite import ir

from trainer.ptx.lower import emit
from trainer.ptx.lower.context import type_suffix
from trainer.ptx.lower.values import DOUBLE as F64
from trainer.ptx.lower.values import FLOAT as F32
from trainer.ptx.lower.values import HALF as F16
from trainer.ptx.lower.values import I1, I8, I16, I32, I64, Splat, SplatFloat, bits_of, integer, vector_type

Value: TypeAlias = Any  # an IR value or constant; its `type` is a vector type

__all__ = ["F16", "F32", "F64", "I1", "I8", "I16", "I32", "I64", "Builder", "Value", "integer", "vector_type"]


def bits(value: Value) -> int:
    """Width of a vector's elements."""
    return bits_of(value.type.element)


def like(value: Value, element: ir.Type) -> ir.VectorType:
    """The vector type with `value`'s lane count and another element type."""
    return vector_type(element, value.type.count)


def splat(kind: ir.VectorType, number: float | int) -> Value:
    """The same number in every lane: integers wrap to the width, floats are rounded to the type."""
    if isinstance(kind.element, ir.IntType):
        return Splat(kind.count, kind.element, int(number))
    if kind.element == F32:
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return SplatFloat(kind.count, kind.element, float(number))


class Builder(emit.Builder):
    """An IR writer that declares the intrinsics it calls."""

    def __init__(self, block: emit.Block, module: emit.Module) -> None:
        super().__init__(block)
        self.module = module

    def intrinsic(
        self, name: str, result: ir.Type, arguments: Sequence[Value], overloads: Sequence[ir.Type] = ()
    ) -> Value:
        """Call `llvm.<name>.<overloads>`; the overload defaults to the result type."""
        full = ".".join(["llvm", name, *(type_suffix(t) for t in overloads or (result,))])
        found = next((f for f in self.module.functions if f.name == full), None)
        if found is None:
            found = emit.Function(self.module, ir.FunctionType(result, [a.type for a in arguments]), full)
        return self.call(found, arguments)

    def permute(self, first: Value, second: Value | None, indices: Sequence[int]) -> Value:
        """shufflevector with constant indices (those from the lane count on pick from `second`)."""
        mask = ir.Constant(vector_type(I32, len(indices)), list(indices))
        return self.shuffle_vector(first, first if second is None else second, mask)


def function_text(
    name: str, arguments: Sequence[ir.Type], result: ir.Type | None, body: Callable[..., Value | None]
) -> str:
    """A module with one function; `body(builder, *arguments)` writes it and returns its result."""
    module = emit.Module(name)
    signature = ir.FunctionType(result if result is not None else ir.VoidType(), list(arguments))
    function = emit.Function(module, signature, name)
    b = Builder(function.append_basic_block("entry"), module)
    value = body(b, *function.args)
    if result is None:
        b.ret_void()
    elif value is None or value.type != result:
        raise TypeError(f"{name} should return {result}")
    else:
        b.ret(value)
    return str(module) + "\n"


def fma(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x·y + z with one rounding."""
    return b.intrinsic("fma", x.type, [x, y, z])


def fabs(b: Builder, x: Value) -> Value:
    return b.intrinsic("fabs", x.type, [x])


def is_nan(b: Builder, x: Value) -> Value:
    return b.fcmp_unordered("uno", x, x)


def as_int(b: Builder, x: Value) -> Value:
    """The bits of a floating-point vector."""
    return b.bitcast(x, like(x, integer(bits(x))))


def as_float(b: Builder, x: Value) -> Value:
    """The floating-point vector with these bits."""
    return b.bitcast(x, like(x, {16: F16, 32: F32, 64: F64}[bits(x)]))


def low_half(b: Builder, packed: Value) -> Value:
    return b.trunc(packed, like(packed, I16))


def high_half(b: Builder, packed: Value) -> Value:
    return b.trunc(b.lshr(packed, splat(packed.type, 16)), like(packed, I16))


def pack_halves(b: Builder, low: Value, high: Value) -> Value:
    """Two 16-bit vectors into one 32-bit vector, `low` in the low bits."""
    wide = like(low, I32)
    upper = b.shl(b.zext(high, wide), splat(wide, 16))
    return b.or_(b.zext(low, wide), upper)
