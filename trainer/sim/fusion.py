"""Which memory accesses ptxas turns into one wider access.

Hardware counters see SASS, and SASS has fewer shared accesses than PTX. Within one basic block,
unguarded, non-volatile loads (or stores) of one width at constant distances, whose address is provably
aligned, become one access per aligned group of 16 or 8 bytes, as long as nothing in between is a
barrier, an atomic, a shuffle, a write to the base register or a shared access of the other kind:

* four-byte loads: 16 bytes if at least three of the four words are wanted, else 8 bytes if a whole
  half is; four-byte stores must fill the group, since a store must not write more than was asked;
* eight-byte accesses: 16 bytes if both halves are there. Narrower ones are left alone;
* a load whose bytes a wider load of the same stretch brings anyway is not done again, and of a store
  and another to the same place, under a condition that follows, one is left.

Global accesses join by the same widths within one basic block, where a vector access at a constant
distance proves the alignment: the members of a struct beside its `float4` or `float2`. Loads and
stores of other cache operators stay apart.

Checked against the code that ptxas 13.0 writes for sm_90 and whole kernels counted on an H200.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trainer.ptx.flow import Block, Flow, writes
from trainer.ptx.module import Address, Instruction, Operand
from trainer.ptx.types import TYPES
from trainer.sim.alignment import Alignment
from trainer.sim.linear import LinearForms, Root, mentions

_STOPS = frozenset(
    {"bar", "barrier", "atom", "red", "shfl", "membar", "fence", "call", "redux", "vote", "match"}
)
_VECTORS = frozenset({"v2", "v4", "v8"})
_ELSEWHERE = frozenset({"shared", "shared::cta", "local", "param", "const"})
_ORDERED = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})
GROUP = 16
SHORT = 16  # instructions of a block that ptxas guards rather than jumps over


@dataclass(frozen=True)
class Fused:
    """One hardware access: the PTX instructions it stands for, and its width in bytes.

    `offset` is where the access starts, relative to the address of the first of `members`.
    """

    members: tuple[int, ...]  # instruction indices
    width: int
    offset: int


@dataclass(frozen=True)
class _Candidate:
    index: int
    block: int
    position: int  # of its first byte, relative to the aligned group grid
    width: int
    known_bits: int


def fused_accesses(flow: Flow, symbols: Mapping[str, int]) -> tuple[Fused, ...]:
    """All fused accesses of a kernel; `symbols` are the offsets of its shared variables."""
    alignment = Alignment(flow.body, symbols)
    forms = LinearForms(flow.body, symbols)
    found: list[Fused] = []
    block_of = {i.index: block.number for block in flow.blocks for i in flow.instructions(block)}
    for code in _straight_code(flow):
        for store, run in _runs(code, forms, block_of):
            found.extend(_fuse(list(_candidates(run, alignment)), store))
    for block in flow.blocks:
        for store, run in _global_runs(flow.instructions(block), forms, block.number):
            found.extend(_fuse_proven(list(_proven_candidates(run)), store))
    return tuple(found)


def _straight_code(flow: Flow) -> Iterator[list[Instruction]]:
    """Basic blocks, each with the short ones that it falls through to unless a condition holds.

    ptxas turns such branches into guards and loads early: the last one to three rounds of a loop that
    was unrolled by four are `if (rest > 0) ... if (rest > 1) ...`, and become one access.
    """
    entered = Counter(s for block in flow.blocks for s in block.successors)
    swallowed: set[int] = set()
    for block in flow.blocks:
        if block.number in swallowed:
            continue
        code = list(flow.instructions(block))
        last = block
        while _falls_through(last, code) and entered[last.number + 1] == 1:
            following = flow.blocks[last.number + 1]
            more = flow.instructions(following)
            if len(more) > SHORT or any(map(_forbids_guards, more)):
                break
            code.extend(more)
            swallowed.add(following.number)
            last = following
        yield code


def _forbids_guards(instruction: Instruction) -> bool:
    if instruction.op in ("bar", "barrier", "call"):
        return True
    return instruction.op == "st" and not shared_access(instruction)


def _falls_through(block: Block, code: list[Instruction]) -> bool:
    """Whether a block ends with a guarded forward branch, so that the next one may follow."""
    if not code or code[-1].op != "bra" or code[-1].predicate is None:
        return False
    return block.number + 1 in block.successors and all(s > block.number for s in block.successors)


def shared_access(instruction: Instruction) -> bool:
    """Whether this is a plain load or store of the shared space."""
    return instruction.op in ("ld", "st") and any(m.startswith("shared") for m in instruction.modifiers)


def _address(instruction: Instruction) -> Address | None:
    operand = instruction.operands[0 if instruction.op == "st" else 1]
    return operand if isinstance(operand, Address) else None


def type_name(instruction: Instruction) -> str:
    """The type an instruction names last: the one it moves."""
    return next((m for m in reversed(instruction.modifiers) if m in TYPES), "b32")


def access_width(instruction: Instruction) -> int:
    """Bytes per lane of a plain load or store."""
    vector = next((int(m[1]) for m in instruction.modifiers if m in _VECTORS), 1)
    return TYPES[type_name(instruction)].bytes * vector


@dataclass(frozen=True)
class _Access:
    """A plain access: its instruction, the base register or symbol, and its distance from the root."""

    instruction: Instruction
    block: int
    base: Operand
    constant: int  # of the base
    offset: int  # of the instruction


def _runs(
    code: Iterable[Instruction], forms: LinearForms, block_of: Mapping[int, int]
) -> Iterator[tuple[bool, list[_Access]]]:
    """Maximal runs of accesses with one root that nothing interrupts: (is it stores?, accesses)."""
    open_runs: dict[tuple[bool, Root], list[_Access]] = {}
    done: list[tuple[bool, list[_Access]]] = []

    def close(keys: list[tuple[bool, Root]]) -> None:
        done.extend((key[0], open_runs.pop(key)) for key in keys)

    for instruction in code:
        if instruction.op in _STOPS:
            close(list(open_runs))
        elif shared_access(instruction):
            store = instruction.op == "st"
            close([key for key in open_runs if key[0] != store])
            address = _address(instruction)
            plain = instruction.predicate is None and "volatile" not in instruction.modifiers
            if address is not None and plain:
                form = forms.of(address.base)
                block = block_of[instruction.index]
                access = _Access(instruction, block, address.base, form.constant, address.offset)
                open_runs.setdefault((store, form.root), []).append(access)
        for register in writes(instruction):
            if register.name in forms.several:
                close([key for key in open_runs if mentions(key[1], register.name)])
    close(list(open_runs))
    yield from done


def _global_runs(
    code: Iterable[Instruction], forms: LinearForms, block: int
) -> Iterator[tuple[bool, list[_Access]]]:
    """Runs of global accesses of one kind with one root, as `_runs` for shared ones."""
    open_runs: dict[tuple[bool, frozenset[str], Root], list[_Access]] = {}
    done: list[tuple[bool, list[_Access]]] = []

    def close(keys: list[tuple[bool, frozenset[str], Root]]) -> None:
        done.extend((key[0], open_runs.pop(key)) for key in keys)

    for instruction in code:
        address = _address(instruction) if instruction.op in ("ld", "st") else None
        kind = frozenset(m for m in instruction.modifiers if m not in TYPES and m not in _VECTORS)
        if instruction.op in _STOPS:
            close(list(open_runs))
        elif address is not None and not kind & _ELSEWHERE:
            store = instruction.op == "st"
            close([key for key in open_runs if key[0] != store and "nc" not in key[1]])
            if "global" in kind and instruction.predicate is None and not kind & _ORDERED:
                form = forms.of(address.base)
                access = _Access(instruction, block, address.base, form.constant, address.offset)
                open_runs.setdefault((store, kind, form.root), []).append(access)
        for register in writes(instruction):
            if register.name in forms.several:
                close([key for key in open_runs if mentions(key[2], register.name)])
    close(list(open_runs))
    yield from done


def _proven_candidates(run: list[_Access]) -> Iterator[_Candidate]:
    """The accesses of a run, if a vector among them says how its root is aligned."""
    vectors = [a for a in run if any(m in _VECTORS for m in a.instruction.modifiers)]
    widest = max(vectors, key=lambda a: access_width(a.instruction), default=None)
    if widest is None or access_width(widest.instruction) not in (8, GROUP):
        return
    proven = access_width(widest.instruction)
    residue = -(widest.constant + widest.offset) % proven
    for access in run:
        position = residue + access.constant + access.offset
        width = access_width(access.instruction)
        yield _Candidate(access.instruction.index, access.block, position, width, proven.bit_length() - 1)


def _candidates(run: list[_Access], alignment: Alignment) -> Iterator[_Candidate]:
    for access in run:
        base = alignment.known(access.base)
        if base is None:
            continue
        low = base.low(4)
        residue = (low.value - access.constant) % (1 << low.bits)  # of the root
        position = residue + access.constant + access.offset
        width = access_width(access.instruction)
        yield _Candidate(access.instruction.index, access.block, position, width, low.bits)


def _fuse_proven(candidates: list[_Candidate], store: bool) -> Iterator[Fused]:
    """As `_fuse`; and halves of 16 bytes that are not of one width join if loaded, never if stored."""
    groups: dict[int, list[_Candidate]] = {}
    for candidate in candidates:
        if candidate.width in (4, 8) and candidate.known_bits >= 4:
            groups.setdefault(candidate.position // GROUP, []).append(candidate)
    mixed = {number for number, members in groups.items() if len({m.width for m in members}) > 1}
    for number in () if store else mixed:
        members = sorted(groups[number], key=lambda member: member.index)
        yield Fused(tuple(m.index for m in members), GROUP, number * GROUP - members[0].position)
    yield from _fuse([c for c in candidates if c.width == GROUP or c.position // GROUP not in mixed], store)


@dataclass
class _Wide:
    """A hardware access in the making: [start, start + width) and what it stands for."""

    start: int
    width: int
    members: list[_Candidate]


def _fuse(candidates: list[_Candidate], store: bool) -> Iterator[Fused]:
    groups: dict[tuple[int, int, int], dict[int, _Candidate]] = {}
    alone: list[_Candidate] = []
    for candidate in candidates:
        grouped = candidate.width in (4, 8) and candidate.position % candidate.width == 0
        # what is stored under a condition cannot be stored early, what is loaded can
        key = (candidate.width, candidate.position // GROUP, candidate.block if store else 0)
        slots = groups.setdefault(key, {}) if grouped else {}
        if grouped and candidate.position % GROUP not in slots:
            slots[candidate.position % GROUP] = candidate
        else:
            alone.append(candidate)
    found = [_Wide(c.position, c.width, [c]) for c in alone]
    for (width, number, _), slots in groups.items():
        found.extend(_fuse_group(width, number * GROUP, slots, store))
    for wide in _with_last_values(found) if store else _without_repeats(found):
        if len(wide.members) > 1:
            first = min(wide.members, key=lambda member: member.index)
            members = tuple(sorted(member.index for member in wide.members))
            yield Fused(members, wide.width, wide.start - first.position)


def _fuse_group(width: int, start: int, slots: dict[int, _Candidate], store: bool) -> Iterator[_Wide]:
    """The accesses that one aligned group of 16 bytes takes."""
    bits = min(candidate.known_bits for candidate in slots.values())
    enough = GROUP // width if store or width == 8 else 3
    if bits >= 4 and len(slots) >= enough:
        yield _Wide(start, GROUP, list(slots.values()))
        return
    for half in (0, 8):
        pair = [slots[at] for at in range(half, half + 8, width) if at in slots]
        if width == 4 and bits >= 3 and len(pair) == 2:
            yield _Wide(start + half, 8, pair)
        else:
            yield from (_Wide(c.position, c.width, [c]) for c in pair)


def _without_repeats(found: list[_Wide]) -> list[_Wide]:
    """Loads whose bytes a wider one brings anyway are not done again."""
    kept: list[_Wide] = []
    for wide in sorted(found, key=lambda w: -w.width):
        covering = next(
            (
                k
                for k in kept
                if k.width > wide.width
                and k.start <= wide.start
                and wide.start + wide.width <= k.start + k.width
            ),
            None,
        )
        if covering is None:
            kept.append(wide)
        else:
            covering.members.extend(wide.members)
    return kept


def _with_last_values(found: list[_Wide]) -> list[_Wide]:
    """A store that a guarded one may overwrite at once is left out: ptxas stores what is valid in the end."""
    kept: dict[tuple[int, int], _Wide] = {}
    for wide in found:
        first = kept.setdefault((wide.start, wide.width), wide)
        if first is not wide:
            first.members.extend(wide.members)
    return list(kept.values())
