"""How WMMA loads and stores meet memory: which accesses the hardware makes of one instruction.

Found in what ptxas 13.0 makes for sm_90 of every shape, type, layout and space:

    16-bit elements   one 32-bit word per register, neighbours in memory; where the fragment pairs
                      elements the other way, whole 8×8 blocks are loaded and transposed in registers.
                      A and B from shared memory come by ldmatrix, four registers at a time
    8-bit elements    a word per register where memory has its four bytes in a row (from shared memory
                      by ldmatrix, two registers at a time), else single bytes
    accumulators      of 32 and 64 bits: pairs, where memory has them side by side, else single ones
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.ptx.lower.fragments import Fragment, Position, Shape, wmma
from trainer.ptx.module import Instruction

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s32": 32}
SHAPES = ("m16n16k16", "m32n8k16", "m8n32k16", "m16n16k8", "m8n8k4")

Register = tuple[tuple[Position, ...], ...]


@dataclass(frozen=True)
class TilePlan:
    """Accesses of one wmma.load or wmma.store.

    `way` is "matrices" (ldmatrix of `group` registers), "words" (a register each), "pairs" (two
    registers each) or "elements" (each packed element alone); `transposed` says that 8×8 blocks are
    transposed between memory and registers; `nbytes` is what a lane moves in one access.
    """

    way: str
    transposed: bool
    nbytes: int
    group: int
    fragment: Fragment
    bits: int
    by_row: bool
    default_leading: int

    def mirrored(self, register: Register) -> Register:
        """Positions as memory is read for a transposed block: rows and columns swapped in place."""
        row, column = register[0][0]
        return tuple(
            tuple((row + p[1] - column, column + p[0] - row) for p in element) for element in register
        )

    def row_starts(self, register: Register) -> list[Position]:
        """Where the eight rows (of 16 bytes) of the register's block start, in memory's direction."""
        origin = register[0][0]
        step = (1, 0) if self.by_row else (0, 1)
        return [(origin[0] + r * step[0], origin[1] + r * step[1]) for r in range(8)]


def together(elements: Sequence[tuple[Position, ...]], by_row: bool) -> bool:
    """Whether elements follow each other in memory, in every lane."""
    step = (0, 1) if by_row else (1, 0)
    return all(
        later == (first[0] + step[0] * s, first[1] + step[1] * s)
        for s, element in enumerate(elements)
        for first, later in zip(elements[0], element, strict=True)
    )


def plan_of(instruction: Instruction) -> TilePlan | None:
    """The plan of a wmma.load or wmma.store; None for anything else."""
    modifiers = instruction.modifiers
    if instruction.op != "wmma" or modifiers[0] not in ("load", "store"):
        return None
    name = next((m for m in modifiers if m in SHAPES), None)
    matrix, type_ = modifiers[1], modifiers[-1]
    if name is None or type_ not in BITS:
        return None
    shape, by_row, bits = Shape.parse(name), "row" in modifiers, BITS[type_]
    fragment = wmma(shape, matrix, type_)
    first = fragment.registers[0]
    in_a_row = together(first, by_row)
    shared = any(m.split("::")[0] == "shared" for m in modifiers)
    rows, columns = {"a": (shape.m, shape.k), "b": (shape.k, shape.n)}.get(matrix, (shape.m, shape.n))
    way, nbytes, group = "words", bits * len(first) // 8, 1
    if bits == 8 and not in_a_row:
        way, nbytes = "elements", 1
    elif matrix in "ab" and bits <= 16 and shared:
        unique = len(dict.fromkeys(fragment.registers))
        way, nbytes, group = "matrices", 16, min(unique, 4 if bits == 16 else 2)
    elif matrix in "cd" and bits >= 32 and together(first + fragment.registers[1], by_row):
        way, nbytes, group = "pairs", bits // 4, 2
    return TilePlan(
        way, bits == 16 and not in_a_row, nbytes, group, fragment, bits, by_row, columns if by_row else rows
    )
