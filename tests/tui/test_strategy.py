"""Strategy questions: numbers and words, points, follow-ups, a level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.strategy.examples import discussion, en, number
from tests.tui.driving import (
    HOSTILE,
    NARROW,
    SIZES,
    WIDE,
    drive,
    text_of,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.bank.model import Kind, Question
from trainer.bank.quiz import Provenance
from trainer.bank.strategy import Aspect, Discussion, Followup, Point, QuizAsked, Strategy
from trainer.tui.screens.strategy import Phase, StrategyScreen
from trainer.tui.services import Services

POINTS = (Point(Aspect.BOUND, en(f"bound {HOSTILE}")), Point(Aspect.WORK, en("work")))
SPOKEN = Discussion(en("Why that?"), (en("reason one"), en("reason two")), en("A good reason."))


def strategy(*followups: Followup) -> Strategy:
    prompt, answer = en(f"Plan it: `{HOSTILE}`."), en("Like this, with numbers.")
    return Strategy(Provenance.DERIVED, prompt, 10, (number(),), POINTS, answer, followups)


async def ask(pilot: Pilot[int], *followups: Followup) -> Any:
    question = Question(
        "q", Kind.STRATEGY, "matmul", "hard", en(f"Title {HOSTILE}"), en(""), (), Path("q.yaml"),
        strategy=strategy(*followups),
    )  # fmt: skip
    assert question.strategy is not None
    pilot.app.push_screen(StrategyScreen(question, question.strategy))
    return await until_screen(pilot, "StrategyScreen")


async def to_the_points(pilot: Pilot[int], typed: str) -> None:
    await pilot.press(*typed, "f5")
    await until_text(pilot, "PgDn shows a good answer")
    await pilot.press("enter")
    await until_text(pilot, "Which of these did you say?", f"bound: bound {HOSTILE}"[:30])


@pytest.mark.parametrize("size", SIZES)
def test_numbers_words_and_points_add_up_to_a_level_that_is_kept(
    services: Services, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await until_text(pilot, f"Plan it: {HOSTILE}"[:40], "How fast?")
        await pilot.press(*"4.8", "tab", *"at 5 o'clock")
        await to_the_points(pilot, "")
        await pilot.press("1", "down", "space", "enter")
        await until_text(pilot, "Level A", "1 of 1 numbers, 2 of 2 points", "score 100")
        await until(pilot, services.attempts)
        attempt = services.attempts()[0]
        kept = services.source(attempt.source_sha256)
        assert attempt.verdict == "accepted" and kept is not None and "at 5 o'clock" in kept
        await pilot.press("enter")
        await until_screen(pilot, "Home")

    drive(services, scenario, size)


def test_a_good_answer_and_what_was_right_come_after_handing_in(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot)
        assert "with numbers" not in text_of(pilot.app)
        await pilot.press(*"3.35 TB/s", "f5")
        await until_text(pilot, "✗ not right", "4.8 TB/s", "That is an H100.", "The data sheet says so.")
        await until_text(pilot, "A good answer", "Like this, with numbers.")

    drive(services, scenario, WIDE)


def test_what_is_no_number_is_not_handed_in(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot)
        await pilot.press(*"4.8 apples", "f5")
        await until_text(pilot, "Type a number in TB/s", "or 1.2e3.")
        assert screen.phase is Phase.ANSWER

    drive(services, scenario, NARROW)


def test_follow_ups_are_asked_one_by_one_until_one_is_failed(services: Services) -> None:
    easier = (Followup(number(2, "times")),)
    tree = (Followup(SPOKEN, easier), Followup(QuizAsked("float4-on-a-vector-add")), Followup(discussion(3)))

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot, *tree)
        await to_the_points(pilot, "4.8")
        await pilot.press("1", "2", "enter")
        await until_text(pilot, "Follow-up", "Why that?")
        await pilot.press(*"no idea", "f5")
        await until_text(pilot, "A good reason.", "reason two")
        await pilot.press("enter")
        await until_text(pilot, "An easier one", "How fast?")
        await pilot.press("enter")  # held too long
        await until_text(pilot, "Type a number first.")
        await pilot.press("2", "enter")
        await until_text(pilot, "✓ right")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query("#options") and "● " not in text_of(pilot.app))
        await pilot.press("a")
        await until_text(pilot, "the answer is")
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.followups) == 3)
        await pilot.press("escape")
        await until(pilot, lambda: screen.phase is Phase.DONE)
        assert [followup.passed for followup in screen.followups][:2] == [False, True]

    drive(services, scenario, NARROW)


def test_what_was_not_handed_in_is_back_next_time_numbers_and_words(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot)
        await pilot.press(*"4.8", "tab", *"my plan", "escape")
        await until_screen(pilot, "Home")
        screen = await ask(pilot)
        await until(pilot, lambda: "what you wrote last time is back" in told(pilot.app))
        await until_text(pilot, "4.8", "my plan")
        await to_the_points(pilot, "")
        await pilot.press("1", "2", "enter")
        await until(pilot, lambda: screen.phase is Phase.DONE)
        await pilot.press("enter")
        await ask(pilot)
        assert "4.8" not in text_of(pilot.app)

    drive(services, scenario)


def test_what_is_typed_is_on_the_disk_a_moment_later(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot)
        await pilot.press(*"4.8")
        await until(pilot, lambda: "4.8" in (screen._draft.read() or ""), 3)

    drive(services, scenario)


def test_an_empty_form_is_handed_in_only_on_purpose(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await ask(pilot)
        await pilot.press("f5")
        await until_text(pilot, "Nothing is written yet.")
        await pilot.press("n")
        await until_screen(pilot, "StrategyScreen")
        assert screen.phase is Phase.ANSWER
        await pilot.press("f5", "y")
        await until_text(pilot, "✗ no answer")

    drive(services, scenario)
