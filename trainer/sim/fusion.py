"""Which shared-memory accesses ptxas turns into one wider access.

Hardware counters see SASS, and SASS has fewer shared accesses than PTX. Within one basic block,
unguarded, non-volatile loads (or stores) of one width at constant distances, whose address is provably
aligned, become one access per aligned group of 16 or 8 bytes, as long as nothing in between is a
barrier, an atomic, a shuffle, a write to the base register or a shared access of the other kind:

* four-byte loads: 16 bytes if at least three of the four words are wanted, else 8 bytes if a whole
  half is; four-byte stores must fill the group, since a store must not write more than was asked;
* eight-byte accesses: 16 bytes if both halves are there. Narrower ones are left alone.

Checked against the code that ptxas 13.0 writes for sm_90 and whole kernels counted on an H200.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trainer.ptx.flow import Flow, writes
from trainer.ptx.module import Address, Instruction, Operand
from trainer.ptx.types import TYPES
from trainer.sim.alignment import Alignment
from trainer.sim.linear import LinearForms, Root, mentions

_STOPS = frozenset(
    {"bar", "barrier", "atom", "red", "shfl", "membar", "fence", "call", "redux", "vote", "match"}
)
GROUP = 16


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
    position: int  # of its first byte, relative to the aligned group grid
    width: int
    known_bits: int


def fused_accesses(flow: Flow, symbols: Mapping[str, int]) -> tuple[Fused, ...]:
    """All fused accesses of a kernel; `symbols` are the offsets of its shared variables."""
    alignment = Alignment(flow.body, symbols)
    forms = LinearForms(flow.body, symbols)
    found: list[Fused] = []
    for block in flow.blocks:
        for store, run in _runs(flow.instructions(block), forms):
            found.extend(_fuse(list(_candidates(run, alignment)), store))
    return tuple(found)


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
    vector = next((int(m[1]) for m in instruction.modifiers if m in ("v2", "v4", "v8")), 1)
    return TYPES[type_name(instruction)].bytes * vector


@dataclass(frozen=True)
class _Access:
    """A plain access: its instruction, the base register or symbol, and its distance from the root."""

    instruction: Instruction
    base: Operand
    constant: int  # of the base
    offset: int  # of the instruction


def _runs(code: Iterable[Instruction], forms: LinearForms) -> Iterator[tuple[bool, list[_Access]]]:
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
                access = _Access(instruction, address.base, form.constant, address.offset)
                open_runs.setdefault((store, form.root), []).append(access)
        for register in writes(instruction):
            if register.name in forms.several:
                close([key for key in open_runs if mentions(key[1], register.name)])
    close(list(open_runs))
    yield from done


def _candidates(run: list[_Access], alignment: Alignment) -> Iterator[_Candidate]:
    for access in run:
        base = alignment.known(access.base)
        if base is None:
            continue
        low = base.low(4)
        residue = (low.value - access.constant) % (1 << low.bits)  # of the root
        position = residue + access.constant + access.offset
        yield _Candidate(access.instruction.index, position, access_width(access.instruction), low.bits)


def _fuse(candidates: list[_Candidate], store: bool) -> Iterator[Fused]:
    groups: dict[tuple[int, int], dict[int, _Candidate]] = {}
    for candidate in candidates:
        if candidate.width in (4, 8) and candidate.position % candidate.width == 0:
            slots = groups.setdefault((candidate.width, candidate.position // GROUP), {})
            slots.setdefault(candidate.position % GROUP, candidate)
    for (width, number), slots in groups.items():
        yield from _fuse_group(width, number * GROUP, slots, store)


def _fuse_group(width: int, start: int, slots: dict[int, _Candidate], store: bool) -> Iterator[Fused]:
    bits = min(candidate.known_bits for candidate in slots.values())
    enough = GROUP // width if store or width == 8 else 3
    if bits >= 4 and len(slots) >= enough:
        yield _fused(slots, range(0, GROUP, width), start, GROUP)
        return
    if width == 4 and bits >= 3:
        for half in (0, 8):
            if half in slots and half + 4 in slots:
                yield _fused(slots, (half, half + 4), start + half, 8)


def _fused(slots: dict[int, _Candidate], wanted: Iterable[int], start: int, width: int) -> Fused:
    members = [slots[position] for position in wanted if position in slots]
    return Fused(tuple(member.index for member in members), width, start - members[0].position)
