"""How well each topic is known, and where the weak spots are: from the same reviews as `review`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.bank.model import Entry
from trainer.store.review import Memory, Rating

RECENT = 10
"""How many of the latest sittings of a topic say how it is going."""
ENOUGH = 3
"""Fewer sittings than this say nothing about a topic."""
WEAK = 1 / 3
"""Share of failed sittings from which a topic is a weak spot."""


@dataclass(frozen=True)
class Mastery:
    """`known` is the share of the topic, from 0 to 1, that would be answered now: the mean recall over
    all its questions, where one never seen or failed last counts nothing. `failed` of the `recent` latest
    sittings went wrong."""

    topic: str
    questions: int
    seen: int
    known: float
    recent: int
    failed: int

    @property
    def failing(self) -> float:
        return self.failed / self.recent if self.recent else 0.0


def mastery(entries: Sequence[Entry], memories: Sequence[Memory]) -> tuple[Mastery, ...]:
    """One a topic of `entries`, by name."""
    return tuple(
        _topic(
            topic,
            sum(entry.topic == topic for entry in entries),
            [memory for memory in memories if memory.entry.topic == topic],
        )
        for topic in sorted({entry.topic for entry in entries})
    )


def _topic(topic: str, questions: int, mine: Sequence[Memory]) -> Mastery:
    known = sum(memory.recall for memory in mine if memory.passed) / questions
    latest = sorted((s for memory in mine for s in memory.sittings), key=lambda s: s.at)[-RECENT:]
    failed = sum(sitting.rating is Rating.AGAIN for sitting in latest)
    return Mastery(topic, questions, len(mine), known, len(latest), failed)


def weak_spots(topics: Sequence[Mastery], count: int = 3) -> tuple[Mastery, ...]:
    """The topics whose recent sittings failed most often, worst first."""
    judged = [topic for topic in topics if topic.recent >= ENOUGH and topic.failing >= WEAK]
    return tuple(sorted(judged, key=lambda t: (-t.failing, t.known, t.topic))[:count])
