"""Quizzes: answered by letter, by number, in order; with what comes after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import NOW
from tests.tui.driving import (
    HOSTILE,
    SIZES,
    WIDE,
    WORST,
    FakeRemote,
    drive,
    make_services,
    text_of,
    until,
    until_screen,
    until_text,
)
from trainer.bank.model import Kind, Question
from trainer.bank.quiz import Analysis, Form, Measure, Numeric, Option, Picture, Provenance, Quiz, QuizFile
from trainer.grade.backend import Compiled, RunOutcome, RunRequest
from trainer.quiz.draw import LETTERS, Drawn
from trainer.sim.report import Access, SimReport, Space
from trainer.tui.screens.quiz import QuizScreen
from trainer.tui.services import Services
from trainer.tui.widgets.lines_answer import LineRow


def text(words: str) -> dict[str, str]:
    return {"en": words}


def drawn(form: Form, *options: Option, solution: tuple[int, ...] = (), **fields: Any) -> Drawn:
    quiz = Quiz(form, text(f"Prompt `{HOSTILE}`?"), text("Because of the banks."), options, **fields)
    file = QuizFile(Provenance.DERIVED, quiz=quiz)
    question = Question(
        "q", Kind.QUIZ, "banks", "easy", text(f"Title {HOSTILE}"), text(""), (), Path("q.yaml"), quiz=file
    )
    return Drawn(question, 1, quiz, options, solution)


RIGHT = Option(text(f"right {HOSTILE}"), True, text("it is"))
WRONG = Option(text("wrong"), False, text(f"why wrong {HOSTILE}"))
SINGLE = drawn(
    Form.SINGLE, WRONG, RIGHT, solution=(1,), picture=Picture("shared", tuple(range(0, 4096, 128)), 4)
)
MULTIPLE = drawn(Form.MULTIPLE, RIGHT, WRONG, RIGHT, solution=(0, 2))
ORDERING = drawn(Form.ORDERING, RIGHT, RIGHT, RIGHT, solution=(2, 0, 1))
KERNEL = f"k() {{\n    float v = x[t];    // 1\n  y[32 * t] = v;  // 2\n}} // {HOSTILE}\n"
LINES = drawn(Form.LINES, analysis=Analysis(KERNEL, Measure.SECTORS, (4, 32), floats=64, n=64))
NUMERIC = drawn(Form.NUMERIC, numeric=Numeric(12.5, text("µs"), relative=0.01))


async def ask(pilot: Pilot[int], *questions: Drawn) -> Any:
    pilot.app.push_screen(QuizScreen(list(questions)))
    screen = await until_screen(pilot, "QuizScreen")
    await until(pilot, lambda: screen.drawn is not None)
    return screen


@pytest.mark.parametrize("size", SIZES)
def test_a_letter_answers_and_the_reason_and_the_picture_follow(
    services: Services, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, SINGLE)
        await until_text(pilot, f"right {HOSTILE}")
        await pilot.press("a")
        await until_text(
            pilot, "✗ not right", "the answer is b", f"why wrong {HOSTILE}", "Because of the banks.", "bank 0"
        )
        await until(pilot, lambda: services.attempts() and services.attempts()[0].verdict == "wrong_answer")

    drive(services, scenario, size)


def test_several_are_picked_and_answered_with_enter(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, MULTIPLE)
        await pilot.press("a", "c", "b", "b")
        await until_text(pilot, "[x] a", "[ ] b", "[x] c")
        await pilot.press("enter")
        await until_text(pilot, "✓ right", "the answer is ac")

    drive(services, scenario)


def test_an_order_is_picked_one_by_one(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, ORDERING)
        await pilot.press("c", "b", "backspace", "a", "b")
        await until_text(pilot, "2. a", "3. b", "1. c")
        await pilot.press("enter")
        await until_text(pilot, "✓ right")

    drive(services, scenario)


def test_an_incomplete_answer_is_no_answer(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, ORDERING)
        await pilot.press("c", "enter")
        await until_text(pilot, "Not all have a place yet: pick them in order")
        assert screen.judgement is None

    drive(services, scenario)


def test_enter_answers_what_was_pointed_at_and_nothing_else(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, SINGLE, SINGLE)
        await pilot.press("enter")
        await until_text(pilot, "Nothing is picked yet: a letter or a click answers")
        assert screen.judgement is None
        await pilot.press("down", "down", "enter")
        await until_text(pilot, "✓ right", "the answer is b")
        await pilot.press("enter", "enter", "enter")  # held too long
        await until_text(pilot, "2/2", "Nothing is picked yet")
        assert screen.judgement is None
        assert len(services.attempts()) <= 1

    drive(services, scenario)


def test_an_order_that_was_answered_stands_beside_the_right_one(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, ORDERING)
        await pilot.press(*"cba", "enter")
        shown = await until_text(pilot, "✗ not right   the answer is cab, yours was cba")
        rows = [line.split() for line in shown.splitlines()]
        assert any(row[:2] == ["2.", "a"] and row[-3:] == ["✗", "you:", "3."] for row in rows)
        assert any(row[:2] == ["1.", "c"] and row[-1] == "✓" for row in rows)

    drive(services, scenario, WIDE)


def test_a_number_is_typed(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, NUMERIC)
        assert "in µs" in text_of(pilot.app)
        await pilot.press(*"12.4", "enter")
        await until_text(pilot, "✓ right", "the answer is 12.5")

    drive(services, scenario)


class Counter(FakeRemote):
    """Saw the kernel of LINES, or cannot compile it."""

    def __init__(self, problem: str = "") -> None:
        super().__init__()
        self._problem = problem

    def compile(self, source: str, signature: Any) -> Compiled:
        return Compiled(not self._problem, "solve", (), (), "", 0.0, message=self._problem)

    def run(self, request: RunRequest) -> RunOutcome:
        load = Access("k", 2, "float v = x[t];", Space.GLOBAL, "load", 4, 2, 8, 8, None, None, worst=WORST)
        store = Access("k", 3, "y[32 * t] = v;", Space.GLOBAL, "store", 4, 2, 64, 8, None, None, worst=WORST)
        return RunOutcome({}, report=SimReport(access=(load, store)))


@pytest.mark.parametrize("size", SIZES)
def test_marked_lines_are_answered_one_by_one_and_each_gets_its_picture(size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, LINES)
        await until_text(pilot, "1  float v = x[t];", "2  y[32 * t] = v;", "sectors")
        await pilot.press("4", "enter", *"31", "up", "down", "enter")
        await until_text(pilot, "not right", "the answer is 4 32", "4 sectors each, 2 requests")
        told = [row.content.plain for row in screen.query(".line-told")]
        assert told == ["✓ sectors", "✗ 32 sectors"]
        picture = screen.query_one("#quiz-picture").content.plain
        assert "32 sectors each, 2 requests" in picture and "4/32 x1" in picture

    drive(make_services(Counter(), NOW), scenario, size)


def test_a_line_without_a_number_gets_advice(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, LINES)
        await pilot.press("4", "enter", "enter")
        assert screen.judgement is None
        await pilot.press("-", *"1234567890", "enter")
        assert screen.query(LineRow).last().field.value == "1234567890"
        await until_text(pilot, "Type 2 whole numbers")

    drive(services, scenario)


def test_a_picture_that_cannot_be_made_says_why() -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, LINES)
        await pilot.press("4", "enter", *"32", "enter")
        await until_text(pilot, "✓ right", f"no picture: its kernel does not compile: {HOSTILE}")

    drive(make_services(Counter(HOSTILE), NOW), scenario, WIDE)


def test_a_topic_goes_on_question_after_question(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_question("strided-loads")
        first = await until_screen(pilot, "QuizScreen")
        await until(pilot, lambda: first.drawn is not None)
        await pilot.press("n")
        assert app.screen is first  # not before it is answered
        await pilot.press("a")
        await until_text(pilot, "n another of this topic")
        await pilot.press("n")
        await until(pilot, lambda: app.screen is not first and type(app.screen).__name__ != "Home")
        assert app.screen_stack[-2].__class__.__name__ == "Home"

    drive(services, scenario)


def test_a_mouse_picks_an_option(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, SINGLE)
        await pilot.click("#options", offset=(5, 1))
        await until(pilot, lambda: screen.judgement is not None)
        assert screen.judgement.right

    drive(services, scenario)


def test_what_is_missed_or_skipped_comes_back(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, SINGLE, NUMERIC)
        await pilot.press("a")  # wrong
        await until(pilot, lambda: screen.judgement is not None)
        await pilot.press("enter")
        await until(pilot, lambda: screen.drawn is NUMERIC)
        await pilot.press("s")
        await until_text(pilot, "1/2 again")
        await pilot.press("b", "enter")
        await until(pilot, lambda: screen.drawn is NUMERIC)
        await pilot.press(*"12.5", "enter", "enter")
        await until_text(pilot, "Done", "1 of 2 right at once")

    drive(services, scenario)


def test_a_template_is_asked_again_with_new_numbers(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_question("strided-loads")
        screen = await until_screen(pilot, "QuizScreen")
        await until(pilot, lambda: screen.drawn is not None)
        first = screen.drawn
        await pilot.press(LETTERS[first.solution[0]])
        await until_text(pilot, "✓ right")
        await pilot.press("v")
        await until(pilot, lambda: screen.drawn.seed != first.seed and screen.judgement is None)

    drive(services, scenario)


def test_z_asks_ten_questions_of_all_topics(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("z")
        screen = await until_screen(pilot, "QuizScreen")
        assert len(screen.session.questions) == 10

    drive(services, scenario)
