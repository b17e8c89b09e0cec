"""Matrix instructions: mma, wmma, ldmatrix, stmatrix, movmatrix (products in `tensor_ir`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from trainer.ptx.lower import routine, tensor_ir
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.fragments import (
    LANES,
    PER_REGISTER,
    Fragment,
    Position,
    Shape,
    mma_a,
    mma_b,
    mma_c,
    wmma,
)
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I8, I32, I64, integer
from trainer.ptx.module import Instruction, Operand, Vector

_ELEMENTS = ("f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "e4m3", "e5m2")
_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s32": 32}
_MMA_SHAPES = {
    "f16": ("m16n8k8", "m16n8k16"),
    "bf16": ("m16n8k8", "m16n8k16"),
    "tf32": ("m16n8k4", "m16n8k8"),
    "f64": ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"),
    "s8": ("m8n8k16", "m16n8k16", "m16n8k32"),
    "u8": ("m8n8k16", "m16n8k16", "m16n8k32"),
    "e4m3": ("m16n8k32",),
    "e5m2": ("m16n8k32",),
}
_WMMA_SHAPES = {
    "m16n16k16": ("f16", "bf16", "s8", "u8"),
    "m32n8k16": ("f16", "bf16", "s8", "u8"),
    "m8n32k16": ("f16", "bf16", "s8", "u8"),
    "m16n16k8": ("tf32",),
    "m8n8k4": ("f64",),
}


def _registers(operand: Operand) -> Sequence[Operand]:
    return operand.elements if isinstance(operand, Vector) else (operand,)


def _space(instruction: Instruction) -> str:
    for modifier in instruction.modifiers:
        head = modifier.split("::")[0]
        if head in ("global", "shared"):
            return head
    return "generic"


def _shape(ctx: Context, instruction: Instruction, allowed: Sequence[str]) -> Shape:
    for modifier in instruction.modifiers:
        if modifier in allowed:
            return Shape.parse(modifier)
    return ctx.unsupported()


def _whole_warp(ctx: Context) -> None:
    if ctx.width != LANES:
        ctx.unsupported("outside a kernel")


# products


@lowers("mma")
def mma(ctx: Context, instruction: Instruction) -> None:
    types = [m for m in instruction.modifiers if m in _ELEMENTS]
    if len(types) != 4 or types[1] not in _MMA_SHAPES:
        ctx.unsupported()
    ctx.modifiers("sync", "aligned", "row", "col", "satfinite", *_MMA_SHAPES[types[1]], *_ELEMENTS)
    layouts = [m for m in instruction.modifiers if m in ("row", "col")]
    if layouts != ["row", "col"]:
        ctx.unsupported()
    d, a, b, c = types
    shape = _shape(ctx, instruction, _MMA_SHAPES[a])
    per = PER_REGISTER[a]
    fragments = (
        mma_a(shape.m, shape.k, per), mma_b(shape.k, per),
        mma_c(shape.m, c == "f16"), mma_c(shape.m, d == "f16"),
    )  # fmt: skip
    product = tensor_ir.Product(shape, a, b, c, d, "satfinite" in instruction.modifiers)
    _multiply(ctx, instruction, product, fragments)


def _wmma_product(ctx: Context, instruction: Instruction) -> None:
    shape = _shape(ctx, instruction, tuple(_WMMA_SHAPES))
    types = [m for m in instruction.modifiers if m in _ELEMENTS]
    ctx.modifiers("mma", "sync", "aligned", "row", "col", "satfinite", "rn", *_WMMA_SHAPES, *_ELEMENTS)
    if len(types) == 2:
        d, c = types
        a = b = "f16"
    elif len(types) == 4:
        d, a, b, c = types
    else:
        ctx.unsupported()
    fragments = tuple(wmma(shape, m, t) for m, t in (("a", a), ("b", b), ("c", c), ("d", d)))
    product = tensor_ir.Product(shape, a, b, c, d, "satfinite" in instruction.modifiers)
    _multiply(ctx, instruction, product, fragments)


def _multiply(
    ctx: Context, instruction: Instruction, product: tensor_ir.Product, fragments: Sequence[Fragment]
) -> None:
    """Registers go through an exchange buffer to one routine per kind of product."""
    _whole_warp(ctx)
    groups = [_registers(o) for o in instruction.operands]
    counts = [len(f.registers) for f in fragments]
    if [len(groups[k]) for k in (1, 2, 3, 0)] != counts:
        ctx.unsupported("unexpected number of registers")
    types = (product.a, product.b, product.c)
    values = [
        ctx.read(register, "b64" if type_ == "f64" else "b32")
        for group, type_ in zip(groups[1:], types, strict=True)
        for register in group
    ]
    step = 8 * LANES
    buffer = ctx.scratch(I64, max(len(values), counts[3]))
    for k, value in enumerate(values):
        ctx.builder.store(value, ctx.builder.gep(buffer, [I64(step * k)], source_etype=I8), align=64)
    ctx.call_helper(product.name, tensor_ir.routine(product, counts), ir.VoidType(), [buffer])
    kind = ctx.vector(integer(64 if product.d == "f64" else 32))
    for k, register in enumerate(groups[0]):
        place = ctx.builder.gep(buffer, [I64(step * k)], source_etype=I8)
        ctx.write(register, ctx.builder.load(place, typ=kind, align=64))


# WMMA loads and stores


@lowers("wmma")
def wmma_any(ctx: Context, instruction: Instruction) -> None:
    operation = instruction.modifiers[0]
    if operation == "mma":
        _wmma_product(ctx, instruction)
        return
    matrix, type_ = instruction.modifiers[1], instruction.modifiers[-1]
    if operation not in ("load", "store") or type_ not in _BITS:
        ctx.unsupported()
    _whole_warp(ctx)
    ctx.modifiers(
        "load", "store", "a", "b", "c", "d", "sync", "aligned", "row", "col", "global", "shared",
        "shared::cta", *_WMMA_SHAPES, *_ELEMENTS,
    )  # fmt: skip
    shape = _shape(ctx, instruction, tuple(_WMMA_SHAPES))
    tile = _Tile(ctx, instruction, wmma(shape, matrix, type_), type_, shape, matrix)
    if operation == "load":
        tile.load()
    else:
        tile.store()


class _Tile:
    """A matrix in memory, row or column major with a leading dimension, and its fragment."""

    def __init__(
        self,
        ctx: Context,
        instruction: Instruction,
        fragment: Fragment,
        type_: str,
        shape: Shape,
        matrix: str,
    ) -> None:
        self.ctx = ctx
        self.fragment = fragment
        self.bits = _BITS[type_]
        self.by_row = "row" in instruction.modifiers
        self.space = _space(instruction)
        stores = instruction.modifiers[0] == "store"
        place, registers = instruction.operands[:2] if stores else instruction.operands[1::-1]
        self.registers = _registers(registers)
        self.base = ctx.address(place)
        if len(instruction.operands) > 2:
            leading = ctx.read(instruction.operands[2], "u32")
            self.leading = ctx.convert(leading, I64)
        else:
            rows, columns = {"a": (shape.m, shape.k), "b": (shape.k, shape.n)}.get(matrix, (shape.m, shape.n))
            self.leading = ctx.constant(I64, columns if self.by_row else rows)

    def addresses(self, positions: Sequence[Position]) -> Any:
        """<W x i64> of one element per lane."""
        builder, vector = self.ctx.builder, self.ctx.vector(I64)
        size = self.bits // 8
        split = [p if self.by_row else (p[1], p[0]) for p in positions]
        major = ir.Constant(vector, [size * m for m, _ in split])
        minor = ir.Constant(vector, [size * n for _, n in split])
        return builder.add(builder.add(self.base, builder.mul(self.leading, major)), minor)

    def together(self, register: Sequence[Sequence[Position]]) -> bool:
        """Whether the packed elements of a register are neighbours in memory."""
        step = (0, 1) if self.by_row else (1, 0)
        return all(
            later == (first[0] + step[0] * s, first[1] + step[1] * s)
            for s, element in enumerate(register)
            for first, later in zip(register[0], element, strict=True)
        )

    def load(self) -> None:
        ctx, memory = self.ctx, self.ctx.memory
        seen: dict[object, Any] = {}
        for operand, register in zip(self.registers, self.fragment.registers, strict=True):
            if register not in seen:
                whole = self.bits * len(register)
                if self.together(register):
                    (value,) = memory.load(ctx, self.space, whole, 1, self.addresses(register[0]))
                else:
                    value = None
                    for s, element in enumerate(register):
                        (part,) = memory.load(ctx, self.space, self.bits, 1, self.addresses(element))
                        part = ctx.convert(part, integer(whole))
                        part = ctx.builder.shl(part, ctx.constant(whole, s * self.bits)) if s else part
                        value = part if value is None else ctx.builder.or_(value, part)
                seen[register] = value
            ctx.write(operand, seen[register])

    def store(self) -> None:
        ctx, memory = self.ctx, self.ctx.memory
        for operand, register in zip(self.registers, self.fragment.registers, strict=True):
            whole = self.bits * len(register)
            value = ctx.read(operand, f"b{whole}")
            if self.together(register):
                memory.store(ctx, self.space, [value], self.addresses(register[0]))
                continue
            for s, element in enumerate(register):
                part = ctx.builder.lshr(value, ctx.constant(whole, s * self.bits)) if s else value
                memory.store(
                    ctx, self.space, [ctx.convert(part, integer(self.bits))], self.addresses(element)
                )


# 8×8 matrices of 16-bit elements


def _permute(ctx: Context, x: Any, y: Any, source: Callable[[int], int]) -> Any:
    """Lane l takes element `source(l)` of x (0…31) or y (32…63)."""
    mask = ir.Constant(ctx.vector(I32), [source(lane) for lane in range(LANES)])
    return ctx.builder.shuffle_vector(x, y, mask)


def _matrices(ctx: Context, instruction: Instruction) -> tuple[int, Any, Any]:
    """How many matrices, the lanes' row addresses, and the i32 of lanes that give one."""
    _whole_warp(ctx)
    ctx.modifiers("sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta", "b16")
    count = next(int(m[1:]) for m in instruction.modifiers if m in ("x1", "x2", "x4"))
    place = instruction.operands[0 if instruction.op == "stmatrix" else 1]
    rows = ctx.builder.and_(ctx.mask_bits, I32((1 << 8 * count) - 1))
    return count, ctx.address(place), rows


def _transposed(ctx: Context, value: Any) -> Any:
    return routine.call(ctx, "transpose_8x8", tensor_ir.transpose_8x8, [value], I32)


@lowers("ldmatrix")
def ldmatrix(ctx: Context, instruction: Instruction) -> None:
    """Lane 8i + r loads row r of matrix i; lane 4r + w then gets its word w, in register i."""
    count, addresses, rows = _matrices(ctx, instruction)
    words = ctx.memory.load(ctx, _space(instruction), 32, 4, addresses, op="ldmatrix", mask_bits=rows)
    even_low = [lane % 4 < 2 for lane in range(LANES)]
    choose = ir.Constant(ctx.vector(integer(1)), [int(e) for e in even_low])
    for i, register in enumerate(_registers(instruction.operands[0])[:count]):

        def source(lane: int, i: int = i) -> int:
            return 8 * i + lane // 4 + (LANES if lane % 2 else 0)

        low = _permute(ctx, words[0], words[1], source)
        high = _permute(ctx, words[2], words[3], source)
        value = ctx.builder.select(choose, low, high)
        ctx.write(register, _transposed(ctx, value) if "trans" in instruction.modifiers else value)


@lowers("stmatrix")
def stmatrix(ctx: Context, instruction: Instruction) -> None:
    """Word w of row r of matrix i is register i of lane 4r + w; lane 8i + r stores the row."""
    count, addresses, rows = _matrices(ctx, instruction)
    values = [ctx.read(r, "b32") for r in _registers(instruction.operands[1])[:count]]
    if "trans" in instruction.modifiers:
        values = [_transposed(ctx, v) for v in values]
    values += [values[-1]] * (4 - count)
    upper = ir.Constant(ctx.vector(integer(1)), [int(lane >= 16) for lane in range(LANES)])
    words = []
    for w in range(4):

        def source(lane: int, w: int = w) -> int:
            return lane % 8 * 4 + w + (LANES if lane // 8 % 2 else 0)

        first = _permute(ctx, values[0], values[1], source)
        second = _permute(ctx, values[2], values[3], source)
        words.append(ctx.builder.select(upper, second, first))
    ctx.memory.store(ctx, _space(instruction), words, addresses, op="stmatrix", mask_bits=rows)


@lowers("movmatrix")
def movmatrix(ctx: Context, instruction: Instruction) -> None:
    ctx.modifiers("sync", "aligned", "m8n8", "trans", "b16")
    _whole_warp(ctx)
    target, source = instruction.operands
    ctx.write(target, _transposed(ctx, ctx.read(source, "b32")))
