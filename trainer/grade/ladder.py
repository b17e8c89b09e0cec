"""Where a submission stands among the reference solutions, by time alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trainer.bank.model import Recording, Rung, localized

SAME_WITHIN = 0.03
"""Two times closer than this are the same rung: about the spread of two sessions on one GPU."""


@dataclass(frozen=True)
class RungTime:
    """`source` says where the time comes from: "measured" now, "recorded" on `device`, None: no time."""

    id: str
    title: str
    median_us: float | None
    source: str | None
    device: str = ""
    level: int | None = None
    level_name: str = ""


@dataclass(frozen=True)
class Ladder:
    """`rung` is the fastest rung reached; `between` holds it and the one to reach next (either None).

    `level` is that of the fastest rung reached, in ladders whose rungs have levels; `size` names the
    case that all times are of."""

    rung: str | None
    between: tuple[str | None, str | None]
    rungs: tuple[RungTime, ...]
    level: Reached | None = None
    size: str = ""


@dataclass(frozen=True)
class Reached:
    """A level: `number` of 0 to `highest`. `basis` says what decided: "time", or "model" where no time
    was measured; the level is the least then."""

    number: int
    name: str
    highest: int
    basis: str


def place(median_us: float | None, rungs: Sequence[RungTime], size: str = "") -> Ladder:
    """Rungs are climbed by time: the fastest that the submission reaches is its rung. `size`: see `Ladder`.

    Reaching means at most `SAME_WITHIN` slower. Without a time, or timed rungs, there is no place.
    """
    timed = sorted((r for r in rungs if r.median_us is not None), key=lambda r: -(r.median_us or 0.0))
    if median_us is None or not timed:
        return Ladder(None, (None, None), tuple(rungs), size=size)
    reached = [r for r in timed if median_us <= (r.median_us or 0.0) * (1 + SAME_WITHIN)]
    ahead = [r for r in timed if r not in reached]
    below = reached[-1].id if reached else None
    above = _next(reached[-1] if reached else None, ahead, rungs)
    return Ladder(below, (below, above), tuple(rungs), level_of(reached, rungs, "time"), size)


def _next(here: RungTime | None, ahead: Sequence[RungTime], rungs: Sequence[RungTime]) -> str | None:
    """The first rung further up that is faster. On some GPU an early rung may be faster than a later one:
    it is next only where nothing further up is. `ahead`: those not reached, slowest first."""
    further_up = rungs[rungs.index(here) + 1 :] if here else rungs
    found = next((r for r in further_up if r in ahead), ahead[0] if ahead else None)
    return found.id if found else None


def level_of(reached: Sequence[RungTime], rungs: Sequence[RungTime], basis: str) -> Reached | None:
    """The highest level among the rungs that were reached."""
    numbered = [(rung.level, rung.level_name) for rung in reached if rung.level is not None]
    if not numbered:
        return None
    number, name = max(numbered)
    return Reached(number, name, max(rung.level or 0 for rung in rungs), basis)


def rung_times(
    rungs: Sequence[Rung],
    language: str,
    measured: Mapping[str, float],
    recorded: Mapping[str, float],
    device: str = "",
) -> tuple[RungTime, ...]:
    """One entry a rung, in ladder order; a time measured now wins over a recorded one."""
    entries = []
    for rung in rungs:
        level = (rung.level.number, localized(rung.level.name, language)) if rung.level else (None, "")
        entry = RungTime(rung.id, localized(rung.title, language), None, None, "", *level)
        if rung.id in measured:
            entry = replace(entry, median_us=measured[rung.id], source="measured")
        elif rung.id in recorded:
            entry = replace(entry, median_us=recorded[rung.id], source="recorded", device=device)
        entries.append(entry)
    return tuple(entries)


@dataclass(frozen=True)
class Recorded:
    """The recorded times of one task: `times_us` by rung id, measured on `device`."""

    device: str
    times_us: Mapping[str, float]


def recorded_times(recordings: Sequence[Recording], task: str, device: str) -> Recorded:
    """The recorded times of `task`: those of `device` if there are any, else the first that has some."""
    found = [
        Recorded(r.device, {rung: time.median_us for rung, time in r.times[task].items()})
        for r in recordings
        if task in r.times
    ]
    exact = [r for r in found if r.device == device]
    return (exact or found or [Recorded("", {})])[0]
