"""When questions come back, and what is known of a topic."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from trainer.bank.model import Entry, Kind
from trainer.store.history import Attempt, Event, EventKind
from trainer.store.mastery import mastery, weak_spots
from trainer.store.review import Rating, due, memories, sittings

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(name: str, kind: Kind = Kind.QUIZ, topic: str = "t") -> Entry:
    return Entry(name, kind, topic, "easy", {"en": name}, Path(name))


def attempt(task: str, right: bool, at: datetime = NOW, score: float = 80.0, verdict: str = "") -> Attempt:
    verdict = verdict or ("accepted" if right else "wrong_answer")
    return Attempt(task, "quiz", "none", "none", verdict, "", 1, score, None, None, 1.0, at, "0")


def test_a_wrong_answer_is_due_the_next_day_and_a_right_one_later() -> None:
    attempts = [attempt("a", False), attempt("b", True)]
    entries = [entry("a"), entry("b")]
    assert due(attempts, entries, NOW) == ()
    assert [d.entry.id for d in due(attempts, entries, NOW + DAY)] == ["a"]
    assert {d.entry.id for d in due(attempts, entries, NOW + 5 * DAY)} == {"a", "b"}


def test_each_right_answer_makes_the_pause_longer() -> None:
    attempts: list[Attempt] = []
    at, pauses = NOW, []
    for _ in range(5):
        attempts.insert(0, attempt("a", True, at))
        (memory,) = memories(attempts, [entry("a")], at)
        pauses.append(memory.due - at)
        at = memory.due
    assert pauses == sorted(pauses) and pauses[-1] > 10 * pauses[0]


def test_the_schedule_of_a_fixed_history_is_pinned() -> None:
    days = [(0, True), (2, True), (13, False), (14, True)]
    attempts = [attempt("a", right, NOW + day * DAY) for day, right in reversed(days)]
    (memory,) = memories(attempts, [entry("a")], NOW + 14 * DAY)
    assert [s.rating for s in memory.sittings] == [Rating.GOOD, Rating.GOOD, Rating.AGAIN, Rating.GOOD]
    assert memory.due == NOW + 18 * DAY


def test_due_today_means_until_local_midnight() -> None:
    late = datetime(2026, 11, 29, 23, tzinfo=UTC)
    morning = datetime(2026, 11, 30, 1, tzinfo=UTC)
    assert due([attempt("a", False, late)], [entry("a")], morning, zone=UTC)
    west = timezone(timedelta(hours=-5))  # there it is the evening of the same day
    assert not due([attempt("a", False, late)], [entry("a")], morning, zone=west)


def test_what_is_remembered_least_comes_first_and_says_how_late_it_is() -> None:
    attempts = [attempt("b", False, NOW - 3 * DAY), attempt("a", False, NOW - 30 * DAY)]
    first, second = due(attempts, [entry("b"), entry("a")], NOW)
    assert (first.entry.id, first.days_late) == ("a", 29) and second.entry.id == "b"
    assert first.recall < second.recall


def test_questions_that_are_gone_and_unsupported_files_do_not_count() -> None:
    attempts = [attempt("gone", False), attempt("k", False, verdict="unsupported")]
    assert memories(attempts, [entry("k", Kind.KERNEL)], NOW + 9 * DAY) == ()


@pytest.mark.parametrize(
    ("verdicts", "help_taken", "rating"),
    [
        (["accepted"], [], Rating.EASY),
        (["compile_error", "accepted"], [], Rating.GOOD),
        (["accepted"], [EventKind.HINT], Rating.HARD),
        (["accepted"], [EventKind.GAVE_UP], Rating.AGAIN),
        (["wrong_answer", "hazard"], [], Rating.AGAIN),
    ],
)
def test_an_evening_at_a_kernel_is_one_review(
    verdicts: list[str], help_taken: list[EventKind], rating: Rating
) -> None:
    attempts = [
        attempt("k", True, NOW + i * timedelta(minutes=9), 95, verdict) for i, verdict in enumerate(verdicts)
    ]
    events = [Event("k", kind, "", NOW - timedelta(minutes=1)) for kind in help_taken]
    assert [s.rating for s in sittings(Kind.KERNEL, attempts, events)] == [rating]


def test_help_of_an_earlier_evening_is_forgiven() -> None:
    attempts = [attempt("k", True, NOW, 95), attempt("k", True, NOW + 3 * DAY, 95)]
    events = [Event("k", EventKind.HINT, "1", NOW - timedelta(minutes=1))]
    ratings = [s.rating for s in sittings(Kind.KERNEL, attempts, events)]
    assert ratings == [Rating.HARD, Rating.EASY]


def test_the_first_answer_to_a_quiz_counts_and_strategy_goes_by_its_score() -> None:
    twice = [attempt("a", False), attempt("a", True, NOW + timedelta(minutes=5))]
    assert [s.rating for s in sittings(Kind.QUIZ, twice)] == [Rating.AGAIN]
    scores = [95.0, 75.0, 55.0, 20.0]
    rated = [sittings(Kind.STRATEGY, [attempt("s", True, score=score)])[0].rating for score in scores]
    assert rated == [Rating.EASY, Rating.GOOD, Rating.HARD, Rating.AGAIN]


def test_mastery_counts_what_would_be_answered_now() -> None:
    entries = [entry("a"), entry("b"), entry("c"), entry("d"), entry("e", topic="u")]
    attempts = [attempt("b", False), attempt("a", True)]
    first, second = mastery(entries, memories(attempts, entries, NOW))
    assert (first.questions, first.seen, first.failed) == (4, 2, 1)
    assert first.known == pytest.approx(0.25)
    assert (second.seen, second.known) == (0, 0.0)


def test_weak_spots_are_topics_that_fail_often_enough() -> None:
    entries = [entry(f"{topic}{i}", topic=topic) for topic in "abcd" for i in range(4)]
    wrong = {"a": 2, "b": 3, "c": 1}  # of four each; d has only two sittings, both wrong
    attempts = [attempt(f"{t}{i}", i >= wrong[t]) for t in wrong for i in range(4)]
    attempts += [attempt(f"d{i}", False) for i in range(2)]
    topics = mastery(entries, memories(attempts, entries, NOW))
    assert [spot.topic for spot in weak_spots(topics)] == ["b", "a"]
