"""mov, cvta, isspacep, mapa: values and addresses from one place to another."""

from __future__ import annotations

from trainer.ptx.layout import LOCAL_WINDOW, SHARED_WINDOW
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import lowers
from trainer.ptx.lower.values import I64
from trainer.ptx.module import Instruction, Register, Vector

_WINDOWS = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW}
_PLAIN = frozenset(("global", "const", "param"))  # their generic addresses are their own


@lowers("mov")
def _mov(ctx: Context, instruction: Instruction) -> None:
    kind = ctx.type_of(instruction.modifiers[-1])
    target, source = instruction.operands
    if isinstance(source, Register) and not isinstance(target, Vector):
        value = ctx.register(source)
        ctx.write(target, value)
        return
    ctx.write(target, ctx.read(source, kind))


def _space(ctx: Context, instruction: Instruction) -> str:
    spaces = [m.split("::")[0] for m in instruction.modifiers]
    return next((s for s in spaces if s in _WINDOWS or s in _PLAIN), "generic")


@lowers("cvta")
def _cvta(ctx: Context, instruction: Instruction) -> None:
    target, source = instruction.operands
    space = _space(ctx, instruction)
    value = ctx.read(source, "u64")
    if space in _WINDOWS:
        window = ctx.constant(I64, _WINDOWS[space])
        value = (
            ctx.builder.sub(value, window)
            if "to" in instruction.modifiers
            else ctx.builder.add(value, window)
        )
    elif space not in _PLAIN:
        ctx.unsupported()
    ctx.write(target, value)


@lowers("isspacep")
def _isspacep(ctx: Context, instruction: Instruction) -> None:
    target, source = instruction.operands
    value = ctx.read(source, "u64")
    builder = ctx.builder
    inside = {}
    for space, window in _WINDOWS.items():
        apart = builder.sub(value, ctx.constant(I64, window))
        inside[space] = builder.icmp_unsigned("<", apart, ctx.constant(I64, 1 << 32))
    space = _space(ctx, instruction)
    if space in _WINDOWS:
        ctx.write(target, inside[space])
    elif space == "global":
        ctx.write(target, builder.not_(builder.or_(inside["shared"], inside["local"])))
    else:
        ctx.unsupported("which state space an address of .const or .param lies in")


@lowers("mapa")
def _mapa(ctx: Context, instruction: Instruction) -> None:
    """Without clusters the only block of a cluster is one's own."""
    ctx.write(instruction.operands[0], ctx.read(instruction.operands[1], "u64"))
