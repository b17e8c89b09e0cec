"""cvt between integers, f32 and f64, with every rounding; float to integer saturates, NaN becomes 0."""

from __future__ import annotations

from trainer.ptx.lower import narrow
from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.floating import flush, is_nan, saturate
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.rounding import narrow as narrow_double
from trainer.ptx.lower.values import DOUBLE, FLOAT, element_type, integer
from trainer.ptx.module import Instruction, Register
from trainer.ptx.types import ScalarType

_INTEGRAL = {"rni": "llvm.roundeven", "rzi": "llvm.trunc", "rmi": "llvm.floor", "rpi": "llvm.ceil"}
_MODES = ("rn", "rz", "rm", "rp")


@lowers("cvt")
def _cvt(ctx: Context, instruction: Instruction) -> None:
    if narrow.concerns(instruction):
        narrow.cvt(ctx, instruction)
        return
    flags = ctx.modifiers("ftz", "sat", *_INTEGRAL, *_MODES)
    to, source = (ctx.type_of(m) for m in instruction.modifiers[-2:])
    operand = instruction.operands[1]
    if isinstance(operand, Register) and not source.is_float:
        value = ctx.convert(ctx.register(operand), integer(source.bits))
    else:
        value = ctx.read(operand, source)
    if "ftz" in flags and source.name == "f32":
        value = flush(ctx, value)
    if source.is_float:
        result = _from_float(ctx, value, source, to, flags)
    else:
        result = _from_integer(ctx, value, source, to, flags)
    ctx.write(instruction.operands[0], result, signed=to.is_signed)


def _from_integer(ctx: Context, value: Value, source: ScalarType, to: ScalarType, flags: set[str]) -> Value:
    if to.is_float:
        return _integer_to_float(ctx, value, source, to, next(iter(flags & set(_MODES)), "rn"))
    if "sat" in flags:
        value = _clamp(ctx, value, source, to)
    if to.bits > source.bits:
        return ctx.convert(value, integer(to.bits), signed=source.is_signed)
    return ctx.convert(value, integer(to.bits))


def _clamp(ctx: Context, value: Value, source: ScalarType, to: ScalarType) -> Value:
    """Limit an integer to the range of `to` before it is narrowed."""
    least, most = _range(to)
    low, high = _range(source)
    builder, bits = ctx.builder, source.bits
    compare = builder.icmp_signed if source.is_signed else builder.icmp_unsigned
    if most < high:
        limit = ctx.constant(bits, most)
        value = builder.select(compare(">", value, limit), limit, value)
    if least > low:
        limit = ctx.constant(bits, least)
        value = builder.select(compare("<", value, limit), limit, value)
    return value


def _range(kind: ScalarType) -> tuple[int, int]:
    if kind.is_signed:
        return -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
    return 0, (1 << kind.bits) - 1


def _integer_to_float(ctx: Context, value: Value, source: ScalarType, to: ScalarType, mode: str) -> Value:
    builder = ctx.builder
    emit = builder.sitofp if source.is_signed else builder.uitofp
    if mode == "rn" or (to.bits == 64 and source.bits <= 32):
        return emit(value, ctx.vector(element_type(to)))
    if to.bits == 32 and source.bits <= 32:
        return narrow_double(ctx, emit(value, ctx.vector(DOUBLE)), mode)
    return ctx.subroutine(
        f"int_{source.name}_{to.name}_{mode}",
        ctx.vector(element_type(to)),
        [value],
        lambda v: _wide_to_float(ctx, v, source, to, mode),
    )


def _wide_to_float(ctx: Context, value: Value, source: ScalarType, to: ScalarType, mode: str) -> Value:
    """64-bit integers, directed: clear the bits that do not fit (towards zero), then step if they matter."""
    builder = ctx.builder
    zero = ctx.constant(64, 0)
    negative = builder.icmp_signed("<", value, zero) if source.is_signed else ctx.constant(1, 0)
    size = builder.select(negative, builder.sub(zero, value), value)
    keep = 24 if to.bits == 32 else 53
    from llvmlite import ir

    zeros = ctx.intrinsic(f"llvm.ctlz.v{ctx.width}i64", value.type, [size, ir.Constant(ir.IntType(1), 0)])
    used = builder.sub(ctx.constant(64, 64), zeros)
    drop = builder.select(
        builder.icmp_signed(">", used, ctx.constant(64, keep)),
        builder.sub(used, ctx.constant(64, keep)),
        zero,
    )
    unit = builder.shl(ctx.constant(64, 1), drop)
    lost = builder.and_(size, builder.sub(unit, ctx.constant(64, 1)))
    floor = builder.sub(size, lost)
    away = {"rz": ctx.constant(1, 0), "rp": builder.not_(negative), "rm": negative}[mode]
    bump = builder.and_(away, builder.icmp_unsigned("!=", lost, zero))
    element = element_type(to)
    low = builder.uitofp(floor, ctx.vector(element))
    step = builder.select(bump, builder.uitofp(unit, ctx.vector(element)), ctx.float_constant(0.0, element))
    result = builder.fadd(low, step)
    return builder.select(negative, builder.fneg(result), result)


def _from_float(ctx: Context, value: Value, source: ScalarType, to: ScalarType, flags: set[str]) -> Value:
    integral = next(iter(flags & set(_INTEGRAL)), None)
    if to.is_float:
        return _float_to_float(ctx, value, source, to, flags, integral)
    if integral is None:
        ctx.unsupported()
    return _float_to_integer(ctx, ctx.unary_intrinsic(_INTEGRAL[integral], value), to)


def _float_to_float(
    ctx: Context, value: Value, source: ScalarType, to: ScalarType, flags: set[str], integral: str | None
) -> Value:
    builder = ctx.builder
    mode = next(iter(flags & set(_MODES)), "rn")
    if integral is not None:
        value = ctx.unary_intrinsic(_INTEGRAL[integral], value)
    if to.bits > source.bits:
        value = builder.fpext(value, ctx.vector(DOUBLE))
    elif to.bits < source.bits:
        value = narrow_double(ctx, value, mode)
    if "ftz" in flags and value.type.element == FLOAT:
        value = flush(ctx, value)
    return saturate(ctx, value) if "sat" in flags else value


def _float_to_integer(ctx: Context, value: Value, to: ScalarType) -> Value:
    """Saturating. NaN gives 0 from f32 to at most 32 bits, else the top bit alone (PTX ISA, cvt)."""
    name = "llvm.fptosi.sat" if to.is_signed else "llvm.fptoui.sat"
    single = value.type.element == FLOAT
    target = ctx.vector(integer(to.bits))
    suffix = f"v{ctx.width}i{to.bits}.v{ctx.width}{'f32' if single else 'f64'}"
    result = ctx.intrinsic(f"{name}.{suffix}", target, [value])
    if to.bits == 64 or not single:
        result = ctx.builder.select(is_nan(ctx, value), ctx.constant(to.bits, 1 << (to.bits - 1)), result)
    return result
