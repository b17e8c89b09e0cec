"""Matrix products: mma.sync and wmma (their arithmetic is in `tensor_ir`, WMMA's memory side in `tiles`)."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trainer.ptx.lower import tensor_ir
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.fragments import (
    LANES,
    PER_REGISTER,
    Fragment,
    Shape,
    mma_a,
    mma_b,
    mma_c,
    wmma,
)
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.tiles import registers_of, whole_warp, wmma_memory
from trainer.ptx.lower.values import I8, I64, integer
from trainer.ptx.module import Instruction

_ELEMENTS = ("f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "e4m3", "e5m2")
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


def _shape(ctx: Context, instruction: Instruction, allowed: Sequence[str]) -> Shape:
    for modifier in instruction.modifiers:
        if modifier in allowed:
            return Shape.parse(modifier)
    return ctx.unsupported()


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


@lowers("wmma")
def wmma_any(ctx: Context, instruction: Instruction) -> None:
    if instruction.modifiers[0] == "mma":
        _wmma_product(ctx, instruction)
    else:
        wmma_memory(ctx, instruction)


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
    whole_warp(ctx)
    groups = [registers_of(o) for o in instruction.operands]
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
