"""Vector IR in few words: constants, casts and intrinsics over a warp's lanes.

Every value is an LLVM vector with one element per lane (`<32 x T>`, or `<1 x T>` for the host
thread); the lane count is taken from the operands, so the same emitters serve both.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from llvmlite import ir

I1 = ir.IntType(1)
I8 = ir.IntType(8)
I16 = ir.IntType(16)
I32 = ir.IntType(32)
I64 = ir.IntType(64)
F16 = ir.HalfType()
F32 = ir.FloatType()
F64 = ir.DoubleType()

_INTRINSIC_SUFFIX = {F16: "f16", F32: "f32", F64: "f64", I1: "i1", I8: "i8", I16: "i16", I32: "i32", I64: "i64"}


def vector(element: ir.Type, lanes: int) -> ir.VectorType:
    return ir.VectorType(element, lanes)


def like(value: ir.Value, element: ir.Type) -> ir.VectorType:
    """The vector type with `value`'s lane count and another element type."""
    return ir.VectorType(element, value.type.count)


def _literal(element: ir.Type, number: float | int) -> str:
    if isinstance(element, ir.IntType):
        bits = element.width
        value = int(number) & ((1 << bits) - 1)
        if bits == 1:
            return "true" if value else "false"
        return str(value - (1 << bits) if value >> (bits - 1) else value)
    if element == F32:
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(number)))[0]:016X}"


class _Spelled(ir.Constant):  # type: ignore[misc]  # llvmlite has no types
    """A vector constant given by its IR text (llvmlite alone would spell out every lane)."""

    def __init__(self, kind: ir.VectorType, text: str) -> None:
        self.type = kind
        self.constant = text

    def _get_reference(self) -> str:
        return str(self.constant)


def splat(kind: ir.VectorType, number: float | int) -> ir.Constant:
    """The same number in every lane; written `splat (…)`, which LLVM parses far faster than a list."""
    return _Spelled(kind, f"splat ({kind.element} {_literal(kind.element, number)})")


def lane_constants(element: ir.Type, numbers: Sequence[float | int]) -> ir.Constant:
    body = ", ".join(f"{element} {_literal(element, n)}" for n in numbers)
    return _Spelled(ir.VectorType(element, len(numbers)), f"<{body}>")


def permute(b: ir.IRBuilder, first: ir.Value, second: ir.Value | None, indices: Sequence[int]) -> ir.Value:
    """shufflevector with a constant index list (indices ≥ lane count pick from `second`)."""
    other = second if second is not None else ir.Constant(first.type, ir.Undefined)
    return b.shuffle_vector(first, other, ir.Constant(ir.VectorType(I32, len(indices)), list(indices)))


def broadcast(b: ir.IRBuilder, scalar: ir.Value, lanes: int) -> ir.Value:
    """A scalar into every lane."""
    kind = ir.VectorType(scalar.type, lanes)
    one = b.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(I32, 0))
    return b.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, lanes), [0] * lanes))


def type_suffix(kind: ir.Type) -> str:
    if isinstance(kind, ir.VectorType):
        return f"v{kind.count}{_INTRINSIC_SUFFIX[kind.element]}"
    return _INTRINSIC_SUFFIX[kind]


def intrinsic(
    b: ir.IRBuilder, name: str, result: ir.Type, arguments: Sequence[ir.Value], overload: ir.Type | None = None
) -> ir.Value:
    """Call `llvm.<name>.<overload>`; the overload defaults to the result type."""
    full = f"llvm.{name}.{type_suffix(overload or result)}"
    function = b.module.globals.get(full)
    if function is None:
        function = ir.Function(b.module, ir.FunctionType(result, [a.type for a in arguments]), full)
    return b.call(function, list(arguments))


def fma(b: ir.IRBuilder, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
    """x·y + z with one rounding."""
    return intrinsic(b, "fma", x.type, [x, y, z])


def fabs(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return intrinsic(b, "fabs", x.type, [x])


def is_nan(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return b.fcmp_unordered("uno", x, x)


def as_int(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """The bits of a floating-point vector."""
    widths = {F16: I16, F32: I32, F64: I64}
    return b.bitcast(x, like(x, widths[x.type.element]))


def as_float(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """The floating-point vector with these bits."""
    kinds = {16: F16, 32: F32, 64: F64}
    return b.bitcast(x, like(x, kinds[x.type.element.width]))


def low_half(b: ir.IRBuilder, packed: ir.Value) -> ir.Value:
    return b.trunc(packed, like(packed, I16))


def high_half(b: ir.IRBuilder, packed: ir.Value) -> ir.Value:
    return b.trunc(b.lshr(packed, splat(packed.type, 16)), like(packed, I16))


def pack_halves(b: ir.IRBuilder, low: ir.Value, high: ir.Value) -> ir.Value:
    """Two 16-bit vectors into one 32-bit vector, `low` in the low bits."""
    wide = like(low, I32)
    upper = b.shl(b.zext(high, wide), splat(wide, 16))
    return b.or_(b.zext(low, wide), upper)
