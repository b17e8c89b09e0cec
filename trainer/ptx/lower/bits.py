"""Logic, shifts and bit fields."""

from __future__ import annotations

from llvmlite import ir

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I1, I32, I64, integer
from trainer.ptx.module import Immediate, Instruction


@lowers("and", "or", "xor")
def _logic(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    target, a, b = instruction.operands
    builder = ctx.builder
    emit = {"and": builder.and_, "or": builder.or_, "xor": builder.xor}[instruction.op]
    ctx.write(target, emit(ctx.read(a, kind), ctx.read(b, kind)))


@lowers("not", "cnot")
def _not(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    value = ctx.read(instruction.operands[1], kind)
    if instruction.op == "not":
        ctx.write(instruction.operands[0], ctx.builder.not_(value))
        return
    zero = ctx.builder.icmp_unsigned("==", value, ctx.constant(kind.bits, 0))
    ctx.write(instruction.operands[0], ctx.convert(zero, integer(kind.bits)))


@lowers("lop3")
def _lop3(ctx: Context, instruction: Instruction) -> None:
    """Any function of three bits, as an 8-entry truth table."""
    if instruction.modifiers != ("b32",):
        ctx.unsupported()
    target, *sources, table = instruction.operands
    if not isinstance(table, Immediate):
        ctx.unsupported()
    values = [ctx.read(s, "b32") for s in sources]
    builder = ctx.builder
    negated = [builder.not_(v) for v in values]
    result: Value = ctx.constant(32, 0)
    for row in range(8):
        if table.value >> row & 1:
            terms = [values[k] if row >> (2 - k) & 1 else negated[k] for k in range(3)]
            result = builder.or_(result, builder.and_(builder.and_(terms[0], terms[1]), terms[2]))
    ctx.write(target, result)


@lowers("shl", "shr")
def _shift(ctx: Context, instruction: Instruction) -> None:
    """Shift amounts are unsigned 32-bit and clamp at the width."""
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    target, a, b = instruction.operands
    value, bits, builder = ctx.read(a, kind), kind.bits, ctx.builder
    signed = instruction.op == "shr" and kind.is_signed
    emit = builder.shl if instruction.op == "shl" else builder.ashr if signed else builder.lshr
    if isinstance(b, Immediate):
        amount = min(b.value & 0xFFFFFFFF, bits)
        if amount == bits and not signed:
            ctx.write(target, ctx.constant(bits, 0))
        else:
            ctx.write(target, emit(value, ctx.constant(bits, min(amount, bits - 1))), signed=signed)
        return
    count = ctx.read(b, "u32")
    limit = ctx.constant(32, bits - 1)
    big = builder.icmp_unsigned(">", count, limit)
    clamped = ctx.convert(builder.select(big, limit, count), integer(bits))
    shifted = emit(value, clamped)
    if not signed:
        shifted = builder.select(big, ctx.constant(bits, 0), shifted)
    ctx.write(target, shifted, signed=signed)


@lowers("shf")
def _funnel(ctx: Context, instruction: Instruction) -> None:
    """Shift of the 64-bit value b:a; l gives the upper, r the lower half."""
    flags = ctx.modifiers("l", "r", "wrap", "clamp")
    target, a, b, c = instruction.operands
    builder = ctx.builder
    low, high = (ctx.convert(ctx.read(o, "b32"), I64) for o in (a, b))
    whole = builder.or_(low, builder.shl(high, ctx.constant(64, 32)))
    count = ctx.read(c, "u32")
    if "wrap" in flags:
        count = builder.and_(count, ctx.constant(32, 31))
    else:
        big = builder.icmp_unsigned(">", count, ctx.constant(32, 32))
        count = builder.select(big, ctx.constant(32, 32), count)
    wide = ctx.convert(count, I64)
    if "l" in flags:
        result = builder.lshr(builder.shl(whole, wide), ctx.constant(64, 32))
    else:
        result = builder.lshr(whole, wide)
    ctx.write(target, builder.trunc(result, ctx.vector(I32)))


@lowers("popc", "brev", "clz")
def _count(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    value = ctx.read(instruction.operands[1], kind)
    suffix = f"v{ctx.width}i{kind.bits}"
    if instruction.op == "clz":
        result = ctx.intrinsic(f"llvm.ctlz.{suffix}", value.type, [value, ir.Constant(I1, 0)])
    else:
        name = "ctpop" if instruction.op == "popc" else "bitreverse"
        result = ctx.intrinsic(f"llvm.{name}.{suffix}", value.type, [value])
    if instruction.op != "brev":
        result = ctx.convert(result, I32)
    ctx.write(instruction.operands[0], result)


@lowers("bfind")
def _bfind(ctx: Context, instruction: Instruction) -> None:
    """Position of the highest bit that differs from the sign (or the shift to the top); -1: none."""
    kind = ctx.type_of(instruction.modifiers[-1])
    flags = ctx.modifiers("shiftamt")
    builder, bits = ctx.builder, kind.bits
    value = ctx.read(instruction.operands[1], kind)
    if kind.is_signed:
        value = builder.xor(value, builder.ashr(value, ctx.constant(bits, bits - 1)))
    name = f"llvm.ctlz.v{ctx.width}i{bits}"
    zeros = ctx.convert(ctx.intrinsic(name, value.type, [value, ir.Constant(I1, 0)]), I32)
    none = builder.icmp_unsigned("==", value, ctx.constant(bits, 0))
    place = zeros if "shiftamt" in flags else builder.sub(ctx.constant(32, bits - 1), zeros)
    ctx.write(instruction.operands[0], builder.select(none, ctx.constant(32, -1), place))


def _byte(ctx: Context, operand: object, bits: int) -> Value:
    """Low byte of a position or length operand, as wide as the field."""
    value = ctx.read(operand, "u32")  # type: ignore[arg-type]
    return ctx.convert(ctx.builder.and_(value, ctx.constant(32, 0xFF)), integer(bits))


def _ones(ctx: Context, count: Value, bits: int) -> Value:
    """A mask of `count` low ones; all ones from `bits` up."""
    builder = ctx.builder
    big = builder.icmp_unsigned(">=", count, ctx.constant(bits, bits))
    safe = builder.select(big, ctx.constant(bits, 0), count)
    mask = builder.sub(builder.shl(ctx.constant(bits, 1), safe), ctx.constant(bits, 1))
    return builder.select(big, ctx.constant(bits, -1), mask)


def _shift_left(ctx: Context, value: Value, count: Value, bits: int) -> Value:
    builder = ctx.builder
    big = builder.icmp_unsigned(">=", count, ctx.constant(bits, bits))
    safe = builder.select(big, ctx.constant(bits, 0), count)
    return builder.select(big, ctx.constant(bits, 0), builder.shl(value, safe))


def _shift_right(ctx: Context, value: Value, count: Value, bits: int) -> Value:
    builder = ctx.builder
    big = builder.icmp_unsigned(">=", count, ctx.constant(bits, bits))
    safe = builder.select(big, ctx.constant(bits, 0), count)
    return builder.select(big, ctx.constant(bits, 0), builder.lshr(value, safe))


@lowers("bfi")
def _bfi(ctx: Context, instruction: Instruction) -> None:
    """Insert the low `len` bits of a into b at `pos`."""
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    target, a, b, position, length = instruction.operands
    builder, bits = ctx.builder, kind.bits
    pos, count = _byte(ctx, position, bits), _byte(ctx, length, bits)
    mask = _shift_left(ctx, _ones(ctx, count, bits), pos, bits)
    moved = _shift_left(ctx, ctx.read(a, kind), pos, bits)
    kept = builder.and_(ctx.read(b, kind), builder.not_(mask))
    ctx.write(target, builder.or_(kept, builder.and_(moved, mask)))


@lowers("bfe")
def _bfe(ctx: Context, instruction: Instruction) -> None:
    """Extract `len` bits at `pos`; signed fields are filled with bit min(pos + len - 1, msb)."""
    kind = ctx.type_of(instruction.modifiers[-1])
    ctx.modifiers()
    target, a, position, length = instruction.operands
    builder, bits = ctx.builder, kind.bits
    value, pos, count = ctx.read(a, kind), _byte(ctx, position, bits), _byte(ctx, length, bits)
    mask = _ones(ctx, count, bits)
    field = builder.and_(_shift_right(ctx, value, pos, bits), mask)
    if kind.is_signed:
        last = builder.sub(builder.add(pos, count), ctx.constant(bits, 1))
        over = builder.icmp_unsigned(">", last, ctx.constant(bits, bits - 1))
        place = builder.select(over, ctx.constant(bits, bits - 1), last)
        sign = builder.and_(builder.lshr(value, place), ctx.constant(bits, 1))
        empty = builder.icmp_unsigned("==", count, ctx.constant(bits, 0))
        negative = builder.and_(builder.icmp_unsigned("==", sign, ctx.constant(bits, 1)), builder.not_(empty))
        inside = builder.and_(mask, _shift_right(ctx, ctx.constant(bits, -1), pos, bits))
        field = builder.or_(field, builder.select(negative, builder.not_(inside), ctx.constant(bits, 0)))
    ctx.write(target, field)


@lowers("bmsk")
def _bmsk(ctx: Context, instruction: Instruction) -> None:
    """A mask of b ones at position a."""
    flags = ctx.modifiers("clamp", "wrap")
    target, a, b = instruction.operands
    builder = ctx.builder
    pos, count = ctx.read(a, "u32"), ctx.read(b, "u32")
    if "wrap" in flags:
        pos, count = (builder.and_(v, ctx.constant(32, 31)) for v in (pos, count))
    ctx.write(target, _shift_left(ctx, _ones(ctx, count, 32), pos, 32))


@lowers("szext")
def _szext(ctx: Context, instruction: Instruction) -> None:
    """Sign- or zero-extend the low b bits of a."""
    kind = ctx.type_of(instruction.modifiers[-1])
    flags = ctx.modifiers("clamp", "wrap")
    target, a, b = instruction.operands
    builder = ctx.builder
    value, count = ctx.read(a, "b32"), ctx.read(b, "u32")
    if "wrap" in flags:
        count = builder.and_(count, ctx.constant(32, 31))
    mask = _ones(ctx, count, 32)
    field = builder.and_(value, mask)
    if kind.is_signed:
        top = builder.sub(mask, builder.lshr(mask, ctx.constant(32, 1)))
        negative = builder.icmp_unsigned("!=", builder.and_(value, top), ctx.constant(32, 0))
        field = builder.or_(field, builder.select(negative, builder.not_(mask), ctx.constant(32, 0)))
    ctx.write(target, field)


@lowers("prmt")
def _prmt(ctx: Context, instruction: Instruction) -> None:
    """Pick four of eight bytes; bit 3 of a selector replicates the sign of its byte."""
    modes = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}
    flags = ctx.modifiers(*modes)
    target, a, b, c = instruction.operands
    builder = ctx.builder
    low, high = (ctx.convert(ctx.read(o, "b32"), I64) for o in (a, b))
    whole = builder.or_(low, builder.shl(high, ctx.constant(64, 32)))
    selector = ctx.convert(ctx.read(c, "u32"), I64)
    mode = next(iter(flags & modes), None)
    result: Value = ctx.constant(32, 0)
    for k in range(4):
        if mode is None:
            nibble = builder.lshr(selector, ctx.constant(64, 4 * k))
            index = builder.and_(nibble, ctx.constant(64, 7))
        else:
            nibble, index = None, _mode_index(ctx, builder.and_(selector, ctx.constant(64, 3)), mode, k)
        byte = builder.lshr(whole, builder.shl(index, ctx.constant(64, 3)))
        byte = builder.and_(builder.trunc(byte, ctx.vector(I32)), ctx.constant(32, 0xFF))
        if nibble is not None:
            copy = builder.trunc(builder.and_(nibble, ctx.constant(64, 8)), ctx.vector(I32))
            sign = builder.icmp_unsigned(">=", byte, ctx.constant(32, 0x80))
            filled = builder.select(sign, ctx.constant(32, 0xFF), ctx.constant(32, 0))
            byte = builder.select(builder.icmp_unsigned("!=", copy, ctx.constant(32, 0)), filled, byte)
        result = builder.or_(result, builder.shl(byte, ctx.constant(32, 8 * k)))
    ctx.write(target, result)


def _mode_index(ctx: Context, start: Value, mode: str, k: int) -> Value:
    """Which of the eight bytes goes to place `k` in the special modes of prmt."""
    builder = ctx.builder
    place = ctx.constant(64, k)
    if mode == "f4e":
        return builder.add(start, place)
    if mode == "b4e":
        return builder.and_(builder.sub(start, place), ctx.constant(64, 7))
    if mode == "rc8":
        return start
    if mode == "rc16":
        pair = builder.shl(builder.and_(start, ctx.constant(64, 1)), ctx.constant(64, 1))
        return builder.or_(pair, ctx.constant(64, k & 1))
    emit = "umax" if mode == "ecl" else "umin"
    return ctx.intrinsic(f"llvm.{emit}.v{ctx.width}i64", start.type, [start, place])
