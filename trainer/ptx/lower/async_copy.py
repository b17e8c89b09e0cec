"""cp.async and cp.async.bulk.

What a thread's cp.async reads arrives when it is waited for (`copy_queue`); bulk copies and copies
that an mbarrier waits for are complete at once. Instrumentation sees the copies by their op, at issue,
and each commit and wait through `Access.fence`.
"""

from __future__ import annotations

from typing import Any

from trainer.ptx.lower import copy_queue, mbarrier
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I32, I64
from trainer.ptx.module import Immediate, Instruction, Operand

_CACHE = ("L2::cache_hint", "L2::64B", "L2::128B", "L2::256B")


@lowers("cp")
def cp(ctx: Context, instruction: Instruction) -> None:
    modifiers = instruction.modifiers
    if modifiers[:1] != ("async",) or "tensor" in modifiers:
        ctx.unsupported("tensor memory accelerator")
    if modifiers[1:2] == ("bulk",):
        _bulk(ctx, instruction)
    elif modifiers[1:2] == ("mbarrier",):
        mbarrier.copy_arrive(ctx, instruction)
    elif modifiers[1] in ("ca", "cg"):
        _copy(ctx, instruction)
    elif modifiers[1:] in (("commit_group",), ("wait_group",), ("wait_all",)):
        _order(ctx, instruction)
    else:
        ctx.unsupported()


def _order(ctx: Context, instruction: Instruction) -> None:
    """commit_group, wait_group N, wait_all."""
    if instruction.modifiers[1] == "commit_group":
        copy_queue.commit(ctx)
    elif instruction.modifiers[1] == "wait_all":
        copy_queue.wait(ctx, copy_queue.EVERYTHING)
    else:
        (keep,) = instruction.operands
        if not isinstance(keep, Immediate):
            ctx.unsupported()
        copy_queue.wait(ctx, keep.value)
    ctx.memory.fence(ctx, instruction)


def _copy(ctx: Context, instruction: Instruction) -> None:
    """4, 8 or 16 bytes per lane; bytes past src-size, or all if ignore-src holds, become zero."""
    present = ctx.modifiers("async", "ca", "cg", "shared", "shared::cta", "global", *_CACHE)
    operands = list(instruction.operands)
    if "L2::cache_hint" in present:
        operands.pop()
    target, source, size = operands[:3]
    if not isinstance(size, Immediate):
        ctx.unsupported()
    words = size.value // 4
    to, origin = ctx.address(target), ctx.address(source)
    extra = operands[3] if len(operands) > 3 else None
    if extra is None or (isinstance(extra, Immediate) and extra.value == size.value):
        values = ctx.memory.load(ctx, "global", 32, words, origin, op="async_copy")
    else:
        values = _partial(ctx, extra, origin, words)
    copy_queue.issue(ctx, to, list(values))


def _partial(ctx: Context, extra: Operand, origin: Any, words: int) -> list[Any]:
    """What a copy with a src-size (bytes) or an ignore-src predicate reads; the rest is zero."""
    builder = ctx.builder
    if getattr(getattr(extra, "type", None), "name", "") == "pred":
        nothing = ctx.read(extra, "pred")
        nbytes = builder.select(nothing, ctx.constant(I32, 0), ctx.constant(I32, 4 * words))
    else:
        nbytes = ctx.read(extra, "u32")
    whole = builder.icmp_unsigned(">=", nbytes, ctx.constant(I32, 4 * words))
    full = builder.and_(ctx.bits(whole), ctx.mask_bits)
    values = list(ctx.memory.load(ctx, "global", 32, words, origin, op="async_copy", mask_bits=full))
    values = [builder.select(whole, v, ctx.constant(I32, 0)) for v in values]
    some = builder.icmp_unsigned(">", nbytes, ctx.constant(I32, 0))
    partly = builder.and_(ctx.bits(builder.and_(some, builder.not_(whole))), ctx.mask_bits)
    spot = ctx.scratch(I32, words)
    places = [builder.gep(spot, [I32(k)], source_etype=values[0].type) for k in range(words)]
    for place, value in zip(places, values, strict=True):
        builder.store(value, place, align=64)

    def pieces() -> None:
        lanes = ctx.lanes(partly)
        for k, place in enumerate(places):
            there = builder.icmp_unsigned(">", nbytes, ctx.constant(I32, 4 * k))
            mask = builder.and_(ctx.bits(there), partly)
            address = builder.add(origin, ctx.constant(I64, 4 * k))
            (word,) = ctx.memory.load(ctx, "global", 32, 1, address, op="async_copy", mask_bits=mask)
            word = builder.and_(word, _kept_bits(ctx, nbytes, k))
            kept = builder.and_(there, lanes)
            builder.store(
                builder.select(kept, word, builder.load(place, typ=word.type, align=64)), place, align=64
            )

    ctx.if_any(partly, pieces)
    return [builder.load(place, typ=ctx.vector(I32), align=64) for place in places]


def _kept_bits(ctx: Context, nbytes: Any, k: int) -> Any:
    """Of word k: the bits that lie before src-size."""
    builder = ctx.builder
    rest = builder.sub(nbytes, ctx.constant(I32, 4 * k))
    most = builder.icmp_unsigned("<", rest, ctx.constant(I32, 4))
    shift = builder.shl(builder.select(most, rest, ctx.constant(I32, 0)), ctx.constant(I32, 3))
    ones = builder.sub(builder.shl(ctx.constant(I32, 1), shift), ctx.constant(I32, 1))
    return builder.select(most, ones, ctx.constant(I32, -1))


def _bulk(ctx: Context, instruction: Instruction) -> None:
    """cp.async.bulk between global and shared memory: 16 bytes of every lane per turn."""
    modifiers = instruction.modifiers
    if (
        modifiers[2:] in (("commit_group",), ("wait_group",), ("wait_group", "read"))
        or "prefetch" in modifiers
    ):
        ctx.memory.fence(ctx, instruction)
        return
    spaces = [m.split("::")[0] for m in modifiers if m.split("::")[0] in ("shared", "global")]
    known = ("shared::cluster", "shared::cta", "mbarrier::complete_tx::bytes", "bulk_group", *_CACHE)
    present = ctx.modifiers("async", "bulk", "global", *known)
    if spaces not in (["shared", "global"], ["global", "shared"]):
        ctx.unsupported()
    target, source, size = instruction.operands[:3]
    to, origin = ctx.address(target), ctx.address(source)
    nbytes = ctx.convert(ctx.read(size, "u32"), I64)
    _loop(ctx, spaces, to, origin, nbytes)
    if "mbarrier::complete_tx::bytes" in present:
        mbarrier.complete_bytes(ctx, ctx.address(instruction.operands[3]), nbytes)


def _loop(ctx: Context, spaces: list[str], to: Any, origin: Any, nbytes: Any) -> None:
    builder = ctx.builder
    before = builder.block
    head, body, done = (builder.append_basic_block(f"bulk.{n}") for n in ("head", "body", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    offset = builder.phi(I64)
    offset.add_incoming(I64(0), before)
    offsets = ctx.splat(offset)
    left = builder.and_(ctx.bits(builder.icmp_unsigned("<", offsets, nbytes)), ctx.mask_bits)
    builder.cbranch(builder.icmp_unsigned("!=", left, I32(0)), body, done)
    builder.position_at_end(body)
    place = builder.add(origin, offsets)
    values = ctx.memory.load(ctx, spaces[1], 32, 4, place, op="async_copy", mask_bits=left)
    ctx.memory.store(ctx, spaces[0], values, builder.add(to, offsets), op="async_copy", mask_bits=left)
    offset.add_incoming(builder.add(offset, I64(16)), builder.block)
    builder.branch(head)
    builder.position_at_end(done)
