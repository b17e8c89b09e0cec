"""LLVM types and constants of warp vectors."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

from llvmlite import ir

from trainer.ptx.types import Kind, ScalarType


class Number:
    """A scalar integer constant."""

    __slots__ = ("name", "type")

    def __init__(self, type_: ir.Type, value: int) -> None:
        self.type = type_
        self.name = str(value)

    def get_reference(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


class Integer(ir.IntType):  # type: ignore[misc]
    """llvmlite's integer type, with constants that cost little: `I32(5)`."""

    _instance_cache: dict[int, ir.IntType] = {}
    _numbers: dict[tuple[int, int], Number] = {}

    def __call__(self, value: int) -> Number:
        key = (self.width, int(value))
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = Number(self, key[1])
        return found


I1 = Integer(1)
I8 = Integer(8)
I16 = Integer(16)
I32 = Integer(32)
I64 = Integer(64)
HALF = ir.HalfType()
FLOAT = ir.FloatType()
DOUBLE = ir.DoubleType()
POINTER = ir.PointerType()


class Splat(ir.Constant):  # type: ignore[misc]
    """The same integer in every lane, printed as `splat (iN v)`: short text parses fast."""

    def __init__(self, width: int, element: ir.Type, value: int) -> None:
        bits = element.width
        wrapped = value & ((1 << bits) - 1)
        if wrapped >> (bits - 1) and bits > 1:
            wrapped -= 1 << bits
        self.type = vector_type(element, width)
        self.constant = wrapped
        self.number = wrapped

    def _get_reference(self) -> str:
        number: Any = self.number
        if self.type.element.width == 1:
            number = "true" if self.number else "false"
        return f"splat ({self.type.element} {number})"

    def _to_string(self) -> str:
        return f"{self.type} {self._get_reference()}"


class SplatFloat:
    """The same float or double, which must not be NaN, in every lane."""

    __slots__ = ("name", "type")

    def __init__(self, width: int, element: ir.Type, value: float) -> None:
        self.type = vector_type(element, width)
        self.name = f"splat ({element} 0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X})"

    def get_reference(self) -> str:
        return self.name


@cache
def integer(bits: int) -> Integer:
    return Integer(bits)


_VECTORS: dict[tuple[int, int], tuple[Any, Any]] = {}


def vector_type(element: ir.Type, width: int) -> ir.VectorType:
    """<width x element>, the same object every time (so that its text is made once)."""
    key = (id(element), width)
    found = _VECTORS.get(key)
    if found is None:
        found = _VECTORS[key] = (element, ir.VectorType(element, width))
    return found[1]


@cache
def element_type(type_: ScalarType) -> ir.Type:
    """The LLVM type in which values of a PTX type are computed (bf16 and packed types: integers)."""
    if type_.kind is Kind.FLOAT and type_.name != "bf16":
        return {16: HALF, 32: FLOAT, 64: DOUBLE}[type_.bits]
    return integer(type_.bits)


@cache
def register_type(type_: ScalarType) -> ir.Type:
    """The LLVM element type in which registers of a PTX type are kept."""
    if type_.kind is Kind.FLOAT and type_.bits >= 32:
        return element_type(type_)
    return integer(type_.bits)


def bits_of(element: ir.Type) -> int:
    """Width of an LLVM scalar type."""
    if isinstance(element, ir.IntType):
        return int(element.width)
    return {HALF: 16, FLOAT: 32, DOUBLE: 64}[element]


def literal_bits(value: int, form: str, type_: ScalarType) -> int:
    """Bit pattern of a PTX literal read as `type_`."""
    if form == "int":
        if type_.is_float:
            return _encode(float(value), type_)
        return value
    if form == "f32":
        if type_.bits == 32 or not type_.is_float:
            return value
        return _encode(struct.unpack("<f", struct.pack("<I", value))[0], type_)
    if type_.bits == 64 or not type_.is_float:
        return value
    return _encode(struct.unpack("<d", struct.pack("<Q", value))[0], type_)


def _encode(value: float, type_: ScalarType) -> int:
    code, size = {16: ("<e", 2), 32: ("<f", 4), 64: ("<d", 8)}[type_.bits]
    return int.from_bytes(struct.pack(code, value)[:size], "little")
