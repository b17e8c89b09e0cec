"""What can be known of a kernel before it runs: where it writes, and how it synchronises.

Races in global memory need reads to be tracked, which is slow, so they are tracked only in allocations
that the kernel may also write: those reached from the pointer parameters that its stores use.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trainer.ptx.flow import has_destination, writes
from trainer.ptx.module import Address, Function, Immediate, Instruction, Operand, Register, Symbol

_ANYTHING = -1  # a pointer loaded from memory, or one that a device function was given
_FENCE_SCOPES = frozenset({"gl", "gpu", "sys", "cluster"})
_POINTER_OPS = frozenset("mov cvta cvt add sub mad mul selp and or shl min max".split(" "))
_ORDERED_LOADS = frozenset({"volatile", "acquire", "relaxed", "mmio"})


@dataclass(frozen=True)
class KernelFacts:
    """`written` are byte offsets of pointer parameters, `symbols` module variables that are written."""

    written: frozenset[int]
    symbols: frozenset[str]
    writes_anywhere: bool
    synchronises_blocks: bool  # fences and atomics: order between blocks is the kernel's own business
    synchronises_warps: bool  # has a __syncwarp somewhere
    orders_shared: bool  # locks, or flags with fences, in shared memory: warps wait for each other there
    locks_global: bool  # takes (cas) and returns (exch) locks in global memory, with fences
    opaque_shared: bool  # shared memory is also filled by engines that are not watched


def _is_global(instruction: Instruction) -> bool:
    return not {"shared", "shared::cta", "local", "param", "const"} & set(instruction.modifiers)


def _stores(instruction: Instruction) -> bool:
    return instruction.op in ("st", "red", "atom") and _is_global(instruction)


def _orders_blocks(instruction: Instruction) -> bool:
    """A fence, or an access that releases or acquires, beyond the block (grid.sync() has only those)."""
    present = set(instruction.modifiers)
    if instruction.op in ("membar", "fence"):
        return bool(_FENCE_SCOPES & present)
    return bool({"release", "acquire", "acq_rel"} & present) and bool({"gpu", "sys"} & present)


def facts_of(functions: Iterable[Function]) -> KernelFacts:
    """Facts of a kernel from its entry function and all device functions that it may call."""
    origins: set[int | str] = set()
    code: list[Instruction] = []
    for function in functions:
        if function.body is not None:
            origins |= _written_origins(function)
            code.extend(function.body.instructions)
    meetings = [
        i for i in code if i.op in ("atom", "red") or (i.op == "ld" and _ORDERED_LOADS & set(i.modifiers))
    ]
    fenced = any(i.op in ("membar", "fence") for i in code)
    exchanges = [m for i in code if i.op == "atom" and _is_global(i) for m in i.modifiers]
    clusters = any(i.op in ("bar", "barrier") and "cluster" in i.modifiers for i in code)
    return KernelFacts(
        written=frozenset(o for o in origins if isinstance(o, int) and o != _ANYTHING),
        symbols=frozenset(o for o in origins if isinstance(o, str)),
        writes_anywhere=_ANYTHING in origins,
        synchronises_blocks=clusters
        or (any(map(_orders_blocks, code)) and any(map(_is_global, meetings))),
        synchronises_warps=any(i.op in ("bar", "barrier") and "warp" in i.modifiers for i in code),
        orders_shared=any(
            not _is_global(i) and (fenced or {"cas", "exch"} & set(i.modifiers)) for i in meetings
        ),
        locks_global=fenced and {"cas", "exch"} <= set(exchanges),
        opaque_shared=any(
            i.op in ("mbarrier", "tcgen05") or (i.op == "cp" and "bulk" in i.modifiers) for i in code
        ),
    )


def _written_origins(function: Function) -> set[int | str]:
    """Where the pointers of a function's global stores come from."""
    assert function.body is not None
    code = function.body.instructions
    origins: dict[str, set[int | str]] = {}
    changed = True
    while changed:
        changed = False
        for instruction in code:
            for register in writes(instruction):
                found = _origins_of(function, instruction, origins) if register.type.bits == 64 else set()
                known = origins.setdefault(register.name, set())
                if not found <= known:
                    known |= found
                    changed = True
    result: set[int | str] = set()
    for instruction in code:
        if _stores(instruction):
            address = next((o for o in instruction.operands if isinstance(o, Address)), None)
            if address is not None:
                result |= _of_operand(address.base, origins) or {_ANYTHING}
    return result


def _of_operand(operand: Operand, origins: dict[str, set[int | str]]) -> set[int | str]:
    if isinstance(operand, Register):
        return origins.get(operand.name, set())
    if isinstance(operand, Symbol):
        return {operand.name}
    return set()


def _origins_of(
    function: Function, instruction: Instruction, origins: dict[str, set[int | str]]
) -> set[int | str]:
    if instruction.op == "ld" and "param" in instruction.modifiers:
        address = instruction.operands[1]
        own = {p.name for p in function.parameters} if function.is_entry else set()
        # what is not the kernel's own holds the result of a function that it called
        if isinstance(address, Address) and isinstance(address.base, Symbol) and address.base.name in own:
            offset = function.parameter_offset(address.base.name)
            return {offset + address.base.offset + address.offset}
        return {_ANYTHING}
    if instruction.op in ("ld", "call", "shfl", "atom"):
        return {_ANYTHING}
    if instruction.op not in _POINTER_OPS or not has_destination(instruction):
        return set()
    found: set[int | str] = set()
    for operand in instruction.operands[1:]:
        if not isinstance(operand, Immediate):
            found |= _of_operand(operand, origins)
    return found
