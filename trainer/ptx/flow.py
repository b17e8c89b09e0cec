"""Control flow of a function: basic blocks, which operands an instruction reads and writes, liveness.

Blocks are numbered in program order; the number is the program counter that the scheduler compares.
Barriers, calls and traps end a block, so that a warp can stop between blocks and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trainer.errors import Location, UnsupportedError
from trainer.ptx.module import (
    Address,
    Body,
    CallTarget,
    Instruction,
    Negated,
    Operand,
    Pair,
    Register,
    Symbol,
    Vector,
)

NO_DESTINATION = frozenset(
    "st red bra brx ret exit trap brkpt membar fence cp stmatrix nanosleep prefetch prefetchu setmaxnreg "
    "griddepcontrol call stackrestore pmevent discard applypriority tensormap bar barrier".split()
)
_EXITS = frozenset(("ret", "exit"))
_JUMPS = frozenset(("bra", "brx", "ret", "exit"))


def ends_block(instruction: Instruction) -> bool:
    """Whether control may leave, or the warp may stop, after this instruction."""
    op = instruction.op
    if op in _JUMPS or op == "call" or op == "trap":
        return True
    return op in ("bar", "barrier") and is_block_barrier(instruction)


def is_indirect_call(instruction: Instruction) -> bool:
    """A call through a register starts a block, so that lanes with another callee can come back to it."""
    if instruction.op != "call":
        return False
    target = instruction.operands[0]
    return isinstance(target, CallTarget) and isinstance(target.callee, Register)


def is_block_barrier(instruction: Instruction) -> bool:
    """`bar.sync`, `barrier.sync`, `bar.arrive`, `bar.red`, but not `bar.warp.sync` or cluster barriers."""
    return instruction.op in ("bar", "barrier") and not {"warp", "cluster"} & set(instruction.modifiers)


def has_destination(instruction: Instruction) -> bool:
    """Whether the first operand is written."""
    if instruction.op == "wmma" and "store" in instruction.modifiers:
        return False
    if instruction.op in NO_DESTINATION:
        return False
    return bool(instruction.operands) and not isinstance(instruction.operands[0], Address)


def registers_of(operand: Operand) -> Iterator[Register]:
    """All registers in an operand, addresses included."""
    if isinstance(operand, Register):
        yield operand
    elif isinstance(operand, Address):
        if isinstance(operand.base, Register):
            yield operand.base
        for part in operand.coordinates:
            yield from registers_of(part)
    elif isinstance(operand, Vector):
        for part in operand.elements:
            yield from registers_of(part)
    elif isinstance(operand, Pair):
        yield from registers_of(operand.first)
        yield from registers_of(operand.second)
    elif isinstance(operand, Negated):
        yield operand.register
    elif isinstance(operand, CallTarget):
        if isinstance(operand.callee, Register):
            yield operand.callee
        for part in operand.arguments:
            yield from registers_of(part)


def writes(instruction: Instruction) -> tuple[Register, ...]:
    """Registers that the instruction writes."""
    if not has_destination(instruction):
        return ()
    first = instruction.operands[0]
    return (first,) if isinstance(first, Register) else tuple(registers_of(first))


def reads(instruction: Instruction) -> tuple[Register, ...]:
    """Registers that the instruction reads; a guarded write also reads what it may keep."""
    found: list[Register] = []
    skip = 1 if has_destination(instruction) else 0
    if skip and (instruction.predicate is not None or instruction.op == "wgmma"):
        skip = 0
    for operand in instruction.operands[skip:]:
        if isinstance(operand, Register):
            found.append(operand)
        else:
            found.extend(registers_of(operand))
    if instruction.predicate is not None:
        found.append(instruction.predicate.register)
    return tuple(found)


@dataclass(frozen=True)
class Block:
    """Instructions [start, end) and the numbers of the blocks that may follow."""

    number: int
    start: int
    end: int
    successors: tuple[int, ...]
    live_in: frozenset[Register]
    live_out: frozenset[Register]
    exits: bool  # nothing but an unguarded `ret` or `exit`


@dataclass(frozen=True)
class Flow:
    """The blocks of one body, and which block a label starts."""

    body: Body
    blocks: tuple[Block, ...]
    label_block: dict[str, int]

    def instructions(self, block: Block) -> tuple[Instruction, ...]:
        return self.body.instructions[block.start : block.end]


def targets(body: Body, instruction: Instruction) -> tuple[str, ...]:
    """Labels that a `bra` or `brx.idx` may jump to."""
    if instruction.op == "brx":
        table = instruction.operands[-1]
        if isinstance(table, Symbol):
            return body.branch_targets[table.name]
    else:
        label = instruction.operands[0]
        if isinstance(label, Symbol) and label.name in body.labels:
            return (label.name,)
    where = Location("source", instruction.line)
    raise UnsupportedError(f"branch without a known target: {instruction.text}", where=where)


def analyse(body: Body) -> Flow:
    """Blocks, successors and liveness of `body`."""
    code = body.instructions
    leaders = {0, *body.labels.values()}
    leaders.update(k + 1 for k, instruction in enumerate(code) if ends_block(instruction))
    leaders.update(k for k, instruction in enumerate(code) if is_indirect_call(instruction))
    starts = sorted(s for s in leaders if s < len(code))
    number = {start: k for k, start in enumerate(starts)}
    ends = [*starts[1:], len(code)]
    label_block = {name: number.get(index, len(starts)) for name, index in body.labels.items()}
    successors = [_successors(body, code[end - 1], k, len(starts), label_block) for k, end in enumerate(ends)]
    live_in, live_out = _liveness(code, starts, ends, successors)
    blocks = []
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        first = code[start]
        exits = first.op in _EXITS and first.predicate is None
        blocks.append(Block(k, start, end, successors[k], live_in[k], live_out[k], exits))
    return Flow(body, tuple(blocks), label_block)


def _successors(body: Body, last: Instruction, k: int, count: int, labels: dict[str, int]) -> tuple[int, ...]:
    following = (k + 1,) if k + 1 < count else ()
    if last.op in _EXITS:
        return following if last.predicate else ()
    if last.op in ("bra", "brx"):
        jumps = tuple(dict.fromkeys(labels[t] for t in targets(body, last) if labels[t] < count))
        return tuple(dict.fromkeys(jumps + following)) if last.predicate else jumps
    return following


def _liveness(
    code: tuple[Instruction, ...], starts: list[int], ends: list[int], successors: list[tuple[int, ...]]
) -> tuple[list[frozenset[Register]], list[frozenset[Register]]]:
    """Backward data flow over bit sets (Python integers), one bit a register."""
    bits: dict[str, int] = {}
    names: list[Register] = []

    def bit(register: Register) -> int:
        found = bits.get(register.name)
        if found is None:
            found = bits[register.name] = 1 << len(names)
            names.append(register)
        return found

    uses, kills = [], []
    for start, end in zip(starts, ends, strict=True):
        use = kill = 0
        for instruction in code[start:end]:
            for register in reads(instruction):
                use |= bit(register) & ~kill
            for register in writes(instruction):
                kill |= bit(register)
        uses.append(use)
        kills.append(kill)
    into = list(uses)
    out = [0] * len(starts)
    changed = True
    while changed:
        changed = False
        for k in range(len(starts) - 1, -1, -1):
            after = 0
            for s in successors[k]:
                after |= into[s]
            before = uses[k] | (after & ~kills[k])
            if after != out[k] or before != into[k]:
                out[k], into[k], changed = after, before, True

    def expand(mask: int) -> frozenset[Register]:
        found = []
        while mask:
            low = mask & -mask
            found.append(names[low.bit_length() - 1])
            mask ^= low
        return frozenset(found)

    return [expand(m) for m in into], [expand(m) for m in out]
