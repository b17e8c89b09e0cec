"""When a question should be seen again: FSRS over what was done, derived anew each time.

A sitting is all that was done at one question within twelve hours; it counts as one review, so that ten
grades of one evening are not ten reviews. `rate` says what a sitting was worth. Intervals are whole
days and nothing is random: the same attempts always give the same day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import IntEnum
from typing import TYPE_CHECKING

from trainer.bank.model import Entry, Kind
from trainer.store.history import Attempt, Event, EventKind

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

SITTING = timedelta(hours=12)
_EASY_SCORE, _GOOD_SCORE, _HARD_SCORE = 90.0, 70.0, 50.0
_NOT_THE_USERS_FAULT = ("unsupported",)


class Rating(IntEnum):
    """How well a question went, with FSRS's numbers."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True)
class Sitting:
    """One review: when it ended, and how it went."""

    at: datetime
    rating: Rating


@dataclass(frozen=True)
class Memory:
    """What is known about one question. `recall` is the probability, from 0 to 1, of still knowing it."""

    entry: Entry
    sittings: tuple[Sitting, ...]
    due: datetime
    recall: float

    @property
    def passed(self) -> bool:
        """Whether the last sitting went well."""
        return self.sittings[-1].rating > Rating.AGAIN


@dataclass(frozen=True)
class Due:
    """A question to repeat; `days_late` is 0 for one that falls due today."""

    entry: Entry
    at: datetime
    days_late: int
    recall: float


def due(
    attempts: Sequence[Attempt],
    entries: Sequence[Entry],
    now: datetime,
    events: Sequence[Event] = (),
    zone: tzinfo | None = None,
) -> tuple[Due, ...]:
    """What falls due until the end of the local day of `now`, least remembered first.

    `attempts` and `events` as the history gives them, newest first; questions that are not in `entries`
    are left out.
    """
    today = now.astimezone(zone).date()
    found = []
    for memory in memories(attempts, entries, now, events):
        day = memory.due.astimezone(zone).date()
        if day <= today:
            found.append(Due(memory.entry, memory.due, (today - day).days, memory.recall))
    return tuple(sorted(found, key=lambda d: (d.recall, d.at, d.entry.id)))


def memories(
    attempts: Sequence[Attempt], entries: Sequence[Entry], now: datetime, events: Sequence[Event] = ()
) -> tuple[Memory, ...]:
    """One for every question that was reviewed, in the order of `entries`."""
    told: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in reversed(attempts):
        if attempt.verdict not in _NOT_THE_USERS_FAULT:
            told[attempt.task].append(attempt)
    helped: dict[str, list[Event]] = defaultdict(list)
    for event in reversed(events):
        helped[event.question].append(event)
    seen = [entry for entry in entries if entry.id in told]
    if not seen:
        return ()
    scheduler = _scheduler()
    return tuple(_memory(e, sittings(e.kind, told[e.id], helped[e.id]), now, scheduler) for e in seen)


def _scheduler() -> Scheduler:
    """Without steps of minutes: nobody sits here waiting for them."""
    from fsrs import Scheduler  # 40 ms that only somebody with a history waits for

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False, maximum_interval=365)


def _memory(entry: Entry, reviews: tuple[Sitting, ...], now: datetime, scheduler: Scheduler) -> Memory:
    from fsrs import Card
    from fsrs import Rating as Fsrs

    card: Card = Card(card_id=1)
    for review in reviews:
        card, _ = scheduler.review_card(card, Fsrs(review.rating), review.at.astimezone(UTC))
    return Memory(entry, reviews, card.due, scheduler.get_card_retrievability(card, now.astimezone(UTC)))


def sittings(kind: Kind, attempts: Sequence[Attempt], events: Sequence[Event] = ()) -> tuple[Sitting, ...]:
    """The reviews of one question, oldest first, as are its `attempts` and `events`."""
    groups: list[list[Attempt]] = []
    for attempt in attempts:
        if not groups or attempt.at - groups[-1][0].at > SITTING:
            groups.append([])
        groups[-1].append(attempt)
    result = []
    before = datetime.min.replace(tzinfo=UTC)
    for group in groups:
        end = group[-1].at
        help_taken = [e.kind for e in events if before < e.at <= end and group[0].at - e.at <= SITTING]
        result.append(Sitting(end, rate(kind, group, help_taken)))
        before = end
    return tuple(result)


def rate(kind: Kind, attempts: Sequence[Attempt], help_taken: Sequence[EventKind] = ()) -> Rating:
    """What one sitting was worth: of quizzes the first answer counts, of kernels the best file."""
    first = attempts[0]
    if kind is Kind.KERNEL:
        return _rate_kernel(attempts, help_taken)
    if kind is Kind.STRATEGY:
        return _by_score(first.score or 0.0)
    return Rating.GOOD if first.verdict == "accepted" else Rating.AGAIN


def _rate_kernel(attempts: Sequence[Attempt], help_taken: Sequence[EventKind]) -> Rating:
    accepted = [a.score or 0.0 for a in attempts if a.verdict == "accepted"]
    if not accepted or EventKind.GAVE_UP in help_taken:
        return Rating.AGAIN
    if EventKind.HINT in help_taken:
        return Rating.HARD
    at_once = attempts[0].verdict == "accepted" and max(accepted) >= _EASY_SCORE
    return Rating.EASY if at_once else Rating.GOOD


def _by_score(score: float) -> Rating:
    if score >= _EASY_SCORE:
        return Rating.EASY
    if score >= _GOOD_SCORE:
        return Rating.GOOD
    return Rating.HARD if score >= _HARD_SCORE else Rating.AGAIN
