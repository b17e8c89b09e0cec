"""Tiles between memory and fragments: ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from trainer.ptx.lower import routine, tensor_ir
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.fragments import LANES, Position
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.tile_plan import BITS, SHAPES, Register, TilePlan, plan_of
from trainer.ptx.lower.values import I1, I32, I64
from trainer.ptx.lower.warp import report_absent
from trainer.ptx.module import Instruction, Operand, Vector


def registers_of(operand: Operand) -> Sequence[Operand]:
    """The registers of a fragment."""
    return operand.elements if isinstance(operand, Vector) else (operand,)


def space_of(instruction: Instruction) -> str:
    for modifier in instruction.modifiers:
        head = modifier.split("::")[0]
        if head in ("global", "shared"):
            return head
    return "generic"


def whole_warp(ctx: Context) -> None:
    """Matrix instructions need all 32 lanes: fewer are reported, and compute nonsense as on a GPU."""
    if ctx.width != LANES:
        ctx.unsupported("outside a kernel")
    report_absent(ctx, ctx.builder.not_(ctx.mask_bits), I32(0))


# 8×8 matrices of 16-bit elements (rows of 16 bytes)


def transposed(ctx: Context, value: Any) -> Any:
    """An 8×8 matrix of 16-bit elements, transposed in registers."""
    return routine.call(ctx, "transpose_8x8", tensor_ir.transpose_8x8, [value], I32)


def _permute(ctx: Context, x: Any, y: Any, source: Callable[[int], int]) -> Any:
    """Lane l takes element `source(l)` of x (0…31) or y (32…63)."""
    mask = ir.Constant(ctx.vector(I32), [source(lane) for lane in range(LANES)])
    return ctx.builder.shuffle_vector(x, y, mask)


def load_matrices(ctx: Context, space: str, addresses: Any, count: int) -> list[Any]:
    """Lane 8i + r loads row r of matrix i; lane 4r + w then gets its word w, in result i."""
    rows = ctx.builder.and_(ctx.mask_bits, I32((1 << 8 * count) - 1))
    words = ctx.memory.load(ctx, space, 32, 4, addresses, op="ldmatrix", mask_bits=rows)
    choose = ir.Constant(ctx.vector(I1), [int(lane % 4 < 2) for lane in range(LANES)])
    results = []
    for i in range(count):

        def source(lane: int, i: int = i) -> int:
            return 8 * i + lane // 4 + (LANES if lane % 2 else 0)

        low = _permute(ctx, words[0], words[1], source)
        high = _permute(ctx, words[2], words[3], source)
        results.append(ctx.builder.select(choose, low, high))
    return results


def _shape_of_rows(ctx: Context, instruction: Instruction) -> int:
    """How many 8×8 matrices an ldmatrix or stmatrix moves."""
    whole_warp(ctx)
    ctx.modifiers("sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta", "b16")
    return next(int(m[1:]) for m in instruction.modifiers if m in ("x1", "x2", "x4"))


@lowers("ldmatrix")
def ldmatrix(ctx: Context, instruction: Instruction) -> None:
    count = _shape_of_rows(ctx, instruction)
    addresses = ctx.address(instruction.operands[1])
    values = load_matrices(ctx, space_of(instruction), addresses, count)
    for register, value in zip(registers_of(instruction.operands[0]), values, strict=True):
        ctx.write(register, transposed(ctx, value) if "trans" in instruction.modifiers else value)


@lowers("stmatrix")
def stmatrix(ctx: Context, instruction: Instruction) -> None:
    """Word w of row r of matrix i is register i of lane 4r + w; lane 8i + r stores the row."""
    count = _shape_of_rows(ctx, instruction)
    rows = ctx.builder.and_(ctx.mask_bits, I32((1 << 8 * count) - 1))
    values = [ctx.read(r, "b32") for r in registers_of(instruction.operands[1])[:count]]
    if "trans" in instruction.modifiers:
        values = [transposed(ctx, v) for v in values]
    values += [values[-1]] * (4 - count)
    upper = ir.Constant(ctx.vector(I1), [int(lane >= 16) for lane in range(LANES)])
    words = []
    for w in range(4):

        def source(lane: int, w: int = w) -> int:
            return lane % 8 * 4 + w + (LANES if lane // 8 % 2 else 0)

        first = _permute(ctx, values[0], values[1], source)
        second = _permute(ctx, values[2], values[3], source)
        words.append(ctx.builder.select(upper, second, first))
    addresses = ctx.address(instruction.operands[0])
    ctx.memory.store(ctx, space_of(instruction), words, addresses, op="stmatrix", mask_bits=rows)


@lowers("movmatrix")
def movmatrix(ctx: Context, instruction: Instruction) -> None:
    ctx.modifiers("sync", "aligned", "m8n8", "trans", "b16")
    whole_warp(ctx)
    target, source = instruction.operands
    ctx.write(target, transposed(ctx, ctx.read(source, "b32")))


# WMMA


def wmma_memory(ctx: Context, instruction: Instruction) -> None:
    """wmma.load and wmma.store."""
    whole_warp(ctx)
    ctx.modifiers(
        "load", "store", "a", "b", "c", "d", "sync", "aligned", "row", "col", "global", "shared",
        "shared::cta", *SHAPES, *BITS,
    )  # fmt: skip
    plan = plan_of(instruction)
    if plan is None:
        ctx.unsupported()
    tile = _Tile(ctx, instruction, plan)
    if instruction.modifiers[0] == "load":
        tile.load()
    else:
        tile.store()


class _Tile:
    """A matrix in memory, row or column major with a leading dimension, and its fragment."""

    def __init__(self, ctx: Context, instruction: Instruction, plan: TilePlan) -> None:
        self.ctx = ctx
        self.plan = plan
        self.space = space_of(instruction)
        stores = instruction.modifiers[0] == "store"
        place, operand = instruction.operands[:2] if stores else instruction.operands[1::-1]
        self.operands = registers_of(operand)
        if len(self.operands) != len(plan.fragment.registers):
            ctx.unsupported("unexpected number of registers")
        self.base = ctx.address(place)
        if len(instruction.operands) > 2:
            self.leading = ctx.convert(ctx.read(instruction.operands[2], "u32"), I64)
        else:
            self.leading = ctx.constant(I64, plan.default_leading)

    def addresses(self, positions: Sequence[Position]) -> Any:
        """<W x i64> of one element per lane."""
        builder, vector = self.ctx.builder, self.ctx.vector(I64)
        size = self.plan.bits // 8
        split = [p if self.plan.by_row else (p[1], p[0]) for p in positions]
        major = ir.Constant(vector, [size * m for m, _ in split])
        minor = ir.Constant(vector, [size * n for _, n in split])
        return builder.add(builder.add(self.base, builder.mul(self.leading, major)), minor)

    def load(self) -> None:
        """Registers that repeat others are loaded once."""
        plan, ctx = self.plan, self.ctx
        registers = tuple(dict.fromkeys(plan.fragment.registers))
        held: dict[Register, Any] = {}
        for at in range(0, len(registers), plan.group):
            group = registers[at : at + plan.group]
            held.update(zip(group, self._fetch(group), strict=True))
        for operand, register in zip(self.operands, plan.fragment.registers, strict=True):
            ctx.write(operand, held[register])

    def _fetch(self, group: Sequence[Register]) -> list[Any]:
        plan, ctx, memory = self.plan, self.ctx, self.ctx.memory
        if plan.way == "matrices":
            starts = [p for register in group for p in plan.row_starts(register)]
            addresses = self.addresses((starts * 4)[:LANES])
            values = load_matrices(ctx, self.space, addresses, len(group))
            return [transposed(ctx, v) for v in values] if plan.transposed else values
        if plan.way == "elements":
            return [self._bytes(register) for register in group]
        first = plan.mirrored(group[0]) if plan.transposed else group[0]
        bits = plan.bits * len(first)
        values = memory.load(ctx, self.space, bits, len(group), self.addresses(first[0]))
        return [transposed(ctx, v) for v in values] if plan.transposed else list(values)

    def _bytes(self, register: Register) -> Any:
        """A register of bytes that lie apart in memory."""
        ctx, value = self.ctx, None
        for s, element in enumerate(register):
            (part,) = ctx.memory.load(ctx, self.space, 8, 1, self.addresses(element))
            part = ctx.convert(part, I32)
            part = ctx.builder.shl(part, ctx.constant(I32, 8 * s)) if s else part
            value = part if value is None else ctx.builder.or_(value, part)
        return value

    def store(self) -> None:
        plan, ctx, memory = self.plan, self.ctx, self.ctx.memory
        registers = plan.fragment.registers
        for at in range(0, len(registers), plan.group):
            first = registers[at]
            bits = plan.bits * len(first)
            values = [ctx.read(o, f"b{bits}") for o in self.operands[at : at + plan.group]]
            if plan.transposed:
                first = plan.mirrored(first)
                values = [transposed(ctx, v) for v in values]
            memory.store(ctx, self.space, values, self.addresses(first[0]))
