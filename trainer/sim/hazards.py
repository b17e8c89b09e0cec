"""From native event records to findings that a person can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.cuda.device import Dim3
from trainer.sim import observe_layout as native
from trainer.sim.report import Deed, Hazard, HazardKind
from trainer.sim.sites import Site

EVENT = np.dtype(
    [
        ("kind", "<i4"), ("site", "<i4"), ("thread", "<i4"), ("phase", "<i4"), ("block", "<i8"),
        ("address", "<i8"), ("prior", "<i8"), ("place", "<i8"), ("old", "<i8"), ("spare", "<i8"),
    ]
)  # fmt: skip

_LAST_SITE = 1023


@dataclass(frozen=True)
class LaunchShape:
    """What turns linear numbers back into what people write."""

    kernel: str
    grid: Dim3
    block: Dim3
    first_block: int  # the number that shadow entries give to block 0


def unflatten(number: int, extent: Dim3) -> Dim3:
    """(x, y, z) of a linear index."""
    return (number % extent[0], number // extent[0] % extent[1], number // (extent[0] * extent[1]))


@dataclass(frozen=True)
class Party:
    """Who did the earlier access, read from a shadow entry."""

    block: int  # relative to the launch; negative: an earlier one
    thread: int
    line: int | None
    several: bool

    @classmethod
    def of(cls, entry: int, shape: LaunchShape, sites: Mapping[int, Site]) -> Party:
        """Decode a shadow entry (see observe_layout for its bits)."""
        entry &= (1 << 64) - 1
        number = entry & _LAST_SITE
        site = sites.get(number) if number < _LAST_SITE else None
        return cls(
            block=(entry >> 40) - shape.first_block,
            thread=entry >> 16 & 1023,
            line=site.line if site else None,
            several=bool(entry >> 10 & 3),
        )


Namer = Callable[[int, int, bool], str]  # (address, bytes, is it shared?) -> "s[33]", "output[7]"


def hazards_of(
    events: NDArray[Any], shape: LaunchShape, sites: Mapping[int, Site], site_count: int, name: Namer,
    unrecorded: Mapping[tuple[int, int], int] | None = None,
) -> list[Hazard]:  # fmt: skip
    """One `Hazard` per event record, not yet merged.

    `unrecorded`: how many more there were, by (site, kind), than were worth a record; the first
    record of each stands for them too.
    """
    more = dict(unrecorded or {})
    found = []
    for event in events:
        number = int(event["site"])
        site = sites.get(number % site_count)
        if site is not None:
            hazard = _hazard(event, shape, sites, site, number >= site_count, name)
            extra = more.pop((number, int(event["kind"])), 0)
            found.append(replace(hazard, count=1 + extra) if extra > 0 else hazard)
    return found


def _hazard(
    event: Any, shape: LaunchShape, sites: Mapping[int, Site], site: Site, shared: bool, name: Namer
) -> Hazard:
    kind = int(event["kind"])
    block = unflatten(int(event["block"]), shape.grid)
    thread = unflatten(int(event["thread"]), shape.block)
    where = name(int(event["address"]), site.width, shared)
    me = f"thread {thread} of block {block}"
    if int(event["prior"]) == native.UNREADY:
        text = f"{me} reads {where} while cp.async may still be filling it: no wait for that copy before"
        return Hazard(
            HazardKind.UNFINISHED_COPY, site.line, shape.kernel, block, thread, where, text, fatal=False
        )  # fmt: skip
    if kind == native.UNINITIALISED:
        verb = "updates" if site.op == "atomic" else "reads"
        return Hazard(
            HazardKind.UNINITIALISED_READ,
            site.line,
            shape.kernel,
            block,
            thread,
            where,
            f"{me} {verb} {where}, which nothing has written yet",
        )
    party = Party.of(int(event["prior"]), shape, sites)
    other_block = unflatten(max(party.block, 0), shape.grid)
    other_thread = unflatten(party.thread, shape.block)
    same_block = party.block == int(event["block"])
    text = _race_text(kind, me, where, site, party, other_thread, None if same_block else other_block)
    return Hazard(
        HazardKind.SHARED_RACE if shared else HazardKind.GLOBAL_RACE,
        site.line, shape.kernel, block, thread, where, text,
        other_line=party.line, other_thread=other_thread, other_block=other_block,
        fatal=kind != native.SAME_WARP,
        overwrites=kind == native.WRITE_WRITE,
    )  # fmt: skip


def _race_text(
    kind: int, me: str, where: str, site: Site, party: Party, thread: Dim3, block: Dim3 | None
) -> str:
    verbs = {
        native.WRITE_WRITE: ("writes", "wrote"),
        native.READ_AFTER_WRITE: ("updates" if site.op == "atomic" else "reads", "wrote"),
        native.WRITE_AFTER_READ: ("writes", "read"),
        native.SAME_WARP: ("reads", "wrote"),
    }
    now, before = verbs[kind]
    who = f"thread {thread}" + (f" of block {block}" if block is not None else "")
    if party.several and kind == native.WRITE_AFTER_READ:
        who += " and others"
    at = f" at line {party.line}" if party.line else ""
    if kind == native.SAME_WARP:
        missing = "no __syncwarp() between; only lock-step execution hides this"
    elif block is not None:
        missing = "nothing orders the two blocks"
    else:
        missing = "no __syncthreads() between"
    other = "a different value" if kind == native.WRITE_WRITE else ""
    return f"{me} {now} {where} that {who} {before}{at}{': ' + other if other else ''}; {missing}"


def merge(found: Iterable[Hazard]) -> tuple[Hazard, ...]:
    """One finding per mistake - same kind, kernel, severity and pair of lines - the first met, with how
    many there were. A missing barrier shows up as a race from either side: that is one mistake; and so
    are all accesses of a line that lacks a guard, each named.
    """
    merged: dict[tuple[HazardKind, frozenset[int], str, bool], list[Hazard]] = {}
    for hazard in found:
        lines = frozenset({hazard.line, hazard.other_line or hazard.line})
        merged.setdefault((hazard.kind, lines, hazard.kernel, hazard.fatal), []).append(hazard)
    return tuple(sorted(map(_as_one, merged.values()), key=lambda h: (not h.fatal, h.line)))


def _as_one(same: Sequence[Hazard]) -> Hazard:
    deeds: dict[tuple[str, str], Deed] = {}
    for hazard in same:
        if hazard.deed is not None:
            deeds.setdefault((hazard.deed.verb, hazard.deed.array), hazard.deed)
    others = " and ".join(str(deed) for deed in list(deeds.values())[1:])
    also = f"; line {same[0].line} also {others}" if others else ""
    return replace(same[0], count=sum(h.count for h in same), message=same[0].message + also)
