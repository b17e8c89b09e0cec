"""While a strict interview runs, its questions are open only there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.interview.steps import asked, plan, section
from trainer.bank.library import Library
from trainer.bank.model import Kind
from trainer.cli.commands import mock
from trainer.interview.session import Session
from trainer.store.interviews import InterviewLog

Run = Any
SPOKEN = "prefill-and-decode"


@pytest.fixture
def strict() -> Iterator[Session]:
    questions = [
        asked("1.1", Kind.KERNEL, question="relu"),
        asked("1.2", Kind.STRATEGY, question=SPOKEN),
        asked("1.3", question="what-float4-saves"),
    ]
    with InterviewLog.open() as log:
        yield Session.start(log, plan(section(*questions)), lambda: datetime.now(UTC))


def test_hints_ladders_grades_and_solutions_of_its_questions_are_shut(
    warpdojo: Run, strict: Session, tmp_path: Path
) -> None:
    file = tmp_path / "relu.cu"
    file.write_text("")
    shut = [
        ("show", "relu", "--hint", 1), ("show", SPOKEN, "--json"), ("show", "what-float4-saves", "--json"),
        ("ladder", "relu"), ("explain", "relu", file), ("grade", "relu", file), ("watch", "relu", file),
        ("strategy", SPOKEN),
    ]  # fmt: skip
    for words in shut:
        ran = warpdojo(*words)
        assert ran.code == 2 and "is part of a strict interview, Test, with " in ran.err, words
    for words in [("show", "relu"), ("show", SPOKEN), ("ladder", "vector-addition")]:
        assert warpdojo(*words).code == 0
    strict.finish()
    assert warpdojo("ladder", "relu").code == 0


def test_its_quizzes_are_not_drawn(warpdojo: Run, strict: Session) -> None:
    count = len(Library.open().index.entries)
    drawn = warpdojo("quiz", "-n", count, "--json")
    ids = {question["id"] for question in drawn.json["questions"]}
    assert "what-float4-saves" not in ids and len(ids) > 10
    assert "what the strict interview that is running asks is left out" in drawn.err
    strict.finish()
    assert "what-float4-saves" in warpdojo("quiz", "-n", count, "--json").out


def test_another_interview_does_not_begin(
    warpdojo: Run, strict: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mock, "_can_type", lambda: True)
    ran = warpdojo("mock", "written-exam")
    assert ran.code == 2 and "a strict interview is running, Test, with " in ran.err
