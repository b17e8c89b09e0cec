"""Which question comes next, and on which day something was done."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from trainer.bank.model import Entry, Kind
from trainer.store.calendar import per_day, weeks
from trainer.store.history import Attempt
from trainer.store.next_best import next_best


def entry(name: str, level: str = "easy") -> Entry:
    return Entry(name, Kind.KERNEL, "t", level, {"en": name}, Path(name))


def attempt(task: str, verdict: str, score: float = 50.0, at: datetime | None = None) -> Attempt:
    at = at or datetime(2026, 11, 29, tzinfo=UTC)
    return Attempt(task, "cuda", "sim", "d", verdict, "", 1, score, None, None, 0.1, at, "0")


A, B, HARD = entry("a"), entry("b"), entry("c", "hard")


def test_what_was_tried_and_never_accepted_comes_first() -> None:
    assert next_best([A, B, HARD], [attempt("c", "wrong_answer")]) is HARD


def test_then_what_is_new_easy_before_hard() -> None:
    assert next_best([HARD, B, A], [attempt("a", "accepted")]) is B


def test_then_the_weakest() -> None:
    attempts = [attempt("a", "accepted", 90), attempt("b", "accepted", 70), attempt("c", "accepted", 80)]
    assert next_best([A, B, HARD], attempts) is B


def test_nothing_comes_of_nothing() -> None:
    assert next_best([], []) is None


def test_a_day_ends_at_midnight_local_time() -> None:
    zone = timezone(timedelta(hours=9))
    late = attempt("a", "accepted", at=datetime(2026, 11, 29, 15, 30, tzinfo=UTC))
    assert per_day([late], zone) == {date(2026, 11, 30): 1}


def test_weeks_end_today() -> None:
    columns = weeks(date(2026, 11, 25))
    assert len(columns) == 12 and columns[-1][-1] == date(2026, 11, 25) and len(columns[0]) == 7
