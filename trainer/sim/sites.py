"""Static facts about the memory instructions of a kernel: what the counters need to know of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trainer.ptx.flow import Flow, reads
from trainer.ptx.lower.tile_plan import plan_of
from trainer.ptx.module import Address, Body, Immediate, Instruction, Register, Sink
from trainer.sim.fusion import Fused, access_width, fused_accesses, type_name
from trainer.sim.report import Space
from trainer.sim.uniformity import is_uniform, varying_registers

_SPACES = {
    "global": Space.GLOBAL,
    "shared": Space.SHARED,
    "shared::cta": Space.SHARED,
    "local": Space.LOCAL,
    "const": Space.CONSTANT,
}


@dataclass(frozen=True)
class Site:
    """One memory instruction. `space` is None for a generic address."""

    number: int
    line: int
    op: str  # "load" | "store" | "atomic" | "async_copy" | "ldmatrix"
    space: Space | None
    width: int  # bytes a lane
    fused: Fused | None = None
    is_leader: bool = False
    atomic_op: str = ""
    atomic_type: str = ""
    atomic_value: int | None = None  # its operand, where that is a whole-number constant
    uniform: bool = False
    result_used: bool = True
    matrices: int = 0
    volatile: bool = False


@dataclass(frozen=True)
class FunctionFacts:
    """What `describe` needs of one function, computed once."""

    body: Body
    fused_by_index: Mapping[int, Fused]
    varying: frozenset[str]
    used: frozenset[str] = field(default=frozenset())


def facts_of(flow: Flow, shared_offsets: Mapping[str, int]) -> FunctionFacts:
    """Analyse one function; `shared_offsets` places the shared variables it names."""
    fused = {index: one for one in fused_accesses(flow, shared_offsets) for index in one.members}
    used = {r.name for instruction in flow.body.instructions for r in reads(instruction)}
    return FunctionFacts(flow.body, fused, varying_registers(flow.body), frozenset(used))


def space_of(instruction: Instruction) -> Space | None:
    """The state space an instruction names; None when the address is generic."""
    return next((_SPACES[m] for m in instruction.modifiers if m in _SPACES), None)


def describe(number: int, instruction: Instruction, facts: FunctionFacts) -> Site | None:
    """The site of a memory instruction; None for instructions that are none we count."""
    op, line = instruction.op, instruction.line
    if op in ("ld", "st", "ldu"):
        fused = facts.fused_by_index.get(instruction.index)
        return Site(
            number, line, "store" if op == "st" else "load", space_of(instruction), access_width(instruction),
            fused=fused, is_leader=fused is not None and fused.members[0] == instruction.index,
            volatile=bool({"volatile", "relaxed", "acquire", "release", "mmio"} & set(instruction.modifiers)),
        )
    if op in ("atom", "red"):
        return _atomic(number, instruction, facts)
    if op == "ldmatrix":
        count = next((int(m[1:]) for m in instruction.modifiers if m in ("x1", "x2", "x4")), 1)
        return Site(number, line, "ldmatrix", Space.SHARED, 16, matrices=count)
    if op == "stmatrix":
        return Site(number, line, "store", Space.SHARED, 16)
    if op == "wmma":
        return _tile(number, instruction)
    if op == "cp" and "async" in instruction.modifiers and len(instruction.operands) >= 3:
        size = getattr(instruction.operands[2], "value", 0)
        return Site(number, line, "async_copy", Space.SHARED, size) if size in (4, 8, 16) else None
    return None


def _tile(number: int, instruction: Instruction) -> Site | None:
    """wmma.load and wmma.store, as the accesses that the hardware makes of them."""
    plan = plan_of(instruction)
    if plan is None:
        return None
    if plan.way == "matrices":
        return Site(number, instruction.line, "ldmatrix", Space.SHARED, 16, matrices=plan.group)
    return Site(number, instruction.line, instruction.modifiers[0], space_of(instruction), plan.nbytes)


def _atomic(number: int, instruction: Instruction, facts: FunctionFacts) -> Site:
    from trainer.sim.atomics import width_of

    operands: Sequence[object] = instruction.operands
    target = operands[0]
    address = next(o for o in instruction.operands if isinstance(o, Address))
    used = instruction.op == "atom" and not isinstance(target, Sink)
    if used and isinstance(target, Register):
        used = target.name in facts.used
    known = ("add", "min", "max", "and", "or", "xor", "inc", "dec", "cas", "exch")
    name = next((m for m in instruction.modifiers if m in known), "add")
    kind = type_name(instruction)
    constants = [o.value for o in instruction.operands if isinstance(o, Immediate) and o.form == "int"]
    return Site(
        number, instruction.line, "atomic", space_of(instruction), width_of(kind), atomic_op=name,
        atomic_type=kind, uniform=is_uniform(address, facts.varying), result_used=used,
        atomic_value=constants[0] if len(constants) == 1 else None,
    )
