"""PTX scalar types: what `.u32`, `.f16x2` or `.pred` mean in bits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    UNSIGNED = "u"
    SIGNED = "s"
    BITS = "b"
    FLOAT = "f"
    PACKED = "p"  # f16x2, bf16x2, e4m3x2 ...: handled as bits
    PREDICATE = "pred"


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A PTX type; `bits` is its width (1 for predicates)."""

    name: str
    kind: Kind
    bits: int

    @property
    def bytes(self) -> int:
        return max(self.bits // 8, 1)

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_signed(self) -> bool:
        return self.kind is Kind.SIGNED

    @property
    def is_integer(self) -> bool:
        return self.kind in (Kind.UNSIGNED, Kind.SIGNED, Kind.BITS)

    def __str__(self) -> str:
        return self.name


def _table() -> dict[str, ScalarType]:
    kinds = (("u", Kind.UNSIGNED), ("s", Kind.SIGNED), ("b", Kind.BITS))
    table = {f"{c}{n}": ScalarType(f"{c}{n}", kind, n) for c, kind in kinds for n in (8, 16, 32, 64)}
    table["b128"] = ScalarType("b128", Kind.BITS, 128)
    for bits in (16, 32, 64):
        table[f"f{bits}"] = ScalarType(f"f{bits}", Kind.FLOAT, bits)
    table["bf16"] = ScalarType("bf16", Kind.FLOAT, 16)
    table["tf32"] = ScalarType("tf32", Kind.PACKED, 32)
    for name in ("f16x2", "bf16x2", "u16x2", "s16x2"):
        table[name] = ScalarType(name, Kind.PACKED, 32)
    table["f32x2"] = ScalarType("f32x2", Kind.PACKED, 64)
    for name in ("e4m3x2", "e5m2x2"):
        table[name] = ScalarType(name, Kind.PACKED, 16)
    table["pred"] = ScalarType("pred", Kind.PREDICATE, 1)
    return table


TYPES: dict[str, ScalarType] = _table()
PRED = TYPES["pred"]
B32 = TYPES["b32"]
B64 = TYPES["b64"]
U32 = TYPES["u32"]
S32 = TYPES["s32"]
U64 = TYPES["u64"]
F32 = TYPES["f32"]
F64 = TYPES["f64"]


def scalar_type(name: str) -> ScalarType:
    """The type called `name`, with or without the leading dot."""
    return TYPES[name.lstrip(".")]
