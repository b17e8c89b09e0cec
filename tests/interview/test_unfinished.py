"""What an interview keeps shut, and how long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interview.steps import Watch, live, open_log, plan
from trainer.errors import UsageError
from trainer.interview.session import Session
from trainer.interview.unfinished import strict_one, unfinished, why_shut
from trainer.store.interviews import InterviewLog

QUESTIONS = {"question-1.1", "question-1.2", "question-2.1"}


@pytest.fixture
def log(tmp_path: Path) -> Iterator[InterviewLog]:
    with open_log(tmp_path) as log:
        yield log


def test_a_strict_interview_keeps_its_questions_shut_until_its_time_is_up(log: InterviewLog) -> None:
    watch = Watch()
    Session.start(log, plan(), watch)
    watch.forward(60)  # the program is closed, the clock runs on
    one = strict_one(log, watch())
    assert one is not None and one.questions == QUESTIONS and one.left_s == 19 * 60
    assert "Test, with 19:00 left" in str(why_shut("question-1.1", one, "en"))
    watch.forward(19 * 60)
    assert strict_one(log, watch()) is None
    assert unfinished(log, watch())[0].left_s == 0


def test_practice_and_what_has_ended_keep_nothing_shut(log: InterviewLog) -> None:
    watch = Watch()
    Session.start(log, plan(), watch).finish()
    assert unfinished(log, watch()) == ()
    session = Session.start(log, plan(strict=False), watch)
    live(session, watch, 30)
    watch.forward(3600)  # killed: that time is left out
    assert strict_one(log, watch()) is None
    assert [round(one.left_s) for one in unfinished(log, watch())] == [20 * 60 - 30]
    assert unfinished(None, watch()) == ()


def test_no_interview_begins_beside_a_strict_one(log: InterviewLog) -> None:
    watch = Watch()
    session = Session.start(log, plan(), watch)
    for strict in (True, False):
        with pytest.raises(UsageError, match="a strict interview is running, Test, with 20:00 left"):
            Session.start(log, plan(strict=strict), watch)
    session.finish()
    Session.start(log, plan(), watch)
