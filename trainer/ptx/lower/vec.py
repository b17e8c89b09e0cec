"""A small typed writer of LLVM IR text over a warp's lanes.

Every value is a vector with one element per lane (`<32 x T>`, `<1 x T>` for the host thread); the
lane count is taken from the operands, so the same emitters serve both. Method names follow
llvmlite's IRBuilder, which is several times slower and does not know `splat (…)` constants.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

I1, I8, I16, I32, I64 = "i1", "i8", "i16", "i32", "i64"
F16, F32, F64 = "half", "float", "double"

_MANGLED = {F16: "f16", F32: "f32", F64: "f64"}
_BITS = {F16: 16, F32: 32, F64: 64}
_SIGNED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
_UNSIGNED = {"==": "eq", "!=": "ne", "<": "ult", "<=": "ule", ">": "ugt", ">=": "uge"}
_ORDERED = {"==": "oeq", "!=": "one", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "ord": "ord"}
_UNORDERED = {"==": "ueq", "!=": "une", "<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "uno": "uno"}


@dataclass(frozen=True, slots=True)
class Kind:
    """An IR type: `count` elements, or a scalar when `count` is 0."""

    element: str
    count: int

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>" if self.count else self.element

    @property
    def bits(self) -> int:
        return element_bits(self.element)

    @property
    def mangled(self) -> str:
        name = _MANGLED.get(self.element, self.element)
        return f"v{self.count}{name}" if self.count else name


@dataclass(frozen=True, slots=True)
class Value:
    """An IR name or constant (`ref`) and its type."""

    ref: str
    type: Kind

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"


def element_bits(element: str) -> int:
    return _BITS.get(element) or int(element[1:])


def like(value: Value, element: str) -> Kind:
    """The type with `value`'s lane count and another element type."""
    return Kind(element, value.type.count)


def literal(element: str, number: float | int) -> str:
    """The spelling of a number: integers wrap to the width, floats are rounded to the type."""
    if element[0] == "i":
        bits = element_bits(element)
        value = int(number) & ((1 << bits) - 1)
        if bits == 1:
            return "true" if value else "false"
        return str(value - (1 << bits) if value >> (bits - 1) else value)
    if element == F32:
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(number)))[0]:016X}"


def splat(kind: Kind, number: float | int) -> Value:
    """The same number in every lane."""
    text = literal(kind.element, number)
    return Value(f"splat ({kind.element} {text})" if kind.count else text, kind)


def lane_constants(element: str, numbers: Sequence[float | int]) -> Value:
    body = ", ".join(f"{element} {literal(element, n)}" for n in numbers)
    return Value(f"<{body}>", Kind(element, len(numbers)))


class Builder:
    """Writes instructions through three hooks of whoever owns the text."""

    def __init__(
        self, emit: Callable[[str], None], fresh: Callable[[], str], declare: Callable[[str], None]
    ) -> None:
        """`emit` takes a line, `fresh` gives an unused name (`%…`), `declare` a module-level line, once."""
        self.emit = emit
        self.fresh = fresh
        self.declare = declare

    def define(self, kind: Kind, text: str) -> Value:
        """`%new = text`, of type `kind`."""
        name = self.fresh()
        self.emit(f"{name} = {text}")
        return Value(name, kind)

    def _binary(self, op: str, x: Value, y: Value) -> Value:
        return self.define(x.type, f"{op} {x}, {y.ref}")

    def add(self, x: Value, y: Value) -> Value:
        return self._binary("add", x, y)

    def sub(self, x: Value, y: Value) -> Value:
        return self._binary("sub", x, y)

    def mul(self, x: Value, y: Value) -> Value:
        return self._binary("mul", x, y)

    def and_(self, x: Value, y: Value) -> Value:
        return self._binary("and", x, y)

    def or_(self, x: Value, y: Value) -> Value:
        return self._binary("or", x, y)

    def xor(self, x: Value, y: Value) -> Value:
        return self._binary("xor", x, y)

    def not_(self, x: Value) -> Value:
        return self._binary("xor", x, splat(x.type, -1))

    def shl(self, x: Value, y: Value) -> Value:
        return self._binary("shl", x, y)

    def lshr(self, x: Value, y: Value) -> Value:
        return self._binary("lshr", x, y)

    def ashr(self, x: Value, y: Value) -> Value:
        return self._binary("ashr", x, y)

    def fadd(self, x: Value, y: Value) -> Value:
        return self._binary("fadd", x, y)

    def fsub(self, x: Value, y: Value) -> Value:
        return self._binary("fsub", x, y)

    def fmul(self, x: Value, y: Value) -> Value:
        return self._binary("fmul", x, y)

    def fdiv(self, x: Value, y: Value) -> Value:
        return self._binary("fdiv", x, y)

    def _cast(self, op: str, x: Value, kind: Kind) -> Value:
        return self.define(kind, f"{op} {x} to {kind}") if x.type != kind else x

    def zext(self, x: Value, kind: Kind) -> Value:
        return self._cast("zext", x, kind)

    def sext(self, x: Value, kind: Kind) -> Value:
        return self._cast("sext", x, kind)

    def trunc(self, x: Value, kind: Kind) -> Value:
        return self._cast("trunc", x, kind)

    def bitcast(self, x: Value, kind: Kind) -> Value:
        return self._cast("bitcast", x, kind)

    def fpext(self, x: Value, kind: Kind) -> Value:
        return self._cast("fpext", x, kind)

    def fptrunc(self, x: Value, kind: Kind) -> Value:
        return self._cast("fptrunc", x, kind)

    def fptosi(self, x: Value, kind: Kind) -> Value:
        return self._cast("fptosi", x, kind)

    def sitofp(self, x: Value, kind: Kind) -> Value:
        return self._cast("sitofp", x, kind)

    def uitofp(self, x: Value, kind: Kind) -> Value:
        return self._cast("uitofp", x, kind)

    def icmp_signed(self, relation: str, x: Value, y: Value) -> Value:
        return self.define(like(x, I1), f"icmp {_SIGNED[relation]} {x}, {y.ref}")

    def icmp_unsigned(self, relation: str, x: Value, y: Value) -> Value:
        return self.define(like(x, I1), f"icmp {_UNSIGNED[relation]} {x}, {y.ref}")

    def fcmp_ordered(self, relation: str, x: Value, y: Value) -> Value:
        return self.define(like(x, I1), f"fcmp {_ORDERED[relation]} {x}, {y.ref}")

    def fcmp_unordered(self, relation: str, x: Value, y: Value) -> Value:
        return self.define(like(x, I1), f"fcmp {_UNORDERED[relation]} {x}, {y.ref}")

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        return self.define(yes.type, f"select {condition}, {yes}, {no}")

    def permute(self, first: Value, second: Value | None, indices: Sequence[int]) -> Value:
        """shufflevector with constant indices (those from the lane count on pick from `second`)."""
        other = second.ref if second is not None else "poison"
        mask = lane_constants(I32, indices)
        kind = Kind(first.type.element, len(indices))
        return self.define(kind, f"shufflevector {first}, {first.type} {other}, {mask}")

    def broadcast(self, scalar: Value, lanes: int) -> Value:
        """A scalar into every lane."""
        kind = Kind(scalar.type.element, lanes)
        one = self.define(kind, f"insertelement {kind} poison, {scalar}, i32 0")
        return self.define(kind, f"shufflevector {one}, {kind} poison, <{lanes} x i32> zeroinitializer")

    def call(self, result: Kind, name: str, arguments: Sequence[Value]) -> Value:
        return self.define(result, f"call {result} @{name}({', '.join(map(str, arguments))})")

    def intrinsic(
        self, name: str, result: Kind, arguments: Sequence[Value], overload: Kind | None = None
    ) -> Value:
        """Call `llvm.<name>.<overload>`; the overload defaults to the result type."""
        full = f"llvm.{name}.{(overload or result).mangled}"
        self.declare(f"declare {result} @{full}({', '.join(str(a.type) for a in arguments)})")
        return self.call(result, full, arguments)


def fma(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x·y + z with one rounding."""
    return b.intrinsic("fma", x.type, [x, y, z])


def fabs(b: Builder, x: Value) -> Value:
    return b.intrinsic("fabs", x.type, [x])


def is_nan(b: Builder, x: Value) -> Value:
    return b.fcmp_unordered("uno", x, x)


def as_int(b: Builder, x: Value) -> Value:
    """The bits of a floating-point vector."""
    return b.bitcast(x, like(x, f"i{x.type.bits}"))


def as_float(b: Builder, x: Value) -> Value:
    """The floating-point vector with these bits."""
    return b.bitcast(x, like(x, {16: F16, 32: F32, 64: F64}[x.type.bits]))


def low_half(b: Builder, packed: Value) -> Value:
    return b.trunc(packed, like(packed, I16))


def high_half(b: Builder, packed: Value) -> Value:
    return b.trunc(b.lshr(packed, splat(packed.type, 16)), like(packed, I16))


def pack_halves(b: Builder, low: Value, high: Value) -> Value:
    """Two 16-bit vectors into one 32-bit vector, `low` in the low bits."""
    wide = like(low, I32)
    upper = b.shl(b.zext(high, wide), splat(wide, 16))
    return b.or_(b.zext(low, wide), upper)
