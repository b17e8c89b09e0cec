"""The built-in strategy questions and lines of follow-ups are sound, and their numbers right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.questions.recomputed_strategy import ANSWERS
from trainer.bank.index import followup_files
from trainer.bank.library import Library
from trainer.bank.model import Kind
from trainer.bank.quiz import Provenance
from trainer.bank.schema_strategy import read_followups
from trainer.bank.strategy import Aspect, Discussion, Followup, NumberAsked, Strategy
from trainer.quiz.lint import analysis_disagreement
from trainer.sim.backend import SimBackend
from trainer.strategy.as_json import strategy_json
from trainer.strategy.lint import lint_followups, lint_strategy

LIBRARY = Library.open(environ={})
KNOWN = {e.id: e.kind for e in LIBRARY.index.entries}
TOPICS = {e.topic for e in LIBRARY.index.entries}
QUESTIONS = [LIBRARY.question(e.id) for e in LIBRARY.index.entries if e.kind is Kind.STRATEGY]
TREES = {path: read_followups(path) for path in followup_files(LIBRARY.roots[0])}


def strategies() -> Iterator[tuple[str, Strategy]]:
    for question in QUESTIONS:
        assert question.strategy is not None
        yield question.id, question.strategy


def numbers_of(line: tuple[Followup, ...]) -> Iterator[NumberAsked]:
    for followup in line:
        if isinstance(followup.item, NumberAsked):
            yield followup.item
        yield from numbers_of(followup.otherwise)


def test_every_question_passes_its_lint() -> None:
    findings = [f for q in QUESTIONS for f in lint_strategy(q, KNOWN)]
    findings += [f for path in TREES for f in lint_followups(path, KNOWN, TOPICS)]
    assert [f"{f.where}: {f.message}" for f in findings] == []


def test_the_simulator_counts_what_exhibits_say() -> None:
    shown = {id: strategy.exhibit for id, strategy in strategies() if strategy.exhibit}
    assert len(shown) >= 4
    backend = SimBackend()
    try:
        told = {id: list(analysis_disagreement(exhibit, backend)) for id, exhibit in shown.items()}
    finally:
        backend.close()
    assert told == dict.fromkeys(shown, [])


def test_what_is_timed_on_a_gpu_is_what_exhibits_show() -> None:
    timed = (Path(__file__).parents[2] / "benchmarks" / "exhibits.cu").read_text()
    for id, strategy in strategies():
        if strategy.exhibit:
            assert strategy.exhibit.source.split('\n\nextern "C"')[0] in timed, id


def test_every_number_is_computed_again() -> None:
    stated = {
        id: [a.answer.value for a in (*strategy.numbers, *numbers_of(strategy.followups))]
        for id, strategy in strategies()
    }
    stated |= {
        f"followups/{path.stem}": values
        for path, line in TREES.items()
        if (values := [asked.answer.value for asked in numbers_of(line)])
    }
    assert set(stated) == set(ANSWERS)
    off = {id: values for id, values in stated.items() if values != pytest.approx(ANSWERS[id], rel=1e-3)}
    assert off == {}


def test_there_are_enough_questions_in_enough_topics() -> None:
    assert len(QUESTIONS) >= 25
    assert len({q.topic for q in QUESTIONS}) >= 10


def test_questions_from_the_exam_are_in_chinese_as_well() -> None:
    exam = [q for q in QUESTIONS if q.strategy and q.strategy.provenance is Provenance.EXAM]
    assert len(exam) >= 5
    assert all("zh" in q.statement and "zh" in q.title for q in exam)


def test_questions_to_optimise_an_operator_have_points_for_all_seven_steps() -> None:
    steps = {Aspect.MAGNITUDE, Aspect.WORK, Aspect.BOUND, Aspect.PARALLELISM, Aspect.ACCESS, Aspect.PROFILE}
    for id, strategy in strategies():
        if id.startswith("optimise-"):
            assert steps <= {point.aspect for point in strategy.points}, id


def test_every_question_is_followed_up_at_least_two_deep() -> None:
    assert [id for id, strategy in strategies() if len(strategy.followups) < 2] == []


def test_every_kernel_task_has_follow_ups() -> None:
    tasks = [LIBRARY.question(e.id) for e in LIBRARY.index.entries if e.kind is Kind.KERNEL]
    assert [q.id for q in tasks if len(LIBRARY.followups(q)) < 4] == []


def test_discussions_have_more_than_one_point() -> None:
    lines = [strategy.followups for _, strategy in strategies()] + list(TREES.values())
    few = [
        item.ask["en"]
        for line in lines
        for item in (followup.item for followup in line)
        if isinstance(item, Discussion) and len(item.points) < 2
    ]
    assert few == []


def test_questions_are_plain_data_in_both_languages() -> None:
    for question in QUESTIONS:
        for language in ("en", "zh"):
            json.dumps(strategy_json(question, language), allow_nan=False)
