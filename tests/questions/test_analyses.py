"""Analyses: the simulator runs each kernel and has to count what the answers say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from trainer.bank.library import Library
from trainer.bank.quiz import Measure
from trainer.quiz.draw import draw
from trainer.quiz.judge import expected, judge, parse_answer
from trainer.quiz.lint import analysis_disagreement, lint_quiz
from trainer.sim.backend import SimBackend

LIBRARY = Library.open(environ={})
IDS = frozenset(e.id for e in LIBRARY.index.entries)
DIVERGENT_ON_H200 = {"analyse-which-branches-part": 5, "analyse-loops-of-unequal-length": 6}
"""smsp__sass_branch_targets_threads_divergent.sum of the kernel, for those that ptxas does not predicate;
Nsight Compute, driver 580.159.04, 2026-11-30."""
ANALYSES = [LIBRARY.question(e.id) for e in LIBRARY.index.entries if e.kind == "analysis"]


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


def test_there_are_twenty_analyses_and_each_passes_its_lint() -> None:
    assert len(ANALYSES) >= 20
    findings = [f.message for q in ANALYSES for f in lint_quiz(q, IDS, seeds=1)]
    assert findings == []


def test_the_example_of_an_answer_has_its_length_and_gives_nothing_away() -> None:
    for question in ANALYSES:
        drawn = draw(question, 0)
        example = expected(drawn).rpartition("such as ")[2].rstrip(".")
        assert not judge(drawn, parse_answer(drawn, example)).right, question.id


def test_memory_banks_and_divergence_are_asked_about() -> None:
    measures = Counter(q.quiz.quiz.analysis.measure for q in ANALYSES)  # type: ignore[union-attr]
    assert set(measures) == set(Measure)
    assert measures[Measure.LANES] + measures[Measure.DIVERGENT] >= 4


@pytest.mark.parametrize(("question_id", "counted"), DIVERGENT_ON_H200.items())
def test_divergent_branches_are_those_that_a_gpu_counted(question_id: str, counted: int) -> None:
    file = LIBRARY.question(question_id).quiz
    assert file is not None and file.quiz is not None and file.quiz.analysis is not None
    assert sum(file.quiz.analysis.costs) == counted


@pytest.mark.parametrize("question", ANALYSES, ids=lambda q: q.id)
def test_the_simulator_counts_what_the_answers_say(question: object, backend: SimBackend) -> None:
    analysis = question.quiz.quiz.analysis  # type: ignore[attr-defined]
    assert list(analysis_disagreement(analysis, backend)) == []
