"""Which question to take next, from what was done so far."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from trainer.bank.model import LEVELS, Entry
from trainer.store.history import Attempt, Event
from trainer.store.mastery import mastery
from trainer.store.review import Memory, due, memories


def next_best(
    entries: Sequence[Entry], attempts: Sequence[Attempt], now: datetime, events: Sequence[Event] = ()
) -> Entry | None:
    """First what is due today, least remembered first; then what went wrong, longest ago first; then what
    is new, of the topic that is known least and there the easiest; then what is remembered least.

    `attempts` and `events` come newest first.
    """
    if not entries:
        return None
    waiting = due(attempts, entries, now, events)
    if waiting:
        return waiting[0].entry
    known = {memory.entry.id: memory for memory in memories(attempts, entries, now, events)}
    topics = {topic.topic: topic.known for topic in mastery(entries, tuple(known.values()))}

    def rank(entry: Entry) -> tuple[int, float, int]:
        return _rank(entry, known.get(entry.id), topics[entry.topic])

    return min(entries, key=rank)


def _rank(entry: Entry, memory: Memory | None, topic_known: float) -> tuple[int, float, int]:
    if memory is None:
        return 1, topic_known, LEVELS.index(entry.level)
    if memory.passed:
        return 2, memory.recall, LEVELS.index(entry.level)
    return 0, memory.sittings[-1].at.timestamp(), 0
