"""ld and st in every state space."""

from __future__ import annotations

from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I64, POINTER, integer
from trainer.ptx.module import Address, Instruction, Operand, Register, Sink, Symbol, Vector
from trainer.ptx.types import ScalarType

_SPACES = frozenset(("global", "shared", "local", "const", "param", "generic"))
_IGNORED = frozenset(
    "weak volatile relaxed acquire release mmio cta cluster gpu sys nc ca cg cs cv lu wb wt unified".split()
)


def space_of(ctx: Context, instruction: Instruction) -> str:
    """State space of a memory instruction; "generic" when it names none."""
    for modifier in instruction.modifiers:
        base = modifier.split("::")[0]
        if base in _SPACES:
            return base
    return "generic"


def check_modifiers(ctx: Context, instruction: Instruction, extra: tuple[str, ...] = ()) -> None:
    """Refuse what is neither a space, a type, an ordering nor a cache hint."""
    for modifier in instruction.modifiers[:-1]:
        base = modifier.split("::")[0]
        if base in _SPACES or base in _IGNORED or base in extra or base in ("L1", "L2", "v2", "v4", "v8"):
            continue
        ctx.unsupported()


def elements(operand: Operand) -> tuple[Operand, ...]:
    """The registers of a vector operand, or the one operand."""
    return operand.elements if isinstance(operand, Vector) else (operand,)


def _assign(ctx: Context, target: Operand, value: Value, kind: ScalarType) -> None:
    if isinstance(target, Sink):
        return
    ctx.write(target, value, signed=kind.is_signed)


@lowers("ld", "ldu")
def _load(ctx: Context, instruction: Instruction) -> None:
    check_modifiers(ctx, instruction)
    kind = ctx.type_of(instruction.modifiers[-1])
    space = space_of(ctx, instruction)
    targets = elements(instruction.operands[0])
    source = instruction.operands[1]
    if not isinstance(source, Address):
        ctx.unsupported()
    if space == "param":
        _load_parameter(ctx, targets, source, kind)
        return
    address = ctx.address(source)
    if kind.bits == 128:
        _load_wide(ctx, targets, space, address)
        return
    values = ctx.memory.load(ctx, space, kind.bits, len(targets), address)
    for target, value in zip(targets, values, strict=True):
        _assign(ctx, target, value, kind)


def _load_wide(ctx: Context, targets: tuple[Operand, ...], space: str, address: Value) -> None:
    """128-bit elements as pairs of 64 bits."""
    halves = ctx.memory.load(ctx, space, 64, 2 * len(targets), address)
    whole = integer(128)
    for k, target in enumerate(targets):
        low, high = (ctx.convert(h, whole) for h in halves[2 * k : 2 * k + 2])
        ctx.write(target, ctx.builder.or_(low, ctx.builder.shl(high, ctx.constant(128, 64))))


def _load_parameter(ctx: Context, targets: tuple[Operand, ...], source: Address, kind: ScalarType) -> None:
    function, builder = ctx.function, ctx.builder
    base = source.base
    entry = function.function.is_entry
    if entry and isinstance(base, Symbol) and base.name in function.arguments:
        start = ctx.load_field("env.parameters", POINTER)
        offset = function.function.parameter_offset(base.name) + base.offset + source.offset
        for k, target in enumerate(targets):
            place = builder.at(start, offset + k * kind.bytes)
            _assign(ctx, target, ctx.splat(builder.load(place, typ=integer(kind.bits), align=1)), kind)
        return
    if entry and isinstance(base, Register):
        space = "global"
    else:
        space = "local"
    address = ctx.address(source)
    values = ctx.memory.raw_load(ctx, space, kind.bits, len(targets), address, ctx.mask_bits)
    for target, value in zip(targets, values, strict=True):
        _assign(ctx, target, value, kind)


@lowers("st")
def _store(ctx: Context, instruction: Instruction) -> None:
    check_modifiers(ctx, instruction)
    kind = ctx.type_of(instruction.modifiers[-1])
    space = space_of(ctx, instruction)
    address = ctx.address(instruction.operands[0])
    sources = elements(instruction.operands[1])
    raw = ctx.type_of(f"b{kind.bits}")
    values = [_bits(ctx, s, kind, raw) for s in sources]
    if kind.bits == 128:
        narrow = ctx.vector(I64)
        halves = []
        for value in values:
            halves += [
                ctx.builder.trunc(value, narrow),
                ctx.builder.trunc(ctx.builder.lshr(value, ctx.constant(128, 64)), narrow),
            ]
        values = halves
    if space == "param":
        ctx.memory.raw_store(ctx, "local", values, address, ctx.mask_bits)
    else:
        ctx.memory.store(ctx, space, values, address)


def _bits(ctx: Context, source: Operand, kind: ScalarType, raw: ScalarType) -> Value:
    """A stored value as an integer vector (literals are read in the stored type)."""
    value = ctx.read(source, kind) if not isinstance(source, Register) else ctx.register(source)
    return ctx.convert(value, integer(raw.bits))
