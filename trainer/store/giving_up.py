"""Giving up on a task opens its reference solutions: it stays in the history, beside what came after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from trainer.store.history import Attempt, Event, EventKind


def given_up(events: Iterable[Event]) -> dict[str, datetime]:
    """When each task was given up first."""
    first: dict[str, datetime] = {}
    for event in events:
        if event.kind is EventKind.GAVE_UP:
            first[event.question] = min(event.at, first.get(event.question, event.at))
    return first


def after_giving_up(attempt: Attempt, since: Mapping[str, datetime]) -> bool:
    """Whether it was accepted with the reference solutions open; `since` is what `given_up` gives."""
    return attempt.verdict == "accepted" and attempt.task in since and attempt.at > since[attempt.task]


def timeline(attempts: Sequence[Attempt], events: Iterable[Event]) -> list[Attempt | Event]:
    """Attempts and give-ups, newest first; of the events only those that are one."""
    rows: list[Attempt | Event] = [*attempts, *(e for e in events if e.kind is EventKind.GAVE_UP)]
    return sorted(rows, key=lambda row: row.at, reverse=True)
