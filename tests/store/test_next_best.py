"""Which question comes next, and on which day something was done."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from trainer.bank.model import Entry, Kind
from trainer.store.calendar import per_day, weeks
from trainer.store.history import Attempt
from trainer.store.next_best import next_best

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def entry(name: str, level: str = "easy", topic: str = "t") -> Entry:
    return Entry(name, Kind.KERNEL, topic, level, {"en": name}, Path(name))


def attempt(task: str, verdict: str, score: float = 50.0, at: datetime = NOW) -> Attempt:
    return Attempt(task, "cuda", "sim", "d", verdict, "", 1, score, None, None, 0.1, at, "0")


A, B, HARD = entry("a"), entry("b"), entry("c", "hard")


def test_what_is_due_comes_first() -> None:
    attempts = [attempt("b", "wrong_answer"), attempt("a", "accepted", at=NOW - timedelta(days=30))]
    assert next_best([B, A, HARD], attempts, NOW) is A


def test_then_what_went_wrong() -> None:
    assert next_best([A, B, HARD], [attempt("c", "wrong_answer")], NOW) is HARD


def test_then_what_is_new_easy_before_hard() -> None:
    assert next_best([HARD, B, A], [attempt("a", "accepted")], NOW) is B


def test_new_questions_come_from_the_topic_that_is_known_least() -> None:
    strange = entry("d", "hard", topic="u")
    assert next_best([A, B, strange], [attempt("a", "accepted")], NOW) is strange


def test_then_what_is_remembered_least() -> None:
    attempts = [attempt("b", "accepted"), attempt("a", "accepted", 95, NOW - timedelta(days=2))]
    assert next_best([B, A], attempts, NOW) is A


def test_nothing_comes_of_nothing() -> None:
    assert next_best([], [], NOW) is None


def test_a_day_ends_at_midnight_local_time() -> None:
    zone = timezone(timedelta(hours=9))
    late = attempt("a", "accepted", at=datetime(2026, 11, 29, 15, 30, tzinfo=UTC))
    assert per_day([late], zone) == {date(2026, 11, 30): 1}


def test_weeks_end_today() -> None:
    columns = weeks(date(2026, 11, 25))
    assert len(columns) == 12 and columns[-1][-1] == date(2026, 11, 25) and len(columns[0]) == 7
