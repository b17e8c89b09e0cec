"""What is asked in one interview: drawn from a blueprint once, and then kept as it is.

The same seed, bank and history draw the same. Questions not seen lately come first, and the topics of
one draw differ as far as there are enough.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainer.bank.model import Entry, Kind, Text
from trainer.errors import ContentError, Location, UsageError
from trainer.interview.blueprint import Blueprint, Draw, Movement, Run, Section

USUAL_MINUTES = {Kind.QUIZ: 2.0, Kind.ANALYSIS: 4.0, Kind.KERNEL: 20.0, Kind.STRATEGY: 15.0}
"""How the minutes of a section are shared out where the blueprint does not say."""
LEAST_MINUTES, MOST_MINUTES = 5.0, 1000.0
_LATELY = (timedelta(days=7), timedelta(days=30))


@dataclass(frozen=True)
class Asked:
    """One question of the interview; `key` is its name there, such as "2.1"."""

    key: str
    question: str
    kind: Kind
    topic: str
    seed: int
    minutes: float
    points: float
    run: Run
    best: bool
    stages: tuple[Text, ...]


@dataclass(frozen=True)
class PlannedSection:
    title: Text
    minutes: float
    weight: float
    optional: bool
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Plan:
    """`strict`: without pauses. It is how an interview starts; it may lose that, never gain it."""

    blueprint: str
    title: Text
    seed: int
    strict: bool
    movement: Movement
    sections: tuple[PlannedSection, ...]

    @property
    def minutes(self) -> float:
        return sum(section.minutes for section in self.sections)

    @property
    def asked(self) -> tuple[Asked, ...]:
        return tuple(asked for section in self.sections for asked in section.asked)

    def section_of(self, key: str) -> int:
        """Index of the section that the question belongs to."""
        return next(i for i, s in enumerate(self.sections) if any(a.key == key for a in s.asked))

    def find(self, key: str) -> Asked:
        return next(asked for asked in self.asked if asked.key == key)


def draw_plan(
    blueprint: Blueprint,
    entries: Sequence[Entry],
    *,
    seed: int,
    now: datetime,
    last_seen: Mapping[str, datetime],
    minutes: float | None = None,
    strict: bool = True,
) -> Plan:
    """`last_seen`: when each question was met last. `minutes` scales the whole interview: what does not
    fit is asked less often, but each section keeps a question.

    Raises UsageError for a length out of bounds and ContentError where the bank lacks what is to be drawn.
    """
    if minutes is not None and not LEAST_MINUTES <= minutes <= MOST_MINUTES:
        raise UsageError(f"an interview lasts from {LEAST_MINUTES:g} to {MOST_MINUTES:g} minutes")
    factor = 1.0 if minutes is None else minutes / blueprint.minutes
    drawer = _Drawer(blueprint, entries, random.Random(f"{blueprint.id} {seed}"), now, last_seen)
    sections = tuple(drawer.section(i, s, factor) for i, s in enumerate(blueprint.sections, 1))
    return Plan(blueprint.id, blueprint.title, seed, strict, blueprint.movement, sections)


class _Drawer:
    """Draws one section after the other; nothing is asked twice."""

    def __init__(
        self,
        blueprint: Blueprint,
        entries: Sequence[Entry],
        rng: random.Random,
        now: datetime,
        last_seen: Mapping[str, datetime],
    ) -> None:
        self._blueprint = blueprint
        self._entries = entries
        self._rng = rng
        self._now = now
        self._last_seen = last_seen
        self._used: set[str] = set()

    def section(self, number: int, section: Section, factor: float) -> PlannedSection:
        counts = [int(draw.count * factor + 0.5) for draw in section.draws]
        if not any(counts):
            counts[0] = 1
        found: list[tuple[Draw, Entry]] = []
        for draw, count in zip(section.draws, counts, strict=True):
            found += [(draw, entry) for entry in self._take(draw, count)]
        minutes = section.minutes * factor
        usual = [draw.minutes or USUAL_MINUTES[entry.kind] for draw, entry in found]
        share = minutes / sum(usual)
        asked = tuple(
            self._asked(f"{number}.{i}", draw, entry, own * share)
            for i, ((draw, entry), own) in enumerate(zip(found, usual, strict=True), 1)
        )
        return PlannedSection(section.title, minutes, section.weight, section.optional, asked)

    def _asked(self, key: str, draw: Draw, entry: Entry, minutes: float) -> Asked:
        return Asked(
            key=key,
            question=entry.id,
            kind=entry.kind,
            topic=entry.topic,
            seed=self._rng.randrange(2**32),
            minutes=minutes,
            points=draw.points,
            run=draw.run,
            best=draw.best,
            stages=draw.stages,
        )

    def _take(self, draw: Draw, count: int) -> list[Entry]:
        pool = [entry for entry in self._entries if self._fits(draw, entry)]
        if count and not pool:
            what = ", ".join(draw.ids or (*draw.kinds, *draw.topics, *draw.levels))
            raise ContentError(
                f"there is no question left to draw: {what}", where=Location(self._blueprint.path)
            )
        self._rng.shuffle(pool)
        topics: Counter[str] = Counter()
        taken: list[Entry] = []
        for _ in range(min(count, len(pool))):
            best = min(pool, key=lambda e: (self._age(e), topics[e.topic]))
            pool.remove(best)
            topics[best.topic] += 1
            taken.append(best)
            self._used.add(best.id)
        return taken

    def _fits(self, draw: Draw, entry: Entry) -> bool:
        if entry.id in self._used:
            return False
        if draw.ids:
            return entry.id in draw.ids
        return (
            entry.kind in draw.kinds
            and (not draw.topics or entry.topic in draw.topics)
            and (not draw.levels or entry.level in draw.levels)
        )

    def _age(self, entry: Entry) -> int:
        """0 for never seen, then the more the later it was."""
        seen = self._last_seen.get(entry.id)
        if seen is None:
            return 0
        return 3 if self._now - seen < _LATELY[0] else 2 if self._now - seen < _LATELY[1] else 1
