"""What the attempts add up to: derived anew each time, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from trainer.bank.model import Entry
from trainer.store.history import Attempt


@dataclass(frozen=True)
class TopicStats:
    topic: str
    questions: int
    tried: int
    accepted: int
    attempts: int


@dataclass(frozen=True)
class Stats:
    """`streak_days` counts days in a row with an attempt, up to today or yesterday (local dates).
    `best_us` holds the fastest accepted time in microseconds by task, where one was measured."""

    attempts: int
    accepted: int
    streak_days: int
    topics: tuple[TopicStats, ...]
    best_us: dict[str, float]


def summarise(attempts: Sequence[Attempt], entries: Sequence[Entry], today: date) -> Stats:
    """Attempts at questions that are no longer there count in the totals only."""
    accepted = [a for a in attempts if a.verdict == "accepted"]
    best: dict[str, float] = {}
    for attempt in accepted:
        if attempt.median_us is not None:
            best[attempt.task] = min(attempt.median_us, best.get(attempt.task, attempt.median_us))
    days = {a.at.astimezone().date() for a in attempts}
    topics = tuple(_topic(t, attempts, entries) for t in sorted({e.topic for e in entries}))
    return Stats(len(attempts), len(accepted), _streak(days, today), topics, dict(sorted(best.items())))


def _topic(topic: str, attempts: Sequence[Attempt], entries: Sequence[Entry]) -> TopicStats:
    ids = {e.id for e in entries if e.topic == topic}
    mine = [a for a in attempts if a.task in ids]
    solved = {a.task for a in mine if a.verdict == "accepted"}
    return TopicStats(topic, len(ids), len({a.task for a in mine}), len(solved), len(mine))


def _streak(days: Iterable[date], today: date) -> int:
    known = set(days)
    day = today if today in known else today - timedelta(days=1)
    count = 0
    while day in known:
        count += 1
        day -= timedelta(days=1)
    return count
