"""Scores of a fixed set of answers, with the arithmetic that the report shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.interview.steps import Watch, asked, live, open_log, plan, section
from trainer.bank.library import Library
from trainer.bank.model import Kind
from trainer.interview.archive import last_seen, report_of, summaries
from trainer.interview.grading import Grading
from trainer.interview.judge import as_data, file_that_counts
from trainer.interview.markdown import markdown
from trainer.interview.plan import Plan
from trainer.interview.report import report_json
from trainer.interview.result import Part, Result
from trainer.interview.session import Session
from trainer.interview.state import Answer
from trainer.quiz.draw import draw
from trainer.quiz.judge import solution
from trainer.store.history import History
from trainer.store.interviews import InterviewLog
from trainer.worker.backends import Backends

LIBRARY = Library.open()
HOSTILE = "[/red] *bold* <script> `x` |"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[InterviewLog]:
    with open_log(tmp_path) as log:
        yield log


def result(key: str, *parts: Part, kind: Kind = Kind.QUIZ, topic: str = "t", answered: bool = True) -> Result:
    missed = (f"something {HOSTILE}",) if any(p.got != p.of for p in parts) else ()
    return Result(key, f"question-{key}", kind, topic, {"en": HOSTILE}, answered, parts, missed)


RIGHT, WRONG = Part("answer", 1.0, 1.0, "right: 1"), Part("answer", 0.0, 1.0, "wrong: 0")
FIXED = {
    "1.1": result("1.1", RIGHT),
    "1.2": result("1.2", WRONG, topic="layout"),
    "2.1": result(
        "2.1",
        Part("correct", 40.0, 40.0, "all"),
        Part("performance", None, 30.0, "not measured"),
        Part("access", 4.0, 10.0, "10 x 0.4"),
        kind=Kind.KERNEL,
        topic="reduction",
    ),
    "3.1": result("3.1", WRONG, answered=False),
}


def fixed_plan() -> Plan:
    return plan(
        section(asked("1.1", topic="t"), asked("1.2", topic="layout"), weight=30),
        section(asked("2.1", Kind.KERNEL, topic="reduction"), weight=50),
        section(asked("3.1"), weight=20, optional=True),
    )


def sit(log: InterviewLog, watch: Watch, results: dict[str, Result] = FIXED) -> str:
    """One interview with these results."""
    session = Session.start(log, fixed_plan(), watch)
    live(session, watch, 30)
    session.visit("1.2")
    live(session, watch, 90)
    session.note(f"remember {HOSTILE}")
    session.leave_section()
    live(session, watch, 60)
    session.finish()
    for key, one in results.items():
        session.graded(key, as_data(one))
    return session.id


def test_the_total_is_the_weighted_mean_of_the_sections_that_count(log: InterviewLog) -> None:
    report = report_of(log, sit(log, Watch()))
    assert [round(s.score, 1) for s in report.sections] == [50.0, 88.0, 0.0]
    assert [s.counts for s in report.sections] == [True, True, False]
    assert report.total == 73.8  # (30 x 50 + 50 x 88) / 80
    assert report.arithmetic == "(30 x 50.0 + 50 x 88.0) / 80 = 73.8"
    assert [(t.topic, t.score) for t in report.topics][0] == ("layout", 0)


def test_an_optional_section_that_was_begun_counts(log: InterviewLog) -> None:
    begun = {**FIXED, "3.1": replace(FIXED["3.1"], answered=True)}
    assert report_of(log, sit(log, Watch(), begun)).total == 59.0


def test_time_for_each_question_stands_beside_its_plan(log: InterviewLog) -> None:
    report = report_of(log, sit(log, Watch()))
    times = {q.key: (q.spent_s, q.planned_s) for s in report.sections for q in s.questions}
    assert times["1.1"] == (30, 300) and times["1.2"] == (90, 300) and times["2.1"] == (60, 300)
    assert report.spent_s == 180


def test_what_cost_most_is_what_to_practise(log: InterviewLog) -> None:
    report = report_of(log, sit(log, Watch()))
    assert [a.topic for a in report.advice] == ["layout", "reduction"]
    assert report.advice[0].why.startswith("cost 18.8 points: something")  # half of 30 of 80
    assert [a.command for a in report.advice] == [
        "warpdojo quiz --topic layout",
        "warpdojo start question-2.1",
    ]


def test_earlier_interviews_of_the_same_blueprint_are_compared(log: InterviewLog) -> None:
    watch = Watch()
    first = sit(log, watch, {**FIXED, "1.1": result("1.1", WRONG)})
    watch.forward(86400)
    second = sit(log, watch)
    report = report_of(log, second)
    assert [(e.id, e.total) for e in report.earlier] == [(first, 55.0)]
    assert "Since the last one: +18.8." in markdown(report)
    assert [(s.phase, s.total) for s in summaries(log)] == [("done", 73.8), ("done", 55.0)]
    assert last_seen((), log)["question-2.1"] == report.started


def test_markdown_shows_everything_and_takes_text_as_it_is(log: InterviewLog) -> None:
    text = markdown(report_of(log, sit(log, Watch())))
    assert "73.8 of 100" in text and "left out" in text and "(30 x 50.0 + 50 x 88.0) / 80 = 73.8" in text
    assert "- performance: not judged of 30 (not measured)" in text
    assert "1:30 of 5:00" in text
    assert "\\[/red\\] \\*bold\\* \\<script\\> \\`x\\` \\|" in text
    assert f"    remember {HOSTILE}" in text


def test_json_holds_the_whole_report(log: InterviewLog) -> None:
    import json

    data = json.loads(json.dumps(report_json(report_of(log, sit(log, Watch())))))
    assert data["schema"] == 1 and data["total"] == 73.8
    assert data["sections"][1]["questions"][0]["parts"][1] == {
        "name": "performance", "got": None, "of": 30.0, "how": "not measured",
    }  # fmt: skip


def test_quizzes_are_judged_from_what_was_typed_and_kept_in_the_history() -> None:
    right = asked("1.1", question="float4-on-a-vector-add", seed=3)
    drawn = draw(LIBRARY.question(right.question), 3)

    def no_backends() -> Backends:
        raise AssertionError("a quiz needs none")

    grading = Grading(LIBRARY, "en", no_backends, Watch(), lambda text: None)
    assert grading.result(right, Answer({"answer": solution(drawn)})).score == 100
    unread = grading.result(right, Answer({"answer": "?"}))
    assert unread.score == 0 and "no answer" in unread.missed[0]
    empty = grading.result(right, Answer())
    truth = drawn.options[drawn.solution[0]].text["en"]  # letters alone say nothing in a report
    assert not empty.answered and empty.missed == (f"not answered; it is {solution(drawn)} ({truth})",)
    wrong = next(i for i, option in enumerate(drawn.options) if not option.correct)
    said = grading.result(right, Answer({"answer": "abcd"[wrong]})).missed[0]
    assert f"answered {'abcd'[wrong]} ({drawn.options[wrong].text['en']}), right is" in said and truth in said
    number = grading.result(asked("1.2", question="register-file-bytes"), Answer({"answer": "64"})).missed[0]
    assert number.startswith("answered 64, right is 256 KiB: ")
    with History.open() as history:
        assert [a.verdict for a in history.attempts()] == ["wrong_answer", "wrong_answer", "accepted"]


def test_a_question_that_is_gone_counts_for_nothing() -> None:
    grading = Grading(LIBRARY, "en", lambda: Backends(None), Watch(), lambda text: None)  # type: ignore[arg-type]
    gone = grading.result(asked("1.1", question="no-such-question"), Answer({"answer": "a"}))
    assert gone.possible == 0 and "no-such-question" in gone.missed[0]


def test_where_the_best_run_counts_the_fastest_accepted_file_is_graded() -> None:
    tries = tuple(
        {"verdict": verdict, "message": "", "median_us": time, "text": text}
        for verdict, time, text in [
            ("accepted", 9.0, "slow"), ("accepted", 5.0, "fast"), ("wrong_answer", 1.0, "wrong"),
        ]
    )  # fmt: skip
    answer = Answer(file="last", tries=tries)
    assert file_that_counts(asked("1.1", Kind.KERNEL, best=True), answer) == "fast"
    assert file_that_counts(asked("1.1", Kind.KERNEL), answer) == "last"
