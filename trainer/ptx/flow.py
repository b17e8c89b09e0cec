"""Control flow of a function: basic blocks, which operands an instruction reads and writes, liveness.

Blocks are numbered so that every block comes after all that can still lead to it (loops in one piece,
program order otherwise): the number is the program counter that the scheduler compares, so lanes that are
ahead wait where the others will join them. Compilers put a rare path behind the place where it joins.
Barriers, calls and traps end a block, so that a warp can stop between blocks and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

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
_COLLECTIVES = frozenset(("shfl", "vote", "match", "redux", "elect"))
_ORDERED = frozenset(("volatile", "acquire", "relaxed", "mmio"))
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


def meets_warp(instruction: Instruction) -> bool:
    """A collective that lanes of a warp wait for each other at."""
    if instruction.op in ("bar", "barrier"):
        return "warp" in instruction.modifiers
    return instruction.op in _COLLECTIVES and "sync" in instruction.modifiers


def may_wait(body: Body) -> bool:
    """Whether a loop reads memory in a way that other threads can change: it may wait for them."""
    code = body.instructions
    for index, instruction in enumerate(code):
        first = instruction.operands[0] if instruction.op == "bra" else None
        start = body.labels.get(first.name, index + 1) if isinstance(first, Symbol) else index + 1
        if start <= index and any(map(_sees_others, code[start : index + 1])):
            return True
    return False


def _sees_others(instruction: Instruction) -> bool:
    if instruction.op in ("atom", "mbarrier", "nanosleep", "call"):
        return True
    return instruction.op == "ld" and not _ORDERED.isdisjoint(instruction.modifiers)


def polls(loop: Sequence[Instruction]) -> bool:
    """Whether a loop does nothing but look at memory until another thread changes it: it counts nothing."""
    return any(map(_sees_others, loop)) and not any(map(_works, loop))


def _works(instruction: Instruction) -> bool:
    if instruction.op == "atom":
        return not {"cas", "exch"} & set(instruction.modifiers)
    if instruction.op == "ld":
        return "param" not in instruction.modifiers and _ORDERED.isdisjoint(instruction.modifiers)
    if instruction.op in ("add", "sub"):
        return instruction.operands[0] in instruction.operands[1:]
    return instruction.op in ("st", "red", "call", "bar", "barrier", "cp")


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
    following: int  # number of the block that comes next in the text; the count of blocks after the last


@dataclass(frozen=True)
class Flow:
    """The blocks of one body, and which block a label starts."""

    body: Body
    blocks: tuple[Block, ...]
    label_block: dict[str, int]
    waits: bool = False  # see `may_wait`

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
    waits = may_wait(body)
    if waits:  # lanes may be picked out of order: they must be able to stop right before a collective
        leaders.update(k for k, instruction in enumerate(code) if meets_warp(instruction))
    starts = sorted(s for s in leaders if s < len(code))
    number = {start: k for k, start in enumerate(starts)}
    ends = [*starts[1:], len(code)]
    count = len(starts)
    text_labels = {name: number.get(index, count) for name, index in body.labels.items()}
    textual = [_successors(body, code[end - 1], k, count, text_labels) for k, end in enumerate(ends)]
    live_in, live_out = _liveness(code, starts, ends, textual)
    order = convergent_order(textual)
    renumbered = {k: new for new, k in enumerate(order)} | {count: count}
    blocks = []
    for k in order:
        first = code[starts[k]]
        blocks.append(
            Block(
                number=renumbered[k],
                start=starts[k],
                end=ends[k],
                successors=tuple(renumbered[s] for s in textual[k]),
                live_in=live_in[k],
                live_out=live_out[k],
                exits=first.op in _EXITS and first.predicate is None,
                following=renumbered[k + 1],
            )
        )
    return Flow(body, tuple(blocks), {name: renumbered[k] for name, k in text_labels.items()}, waits)


def convergent_order(successors: list[tuple[int, ...]]) -> list[int]:
    """Blocks such that each comes before what it leads to, but for the edges back to the head of a loop.

    Strongly connected components in topological order, the earliest in the text first; a component is a
    loop, whose head leads and whose rest is ordered likewise.
    """
    order: list[int] = []
    pending: list[tuple[set[int], int | None]] = [(set(range(len(successors))), None)]
    while pending:
        nodes, head = pending.pop()
        if head is not None:
            order.append(head)
        inner = {k: [s for s in successors[k] if s in nodes] for k in nodes}
        pieces = _topological(_components(inner), inner)
        for piece in reversed(pieces):
            if len(piece) == 1 and not (set(successors[piece[0]]) & set(piece)):
                pending.append((set(), piece[0]))
            else:
                head = _head(piece, successors)
                pending.append((set(piece) - {head}, head))
    return order


def _head(loop: list[int], successors: list[tuple[int, ...]]) -> int:
    """Where a loop is entered: the first block in the text that something outside leads to."""
    inside = set(loop)
    entered = {s for k, after in enumerate(successors) if k not in inside for s in after if s in inside}
    return min(entered or inside)


def _components(graph: dict[int, list[int]]) -> list[list[int]]:
    """Tarjan's strongly connected components, without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            step = next(rest, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    piece: list[int] = []
                    while not piece or piece[-1] != node:
                        piece.append(stack.pop())
                        on_stack.discard(piece[-1])
                    found.append(piece)
            elif step not in index:
                index[step] = low[step] = len(index)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(graph[step])))
            elif step in on_stack:
                low[node] = min(low[node], index[step])
    return found


def _topological(pieces: list[list[int]], graph: dict[int, list[int]]) -> list[list[int]]:
    """Components in topological order; among those that are ready, the earliest in the text."""
    owner = {k: number for number, piece in enumerate(pieces) for k in piece}
    edges = [{owner[s] for k in piece for s in graph[k]} - {number} for number, piece in enumerate(pieces)]
    waiting = [0] * len(pieces)
    for after in edges:
        for number in after:
            waiting[number] += 1
    ready = [(min(pieces[n]), n) for n, count in enumerate(waiting) if count == 0]
    heapify(ready)
    order = []
    while ready:
        _, number = heappop(ready)
        order.append(pieces[number])
        for other in edges[number]:
            waiting[other] -= 1
            if waiting[other] == 0:
                heappush(ready, (min(pieces[other]), other))
    return order


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
