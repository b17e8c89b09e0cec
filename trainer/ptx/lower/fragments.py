"""Who holds which matrix element: register fragments of mma.sync and WMMA over 32 lanes.

With g = lane // 4 and q = lane % 4, PTX gives every `mma.m16n8k*` the same shape: a 32-bit register
packs p elements (p = 1 for tf32 and f64, 2 for 16-bit, 4 for 8-bit types), and

    A: register 2·kb + h holds row g + 8h, columns 4p·kb + p·q + (0 … p−1)
    B: register kb       holds rows 4p·kb + p·q + (0 … p−1), column g
    C: value 2·h + j     holds row g + 8h, column 2q + j

WMMA fragments are opaque in CUDA. Ours are those of two mma tiles side by side (as Ampere and later
have them): m16n16 splits N, m32n8 splits M, and m8n32 is m32n8 of the transposed problem. f16
operands have registers to spare, which repeat the others, also as on hardware.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LANES = 32
# Elements of a 32-bit register (f64: of a 64-bit one), by PTX type.
PER_REGISTER = {"f16": 2, "bf16": 2, "tf32": 1, "s8": 4, "u8": 4, "e4m3": 4, "e5m2": 4, "f64": 1}

Position = tuple[int, int]  # (row, column) in the matrix named


@dataclass(frozen=True)
class Shape:
    """m×n×k of a matrix product: A is m×k, B is k×n, C and D are m×n."""

    m: int
    n: int
    k: int

    @classmethod
    def parse(cls, name: str) -> Shape:
        """`m16n8k16` → Shape(16, 8, 16)."""
        m, _, rest = name[1:].partition("n")
        n, _, k = rest.partition("k")
        return cls(int(m), int(n), int(k))

    @property
    def transposed(self) -> Shape:
        return Shape(self.n, self.m, self.k)


@dataclass(frozen=True)
class Fragment:
    """Per register, per packed element, the position that each lane holds."""

    registers: tuple[tuple[tuple[Position, ...], ...], ...]

    def swapped(self) -> Fragment:
        """The fragment of the transposed matrix."""
        return self.mapped(lambda position: (position[1], position[0]))

    def mapped(self, change: Callable[[Position], Position]) -> Fragment:
        return Fragment(
            tuple(
                tuple(tuple(change(p) for p in element) for element in register)
                for register in self.registers
            )
        )

    def __add__(self, other: Fragment) -> Fragment:
        return Fragment(self.registers + other.registers)


def _by_lane(position: Callable[[int, int], Position]) -> tuple[Position, ...]:
    return tuple(position(lane // 4, lane % 4) for lane in range(LANES))


def _a_element(h: int, kb: int, p: int, s: int) -> tuple[Position, ...]:
    return _by_lane(lambda g, q: (g + 8 * h, 4 * p * kb + p * q + s))


def _b_element(kb: int, p: int, s: int) -> tuple[Position, ...]:
    return _by_lane(lambda g, q: (4 * p * kb + p * q + s, g))


def _c_element(h: int, j: int) -> tuple[Position, ...]:
    return _by_lane(lambda g, q: (g + 8 * h, 2 * q + j))


def mma_a(rows: int, k: int, p: int) -> Fragment:
    """A of one mma tile with 8 or 16 rows."""
    halves, blocks = rows // 8, k // (4 * p)
    return Fragment(
        tuple(tuple(_a_element(h, kb, p, s) for s in range(p)) for kb in range(blocks) for h in range(halves))
    )


def mma_b(k: int, p: int) -> Fragment:
    """B of one mma tile, k×8."""
    return Fragment(tuple(tuple(_b_element(kb, p, s) for s in range(p)) for kb in range(k // (4 * p))))


def mma_c(rows: int, packed: bool) -> Fragment:
    """C or D of one mma tile: a register per value, or f16 pairs."""
    if packed:
        return Fragment(tuple(tuple(_c_element(h, j) for j in (0, 1)) for h in range(rows // 8)))
    return Fragment(tuple((_c_element(h, j),) for h in range(rows // 8) for j in (0, 1)))


def _moved(fragment: Fragment, rows: int, columns: int) -> Fragment:
    return fragment.mapped(lambda p: (p[0] + rows, p[1] + columns))


def wmma(shape: Shape, matrix: str, type_: str) -> Fragment:
    """The fragment of matrix "a", "b", "c" or "d" of a WMMA shape with elements of PTX type `type_`."""
    if shape.m == 8 and shape.n == 32:
        other = {"a": "b", "b": "a"}.get(matrix, matrix)
        return wmma(shape.transposed, other, type_).swapped()
    if matrix in "cd":
        tile = mma_c(min(shape.m, 16), type_ == "f16")
        found = tile
        if shape.m == 32:
            found = tile + _moved(tile, 16, 0)
        elif shape.n == 16:
            found = tile + _moved(tile, 0, 8)
        return found
    p = PER_REGISTER[type_]
    if matrix == "a":
        tile = mma_a(min(shape.m, 16), shape.k, p)
        found = tile + _moved(tile, 16, 0) if shape.m == 32 else tile
    else:
        tile = mma_b(shape.k, p)
        found = tile + _moved(tile, 0, 8) if shape.n == 16 else tile
    if type_ == "f16":
        found = Fragment(found.registers * (8 // len(found.registers)))
    return found
