"""What shared and global atomics cost.

Measured on an H200 (tests/data/hardware/special_access_patterns.json).

Shared, native 32-bit integer operations: one instruction; as many wavefronts as active lanes (not
words) share the busiest bank. Compare-and-swap: twice that. What has no native instruction (float
add, every 64-bit operation) is a loop around a compare-and-swap in which each bank lets one lane
through per round; 64-bit lanes go by half-warps, and a half-warp whose lanes all lose to the other
half, or have finished, still costs one wavefront.

Adding the constant 1 without using the result is counting (ATOMS.POPC.INC in SASS): lanes on one word
are merged, so that only different words of one bank wait for each other, as in a load.

Global: the sum over the touched sectors of the largest number of lanes on one address in it.

Where the compiler sees that one address serves the whole warp it combines the lanes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.ptx.types import TYPES
from trainer.sim.banks import BANKS, WORD, wavefronts
from trainer.sim.coalescing import SECTOR
from trainer.sim.lanes import WARP, Addresses, Counts, Flags, active_lanes, as_rows, largest_bin

_NATIVE_TYPES = frozenset({"u32", "s32", "b32"})
_COMBINED_WITH_RESULT = frozenset({"add"})
_COMBINED_WITHOUT_RESULT = frozenset({"add", "min", "max", "and", "or", "xor", "inc", "dec"})


@dataclass(frozen=True)
class SharedCost:
    """Per request: atomic instructions issued and wavefronts, both (n,)."""

    instructions: Counts
    wavefronts: Counts


def width_of(kind: str) -> int:
    """Bytes of a PTX type such as "u32", "f32", "b64", "f16x2"."""
    return TYPES[kind].bytes


def is_combined(op: str, kind: str, *, uniform: bool, result_used: bool) -> bool:
    """Whether ptxas reduces over the warp first, so that one lane does the access.

    `uniform`: the compiler can see that all lanes use one address. Only 32-bit integers.
    """
    allowed = _COMBINED_WITH_RESULT if result_used else _COMBINED_WITHOUT_RESULT
    return uniform and kind in _NATIVE_TYPES and op in allowed


def is_counting(op: str, kind: str, value: int | None, *, result_used: bool) -> bool:
    """Whether ptxas makes a shared atomic an instruction that counts lanes. `value`: where it is a constant.

    `inc` wraps at its operand: only without a limit it is an addition of 1.
    """
    if result_used or value is None or kind not in _NATIVE_TYPES:
        return False
    return (op, value & 0xFFFFFFFF) in (("add", 1), ("inc", 0xFFFFFFFF))


def is_loop(op: str, kind: str) -> bool:
    """Whether a shared atomic is a compare-and-swap loop instead of one instruction."""
    return op not in ("cas", "exch") and kind not in _NATIVE_TYPES


def shared_cost(
    addresses: Any,
    masks: Any,
    op: str,
    kind: str,
    *,
    uniform: bool = False,
    result_used: bool = True,
    value: int | None = None,
) -> SharedCost:
    """Cost of `atom.shared.<op>.<kind>` at byte `addresses` (n, 32) under lane `masks`; `value` is its
    operand where that is a constant.
    """
    rows, mask = as_rows(addresses, masks)
    active = active_lanes(mask)
    if is_combined(op, kind, uniform=uniform, result_used=result_used):
        return SharedCost(_issued(active), _issued(active))
    if is_counting(op, kind, value, result_used=result_used):
        return SharedCost(_issued(active), wavefronts(rows, mask, WORD, store=False))
    if is_loop(op, kind):
        played = [spin_rounds(row, int(m), width_of(kind)) for row, m in zip(rows, mask, strict=True)]
        rounds = np.array([len(one) for one in played], dtype=np.int64)
        cost = np.array([sum(c for _, c in one) for one in played], dtype=np.int64)
        return SharedCost(rounds, cost)
    busiest = largest_bin(rows // WORD % BANKS, active, BANKS)
    passes_each = (2 if op == "cas" else 1) * max(1, width_of(kind) // WORD)
    return SharedCost(_issued(active), busiest * passes_each)


def _issued(active: Flags) -> Counts:
    issued: Counts = np.asarray(active.any(axis=1), dtype=np.int64)
    return issued


def spin_rounds(row: NDArray[np.int64], mask: int, width: int) -> list[tuple[int, int]]:
    """Play the loop of one request out: (mask of the lanes still in it, wavefronts) per round.

    `row` holds 32 byte addresses, `width` is 4 or 8 (narrower atomics work on their whole word).
    """
    slot = max(width, WORD)
    slots = BANKS * WORD // slot
    lanes = WARP * WORD // slot
    left = mask
    rounds = []
    while left:
        taken: set[int] = set()
        won = cost = 0
        for start in range(0, WARP, lanes):
            heads: dict[int, int] = {}
            for lane in range(start, start + lanes):
                if left >> lane & 1:
                    heads.setdefault(int(row[lane]) // slot % slots, lane)
            winners = [lane for lane in heads.values() if int(row[lane]) not in taken]
            taken.update(int(row[lane]) for lane in winners)
            won |= sum(1 << lane for lane in winners)
            cost += 2 if winners else 1
        rounds.append((left, cost))
        left &= ~won
    return rounds


def global_sectors(
    addresses: Any, masks: Any, op: str, kind: str, *, uniform: bool = False, result_used: bool = True
) -> Counts:
    """Sectors of `atom.global.<op>.<kind>` or `red.global` at byte `addresses` (n, 32)."""
    rows, mask = as_rows(addresses, masks)
    active = active_lanes(mask)
    if is_combined(op, kind, uniform=uniform, result_used=result_used):
        return _issued(active)
    return _busiest_per_sector(rows, active)


def _busiest_per_sector(rows: Addresses, active: Flags) -> Counts:
    same = (rows[:, :, None] == rows[:, None, :]) & active[:, None, :]
    on_address = same.sum(axis=2)  # lanes that share my address
    sector = rows // SECTOR
    mates = (sector[:, :, None] == sector[:, None, :]) & active[:, None, :]
    busiest = np.where(mates, on_address[:, None, :], 0).max(axis=2)
    earlier = np.tril(np.ones((WARP, WARP), dtype=np.bool_), -1)
    leads = active & ~(mates & earlier).any(axis=2)
    total: Counts = np.where(leads, busiest, 0).sum(axis=1, dtype=np.int64)
    return total
