"""The built-in quizzes are sound; `warpdojo check --run` does the same with more seeds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from tests.questions.recomputed import ANSWERS, DRAWN
from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.bank.quiz import Form, Quiz
from trainer.quiz.draw import draw
from trainer.quiz.lint import disagreement, lint_quiz
from trainer.quiz.proof import disproof
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
def test_a_kernel_or_a_second_computation_gives_what_a_draw_says(
    question: Question, backend: SimBackend
) -> None:
    quiz = draw(question, 2026).quiz
    if quiz.sample is not None:
        assert list(disagreement(quiz.sample, backend)) == []
    elif quiz.proof is not None:
        assert list(disproof(quiz.proof, backend)) == []
    else:
        again = DRAWN[question.id]
        for seed in range(50):
            quiz = draw(question, seed).quiz
            near = pytest.approx(right_number(quiz), rel=6e-3)  # vendors round their peaks
            assert again(quiz) == near, seed


def test_only_templates_without_a_kernel_are_computed_by_hand() -> None:
    assert {q.id for q in TEMPLATES if not (s := draw(q, 1).quiz).sample and not s.proof} == set(DRAWN)


def test_a_wrong_answer_disagrees_with_its_program(backend: SimBackend) -> None:
    proof = draw(LIBRARY.question("mma-count"), 1).quiz.proof
    assert proof is not None
    (told,) = disproof(replace(proof, answer=proof.answer + 1), backend)
    assert f"the answer is {proof.answer + 1}" in told


def right_number(quiz: Quiz) -> float:
    """The number of the right option, to the four digits that are shown, or of the answer."""
    if quiz.numeric is not None:
        return quiz.numeric.value
    (right,) = (option.text["en"] for option in quiz.options if option.correct)
    shown = re.match(r"[\d,.]+", right)
    assert shown is not None
    return float(shown[0].replace(",", ""))


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


def test_one_of_a_thing_is_written_as_one() -> None:
    things = "sectors|bytes|floats|elements|words|wavefronts|lanes|warps|blocks|stages|pieces|multiply-adds"
    several = re.compile(rf"(?<![·×*/+=^] )(?<![\d.,^])\b1 (?:(?:different )?(?:{things})|fit)\b")
    found = []
    for question in TEMPLATES:
        for seed in range(12):
            drawn = draw(question, seed)
            whys = [option.why for option in drawn.options if option.why is not None]
            texts = [drawn.quiz.prompt, drawn.quiz.explanation, *whys]
            found += [(question.id, seed, m[0]) for text in texts for m in several.finditer(text["en"])]
    assert found == []


def test_no_text_becomes_a_list_or_a_heading_by_a_line_break() -> None:
    accidents = {"bullet_list_open", "ordered_list_open", "heading_open", "blockquote_open", "hr"}
    found = []
    for question in (LIBRARY.question(e.id) for e in LIBRARY.index.entries if e.kind in ("quiz", "analysis")):
        quiz = draw(question, 3).quiz
        for text in (*quiz.prompt.values(), *quiz.explanation.values()):
            if accidents & {token.type for token in MarkdownIt().parse(text)}:
                found.append((question.id, text))
    assert found == []
