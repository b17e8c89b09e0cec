"""The built-in quizzes are sound; `warpdojo check --run` does the same with more seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.questions.recomputed import ANSWERS
from trainer.bank.library import Library
from trainer.bank.quiz import Form
from trainer.quiz.draw import draw
from trainer.quiz.lint import disagreement, lint_quiz
from trainer.sim.backend import SimBackend

LIBRARY = Library.open(environ={})
IDS = frozenset(e.id for e in LIBRARY.index.entries)
QUIZZES = [LIBRARY.question(e.id) for e in LIBRARY.index.entries if e.kind == "quiz"]
TEMPLATES = [q for q in QUIZZES if q.quiz and q.quiz.template]
STATIC = [q for q in QUIZZES if q.quiz and q.quiz.quiz]
SEEDS = 12


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


def test_every_quiz_passes_its_lint() -> None:
    findings = [f for q in QUIZZES for f in lint_quiz(q, IDS, seeds=SEEDS)]
    assert [f"{f.where}: {f.message}" for f in findings] == []


def test_there_are_enough_templates_and_most_speak_of_memory() -> None:
    assert len(TEMPLATES) >= 30
    assert sum(q.topic in ("global-memory", "shared-memory") for q in TEMPLATES) >= 12


@pytest.mark.parametrize("question", TEMPLATES, ids=lambda q: q.id)
def test_the_simulator_counts_what_a_draw_says(question: object, backend: SimBackend) -> None:
    sample = draw(question, 2026).quiz.sample  # type: ignore[arg-type]
    assert sample is None or list(disagreement(sample, backend)) == []


def test_every_number_is_computed_again() -> None:
    stated = {
        q.id: q.quiz.quiz.numeric.value
        for q in STATIC
        if q.quiz and q.quiz.quiz and q.quiz.quiz.form is Form.NUMERIC and q.quiz.quiz.numeric
    }
    assert set(ANSWERS) == set(stated)
    off = {
        id: (value, ANSWERS[id])
        for id, value in stated.items()
        if not LIBRARY.question(id).quiz.quiz.numeric.accepts(ANSWERS[id])  # type: ignore[union-attr]
    }
    assert off == {}


def test_drawn_questions_are_plain_data_in_both_languages() -> None:
    from trainer.quiz.as_json import drawn_json

    for question in QUIZZES:
        for language in ("en", "zh"):
            json.dumps(drawn_json(draw(question, 1), language), allow_nan=False)
