from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.strategy.examples import discussion, en, number, strategy
from trainer.bank.model import Kind, Question
from trainer.bank.quiz import Analysis, Measure
from trainer.bank.strategy import Aspect, Followup, Point, QuizAsked, Strategy
from trainer.sim.backend import SimBackend
from trainer.strategy.lint import lint_followups, lint_strategy

KNOWN = {"float4-on-a-vector-add": Kind.QUIZ, "reduction": Kind.KERNEL}
SOURCE = """\
__global__ void every_other(const float* x, float* y, int n) {
    float value = x[2 * threadIdx.x];  // 1
    y[threadIdx.x] = value;
}
extern "C" void solve(const float* x, float* y, int n) { every_other<<<1, 32>>>(x, y, n); }
"""


def question(made: Strategy) -> Question:
    path = Path("questions/basics/example.yaml")
    return Question(
        "example", Kind.STRATEGY, "basics", "easy", en("Title"), made.prompt, (), path, strategy=made
    )


def messages(made: Strategy) -> list[str]:
    return [finding.message for finding in lint_strategy(question(made), KNOWN)]


def test_a_sound_question_has_no_findings() -> None:
    assert messages(strategy()) == []


def test_too_few_points_or_numbers_for_a_level_are_found() -> None:
    made = replace(strategy(), numbers=(), points=strategy().points[:2])
    assert messages(made) == [
        "has 2 points; a level needs 5",
        "has 2 points about the principle; a level needs 3",
        "has 0 points about work, magnitude, profile or plan; a level needs 1",
        "has 0 numbers; a level needs 1",
    ]


def test_a_point_that_is_there_twice_is_found() -> None:
    made = replace(strategy(), points=(*strategy().points, Point(Aspect.PLAN, en("SAYS bound"))))
    assert messages(made) == ["two points are 'SAYS bound'"]


def test_a_right_number_that_would_be_refused_is_found() -> None:
    exact = replace(number(1 / 3), answer=replace(number(1 / 3).answer, relative=0.0))
    said = messages(replace(strategy(), numbers=(exact,)))
    assert said == [
        "'0.333333' is not accepted as an answer to 'How fast?'",
        "'0.333333 TB/s' is not accepted as an answer to 'How fast?'",
    ]


@pytest.mark.parametrize("name", ["reduction", "nothing"])
def test_follow_ups_name_quizzes(name: str) -> None:
    line = (Followup(discussion(), (Followup(QuizAsked(name)),)), Followup(number()))
    assert messages(replace(strategy(), followups=line)) == [f"the follow-up {name!r} is no quiz or analysis"]


def test_a_quiz_that_is_asked_twice_is_found() -> None:
    line = (Followup(QuizAsked("float4-on-a-vector-add")),) * 2
    said = messages(replace(strategy(), followups=line))
    assert said == ["the follow-up 'float4-on-a-vector-add' is asked twice"]


def test_a_text_without_a_translation_that_others_have_is_found() -> None:
    half = replace(strategy(), prompt={"en": "Make it fast.", "zh": "优化。"}, followups=())
    said = messages(half)
    assert "there is no 'zh' for 'Title'" in said and "there is no 'zh' for 'The data sheet says so.'" in said
    assert "there is no 'zh' for 'Make it fast.'" not in said


def test_counters_of_an_exhibit_are_counted_again() -> None:
    shown = Analysis(SOURCE, Measure.SECTORS, (8,), 64, 64)
    backend = SimBackend()
    try:
        for costs, said in (
            ((8,), []),
            ((4,), ["the simulator counts 8 sectors at line 1; the answer says 4"]),
        ):
            made = question(replace(strategy(), exhibit=replace(shown, costs=costs)))
            assert [finding.message for finding in lint_strategy(made, KNOWN, backend)] == said
    finally:
        backend.close()


def test_a_file_of_follow_ups_is_named_after_a_topic_or_a_task(tmp_path: Path) -> None:
    for name, found in (("basics", 0), ("reduction", 0), ("float4-on-a-vector-add", 1), ("other", 1)):
        path = tmp_path / f"{name}.yaml"
        path.write_text("followups:\n  - {ask: Why?, points: [so, thus], answer: Because.}\n")
        assert len(list(lint_followups(path, KNOWN, {"basics"}))) == found
