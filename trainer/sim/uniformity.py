"""Which registers hold one value for the whole warp, as far as a compiler can see.

Data flow only: a register is uniform when every definition computes it from uniform things. Thread
indices, loads from anything but parameters and constants, atomics, shuffles and calls are not.
"""

from __future__ import annotations

from trainer.ptx.flow import reads, writes
from trainer.ptx.module import Body, Instruction, Operand, Register, Special, Vector

_PER_LANE = ("tid", "laneid", "lanemask", "warpid", "clock", "globaltimer")
_OPAQUE = frozenset({"atom", "shfl", "call", "match", "ldmatrix", "activemask", "elect"})


def _has_lane_special(operand: Operand) -> bool:
    if isinstance(operand, Vector):
        return any(_has_lane_special(item) for item in operand.elements)
    return isinstance(operand, Special) and operand.name.lstrip("%").startswith(_PER_LANE)


def _is_source_of_difference(instruction: Instruction) -> bool:
    if instruction.op in _OPAQUE:
        return True
    if instruction.op == "ld":
        return not {"param", "const"} & set(instruction.modifiers)
    return any(_has_lane_special(operand) for operand in instruction.operands)


def varying_registers(body: Body) -> frozenset[str]:
    """Names of the registers that may differ between the lanes of a warp."""
    varying: set[str] = set()
    waiting = True
    while waiting:
        waiting = False
        for instruction in body.instructions:
            defined = [r.name for r in writes(instruction) if r.name not in varying]
            if not defined:
                continue
            if _is_source_of_difference(instruction) or any(r.name in varying for r in reads(instruction)):
                varying.update(defined)
                waiting = True
    return frozenset(varying)


def is_uniform(operand: Operand, varying: frozenset[str]) -> bool:
    """Whether an address or value is the same in all lanes, given `varying_registers` of its body."""
    if isinstance(operand, Register):
        return operand.name not in varying
    base = getattr(operand, "base", None)
    if isinstance(base, Register):
        return base.name not in varying
    return not _has_lane_special(operand)
