"""Tensor-core products as vector code: every lane computes its own elements of D.

For each k, the row element that a lane needs lies in its own group of four lanes and the column
element in a fixed other lane, so both come by constant shuffles, and one fused multiply-add updates
32 results. Sums run over k upwards, starting from C, each step rounded once in f32 (f64 for f64).
Tensor cores add in blocks with truncated alignment instead, so the last bits differ from a GPU's;
integers agree exactly. An f16 D is the f32 sum rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from trainer.ptx.lower import narrow_ir as conversions
from trainer.ptx.lower import vec
from trainer.ptx.lower.fragments import LANES, PER_REGISTER, Shape
from trainer.ptx.lower.small_float import BFLOAT, HALF, narrow, widen
from trainer.ptx.lower.values import POINTER
from trainer.ptx.lower.vec import F32, F64, I8, I32, Builder, Value, like, splat, vector_type

INTEGERS = ("s8", "u8")


@dataclass(frozen=True)
class Product:
    """D = A·B + C. Types are PTX names; `c` and `d` are f16, f32, s32 or f64."""

    shape: Shape
    a: str
    b: str
    c: str
    d: str
    saturate: bool = False  # .satfinite: s32 results clamp

    @property
    def name(self) -> str:
        """A function name, one per distinct product."""
        s = self.shape
        clamp = "_sat" if self.saturate else ""
        return f"mma_m{s.m}n{s.n}k{s.k}_{self.a}_{self.b}_{self.c}_{self.d}{clamp}"


def register_kind(type_: str) -> ir.VectorType:
    """The vector type of one fragment register of a PTX element type."""
    return vector_type({"f32": F32, "f64": F64}.get(type_, I32), LANES)


def decode(b: Builder, register: Value, type_: str) -> list[Value]:
    """The packed elements of a register: f32 (f64, or i32 for integers), lowest bits first."""
    if type_ == "f64":
        return [register]
    if type_ == "tf32":
        return [vec.as_float(b, b.and_(register, splat(register.type, ~0x1FFF)))]
    if type_ in ("f16", "bf16"):
        small = HALF if type_ == "f16" else BFLOAT
        return [widen(b, part, small) for part in (vec.low_half(b, register), vec.high_half(b, register))]
    parts = []
    for k in range(4):
        byte = b.trunc(b.lshr(register, splat(register.type, 8 * k)), like(register, I8))
        if type_ in INTEGERS:
            parts.append((b.sext if type_ == "s8" else b.zext)(byte, register.type))
        else:
            parts.append(widen(b, conversions.from_tiny(b, byte, conversions.TINY[f"{type_}x2"]), HALF))
    return parts


def _row(q: int) -> list[int]:
    """Every lane takes lane q of its group of four: A[g][…]."""
    return [lane // 4 * 4 + q for lane in range(LANES)]


def _column(q: int, j: int) -> list[int]:
    """Every lane takes lane q of group 2·(lane % 4) + j: B[…][2·(lane % 4) + j]."""
    return [(lane % 4 * 2 + j) * 4 + q for lane in range(LANES)]


def tile(
    b: Builder, a: Sequence[list[Value]], columns: Sequence[list[Value]], sums: list[Value], halves: int
) -> list[Value]:
    """One mma tile: decoded A (register 2·kb + h) and B (register kb), sums[2·h + j]."""
    for kb, packed in enumerate(columns):
        per = len(packed)
        for q in range(4):
            for s in range(per):
                right = [b.permute(packed[s], None, _column(q, j)) for j in (0, 1)]
                for h in range(halves):
                    left = b.permute(a[kb * halves + h][s], None, _row(q))
                    for j in (0, 1):
                        sums[2 * h + j] = _accumulate(b, left, right[j], sums[2 * h + j])
    return sums


def _accumulate(b: Builder, x: Value, y: Value, total: Value) -> Value:
    if total.type.element == I32:
        return b.add(total, b.mul(x, y))
    return vec.fma(b, x, y, total)


def _unpack_sums(b: Builder, registers: Sequence[Value], type_: str) -> list[Value]:
    if type_ != "f16":
        return list(registers)
    return [part for r in registers for part in decode(b, r, "f16")]


def _pack_sums(b: Builder, sums: Sequence[Value], type_: str) -> list[Value]:
    if type_ != "f16":
        return list(sums)
    halves = [narrow(b, s, HALF) for s in sums]
    return [vec.pack_halves(b, low, high) for low, high in zip(halves[::2], halves[1::2], strict=True)]


def multiply(
    b: Builder, product: Product, a: Sequence[Value], columns: Sequence[Value], c: Sequence[Value]
) -> list[Value]:
    """All tiles of a product on raw registers; returns the registers of D.

    `a`, `columns` and `c` are the registers of A, B and C in fragment order.
    """
    shape, left_type, right_type = product.shape, product.a, product.b
    if shape.m == 8 and shape.n == 32:
        shape, left_type, right_type = shape.transposed, product.b, product.a
        a, columns = columns, a
    rows = min(shape.m, 16)
    blocks = shape.k // (4 * PER_REGISTER[left_type])
    halves = rows // 8
    a_tiles = [a[t * blocks * halves :][: blocks * halves] for t in range(-(-shape.m // 16))]
    b_tiles = [columns[t * blocks :][:blocks] for t in range(shape.n // 8)]
    sums = _unpack_sums(b, c, product.c)
    start = sums
    if product.saturate:
        start = [splat(s.type, 0) for s in sums]
    results: list[Value] = []
    right = [[decode(b, r, right_type) for r in t] for t in b_tiles]
    for a_tile in a_tiles:
        left = [decode(b, r, left_type) for r in a_tile]
        for t in right:
            at = len(results)
            results += tile(b, left, t, start[at : at + 2 * halves], halves)
    if product.saturate:
        results = [
            b.intrinsic("sadd.sat", x.type, [x, total]) for x, total in zip(results, sums, strict=True)
        ]
    return _pack_sums(b, results, product.d)


def routine(product: Product, counts: Sequence[int]) -> Callable[[int], str]:
    """The product as IR text for `Context.call_helper`: `void @wd_name(ptr buffer)`.

    `counts` are the registers of A, B, C and D. The buffer holds those of A, B and C, 256 bytes apart,
    and then those of D from its start. One routine serves every use, so compile time does not grow
    with how far a kernel is unrolled.
    """

    a, columns, c, _ = counts
    kinds = [register_kind(product.a)] * a + [register_kind(product.b)] * columns
    kinds += [register_kind(product.c)] * c

    def body(b: Builder, buffer: Value) -> None:
        values = [b.load(b.at(buffer, 8 * LANES * k), typ=kind, align=64) for k, kind in enumerate(kinds)]
        results = multiply(b, product, values[:a], values[a : a + columns], values[a + columns :])
        for k, value in enumerate(results):
            b.store(value, b.at(buffer, 8 * LANES * k), align=64)

    return lambda width: vec.function_text(f"wd{width}_{product.name}", [POINTER], None, body)


def transpose_8x8(b: Builder, register: Value) -> Value:
    """movmatrix.trans: lane (g, q) gets elements (2q, g) and (2q + 1, g) of an 8×8 matrix of 16 bits."""
    low, high = vec.low_half(b, register), vec.high_half(b, register)
    parts = []
    for j in (0, 1):
        source = [(lane % 4 * 2 + j) * 4 + lane // 4 // 2 for lane in range(LANES)]
        indices = [s + (LANES if lane // 4 % 2 else 0) for lane, s in enumerate(source)]
        parts.append(b.permute(low, high, indices))
    return vec.pack_halves(b, *parts)
