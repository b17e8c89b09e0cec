"""A mock interview on the screen."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.interview.steps import asked, plan, section
from tests.tui.conftest import NOW
from tests.tui.driving import (
    SIZES,
    WIDE,
    FakeRemote,
    drive,
    make_services,
    open_task,
    text_of,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.bank.model import Kind
from trainer.interview import session as module
from trainer.interview.blueprint import Movement, Run
from trainer.interview.events import End
from trainer.interview.plan import Plan
from trainer.interview.session import Look, Session
from trainer.interview.state import State
from trainer.store.interviews import InterviewLog
from trainer.tui.interview.clock import Alarm
from trainer.tui.services import Services

QUIZ, OTHER = "float4-on-a-vector-add", "what-float4-saves"


class Watch:
    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        return self.at

    def forward(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def timed(backend: FakeRemote, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Services:
    """The clock goes by hand: then every step of it would look like sleep."""
    monkeypatch.setattr(module, "GAP_S", 1e9)
    services = make_services(backend, NOW)
    services.now = watch
    return services


def small(*, strict: bool = False, run: Run = Run.GRADE, stages: tuple[dict[str, str], ...] = ()) -> Plan:
    kernel = asked("2.1", Kind.KERNEL, 8.0, question="relu", topic="elementwise", run=run, stages=stages)
    return plan(
        section(asked("1.1", question=QUIZ), asked("1.2", question=OTHER), minutes=12, weight=40),
        section(kernel, minutes=8, weight=60),
        strict=strict,
    )


async def begin(pilot: Pilot[int], chosen: Plan) -> Any:
    app: Any = pilot.app
    app.open_interviews(chosen)
    screen = await until_screen(pilot, "InterviewScreen")
    await until(pilot, lambda: screen.pane is not None)
    return screen


def test_words_are_said_once_at_five_and_one_minute() -> None:
    alarm, state = Alarm(), State(small())
    said = [list(alarm.words(Look(0, left, left - 480), state)) for left in (900, 780, 770, 539, 300, 55, 40)]
    assert said == [
        [], ["5 minutes left in section 1"], [], ["1 minute left in section 1"], ["5 minutes left in all"],
        ["1 minute left in all"], [],
    ]  # fmt: skip


def test_what_is_left_is_said_as_it_is_where_the_moment_was_missed() -> None:
    said = list(Alarm().words(Look(0, 169, 20), State(small())))
    assert said == ["2:49 left in all", "0:20 left in section 1"]


@pytest.mark.parametrize("size", SIZES)
def test_questions_their_state_and_the_clock_are_there(
    timed: Services, watch: Watch, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small())
        await until_text(pilot, "section 12:00, 20:00 left, practice", "1.1 quiz", "2.1 shut")
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.session.state.open_key == "1.2")
        assert screen.session.state.answer("1.1").fields == {"answer": "a"}
        watch.forward(61)
        await until_text(pilot, "section 10:59, 18:59 left")
        await pilot.press("t")
        await until_text(pilot, "t: clock, practice")
        await pilot.press("left")
        await until(pilot, lambda: screen.session.state.open_key == "1.1")
        await until_text(pilot, "●")

    drive(timed, scenario, size)


def test_a_question_asked_for_while_another_is_being_set_up_comes_after_it(timed: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small())
        for key in ("1.2", "1.1", "1.2"):
            screen.run_worker(screen._go_to(key))
        await until(pilot, lambda: not screen._showing.locked() and screen.session.state.open_key == "1.2")
        assert [pane.asked.key for pane in screen.query("#pane")] == ["1.2"]

    drive(timed, scenario)


def test_from_the_first_question_to_the_report(timed: Services, watch: Watch) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        screen = await begin(pilot, small())
        watch.forward(90)
        await pilot.press("a", "enter")
        await until(pilot, lambda: screen.session.state.open_key == "1.2")
        watch.forward(30)
        await pilot.press("S", "y")
        await until(pilot, lambda: screen.session.state.open_key == "2.1")
        await write_kernel(pilot, screen)
        await pilot.press("g")
        await until_text(pilot, "✓ accepted")
        assert "ladder" not in text_of(app).lower() and "place" not in text_of(app)
        await pilot.press("b", *"memory", "enter", *"3e7", "enter", *"1 GB", "enter")
        await pilot.press("H", "y")
        await until_screen(pilot, "InterviewFollowup")
        await pilot.press("escape")
        await until_text(pilot, "✓ handed in")
        watch.forward(60)
        await pilot.press("F", "y")
        await report_of(pilot)
        await until_text(pilot, "of 100", "practice, handed in")
        report = app.screen.report
        kernel = report.sections[1].questions[0]
        assert [(p.name, p.got) for p in kernel.parts][:2] == [("correct", 40.0), ("boundary", 5.0)]
        assert kernel.parts[4].how.startswith("bound 2.5 + operations 2.5 + bytes 0")
        assert (report.sections[0].questions[0].spent_s, report.spent_s) == (90, 180)
        await pilot.press("w")
        folder = timed.workspace / "interviews" / report.id
        await until(pilot, lambda: (folder / "report.json").exists())
        assert (folder / "report.md").read_text().startswith("# Test: ")
        await pilot.press("1")
        opened = await until_screen(pilot, "QuizScreen")
        assert opened.drawn.question.id == report.advice[0].question == OTHER

    drive(timed, scenario, WIDE)


async def write_kernel(pilot: Pilot[int], screen: Any) -> None:
    """Edit the starter in place, save and close."""
    await pilot.press("E")
    await until(pilot, lambda: screen.pane.code.editing)
    await pilot.press(*"// mine", "escape")
    await until(pilot, lambda: not screen.pane.code.editing)
    await until(pilot, lambda: "// mine" in (screen.session.state.answer("2.1").file or ""))


async def report_of(pilot: Pilot[int]) -> Any:
    screen = await until_screen(pilot, "EndScreen")
    await until(pilot, lambda: screen.report is not None)
    return screen.report


async def time_up(pilot: Pilot[int], watch: Watch, words: str) -> None:
    """Wait for the notice, and confirm it."""
    await until_screen(pilot, "TimeUpScreen")
    await until_text(pilot, words)
    watch.forward(1)
    await pilot.press("enter")
    await until(pilot, lambda: type(pilot.app.screen).__name__ != "TimeUpScreen")


TYPED = (*"ab1wS", "enter", "escape", "tab", "space", "right", "ctrl+z", "ctrl+p", "f1", "slash")


def test_what_is_typed_as_a_section_ends_answers_nothing_in_the_next(timed: Services, watch: Watch) -> None:
    first = section(asked("1.1", question=QUIZ), minutes=12, weight=40)
    chosen = plan(first, section(asked("2.1", question=OTHER), minutes=8, weight=60), strict=True)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, chosen)
        watch.forward(12 * 60)
        await until(pilot, lambda: screen.session.state.open_key == "2.1" and screen.pane is not None)
        await pilot.press(*TYPED)
        assert type(pilot.app.screen).__name__ == "TimeUpScreen"
        assert screen.session.state.answer("2.1").is_empty and not told(pilot.app)
        watch.forward(1)
        await pilot.click("#go-on")
        await until_screen(pilot, "InterviewScreen")
        await until_text(pilot, "7:59 left, strict")
        await pilot.press("b")
        await until(pilot, lambda: screen.session.state.answer("2.1").fields == {"answer": "b"})

    drive(timed, scenario)


def test_a_question_about_a_section_that_time_has_ended_is_void(timed: Services, watch: Watch) -> None:
    minutes = ((asked("1.1", question=QUIZ), 12), (asked("2.1", question=OTHER), 8), (asked("3.1"), 8))
    chosen = plan(*(section(each, minutes=length, weight=30) for each, length in minutes), strict=True)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, chosen)
        await pilot.press("S")
        await until_screen(pilot, "ConfirmScreen")
        watch.forward(12 * 60)
        await time_up(pilot, watch, "Time for this section is up")
        await until_screen(pilot, "ConfirmScreen")
        await pilot.press("y")
        await until_screen(pilot, "InterviewScreen")
        await pilot.pause(0.1)
        assert screen.session.state.open_key == "2.1"

    drive(timed, scenario)


def test_what_is_typed_as_the_interview_ends_does_nothing_to_the_report(
    timed: Services, watch: Watch
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        screen = await begin(pilot, plan(section(asked("1.1", question=QUIZ), minutes=12, weight=40)))
        await pilot.press("N", *"late")
        await until(pilot, lambda: screen.session.state.notes == "late")
        watch.forward(12 * 60)
        await until(pilot, lambda: screen.session.state.end is not None)
        await until(pilot, lambda: getattr(app.screen_stack[-2], "report", None) is not None)
        await pilot.press(*TYPED)
        assert type(app.screen).__name__ == "TimeUpScreen" and not told(app)
        assert not (timed.workspace / "interviews" / screen.session.id).exists()
        await time_up(pilot, watch, "Time is up")
        await report_of(pilot)

    drive(timed, scenario)


def test_time_up_grades_what_is_there(timed: Services, watch: Watch) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small(strict=True))
        await pilot.press("a")
        watch.forward(12 * 60)
        await until(pilot, lambda: screen.session.state.open_key == "2.1")
        await time_up(pilot, watch, "Time for this section is up")
        await pilot.press("N", *"late")
        await until_screen(pilot, "NotesScreen")
        watch.forward(3 * 60)
        await until(pilot, lambda: "5 minutes left in all" in told(pilot.app))
        watch.forward(4 * 60)
        await until(pilot, lambda: "1 minute left in all" in told(pilot.app))
        watch.forward(59)
        await time_up(pilot, watch, "Time is up")
        report = await report_of(pilot)
        assert report.ended == End.TIME_UP.value and report.strict and report.spent_s == 1200
        assert report.sections[0].questions[0].answered and not report.sections[1].questions[0].answered

    drive(timed, scenario)


def test_sleep_is_asked_about_and_leaving_it_out_costs_strictness(backend: FakeRemote, watch: Watch) -> None:
    services = make_services(backend, NOW)
    services.now = watch

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small(strict=True))
        await until_text(pilot, "20:00 left, strict")
        watch.forward(300)
        await until_screen(pilot, "ConfirmScreen")
        await until_text(pilot, "No sign of life for 5:00")
        await pilot.press("y")
        await until_text(pilot, "20:00 left, practice")
        watch.forward(120)
        await until_screen(pilot, "ConfirmScreen")
        await pilot.press("n")
        await until_text(pilot, "18:00 left, practice")
        assert not screen.session.state.strict

    drive(services, scenario)


def test_practice_has_a_pause_behind_a_curtain(timed: Services, watch: Watch) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small())
        await until_text(pilot, "float4")
        await pilot.press("P")
        await until_text(pilot, "Paused")
        assert "float4" not in text_of(pilot.app)
        watch.forward(5000)
        await pilot.press("enter")
        await until_text(pilot, "20:00 left", "float4")
        assert not screen.session.state.paused

    drive(timed, scenario)


def test_everything_else_is_shut_and_strict_has_no_pause(timed: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await begin(pilot, small(strict=True))
        app: Any = pilot.app
        await pilot.press("slash", "P")
        await until(pilot, lambda: "shut until the end" in told(app))
        assert type(app.screen).__name__ == "InterviewScreen"
        assert [command.title for command in app.get_system_commands(app.screen)] == [
            "Help: keys of this screen"
        ]

    drive(timed, scenario)


def test_a_letter_still_answers_when_the_list_has_the_focus(timed: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small())
        await pilot.press("a", "escape")
        await until(pilot, lambda: screen.query_one("#asked").has_focus)
        await pilot.press("b")
        await until(pilot, lambda: screen.session.state.answer("1.1").fields == {"answer": "b"})
        await pilot.press("escape", "N")
        await until_screen(pilot, "NotesScreen")

    drive(timed, scenario)


def test_in_a_field_for_numbers_letters_stay_keys_of_the_screen(timed: Services) -> None:
    number = asked("1.1", question="flops-of-a-product")

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(
            pilot, plan(section(number, asked("1.2", question=OTHER), minutes=12, weight=40))
        )
        await pilot.press("1", "3", "F")
        await until_screen(pilot, "ConfirmScreen")
        await pilot.press("n")
        await until_screen(pilot, "InterviewScreen")
        await pilot.press("7", "N")
        await until_screen(pilot, "NotesScreen")
        assert screen.session.state.answer("1.1").fields == {"answer": "137"}

    drive(timed, scenario)


def test_an_analysis_shows_all_of_its_lines_and_takes_numbers_as_at_the_prompt(timed: Services) -> None:
    analysis = asked("1.1", question="analyse-tiled-product")

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, plan(section(analysis, minutes=12, weight=40)))
        await until_text(pilot, "x[row * n + base + tx]", "* 16 + tx;")
        await pilot.press("1", "space", "1", "space", "2", "down", "3")
        await until(pilot, lambda: screen.session.state.answer("1.1").fields == {"answer": "1 1 2 3"})

    drive(timed, scenario, (80, 24))


def test_leaving_and_coming_back_finds_everything(timed: Services, watch: Watch) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await begin(pilot, small())
        await pilot.press("b", "N", *"ask", "escape", "q", "y")
        await until_text(pilot, "▸ go on with")
        watch.forward(5000)
        await pilot.press("enter")
        screen = await until_screen(pilot, "InterviewScreen")
        await until_text(pilot, "20:00 left, practice", "● b")
        assert screen.session.state.notes == "ask"

    drive(timed, scenario)


def test_stages_are_handed_in_one_after_the_other(timed: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small(stages=({"en": "L0: right"}, {"en": "L1: fast"})))
        await pilot.press("S", "y")
        await until_text(pilot, "1 of 2  L0: right")
        await pilot.press("H")
        await until_screen(pilot, "InterviewFollowup")
        await until_text(pilot, "microseconds?")
        await pilot.press(*"447", "enter")
        await until_text(pilot, "2 of 2  L1: fast")
        (followup,) = screen.session.state.answer("2.1").followups
        assert followup["passed"] and followup["typed"] == "447"

    drive(timed, scenario)


def test_a_kernel_that_may_only_be_compiled_is_not_run(timed: Services, backend: FakeRemote) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, small(run=Run.COMPILE))
        await pilot.press("S", "y")
        await until(pilot, lambda: screen.session.state.open_key == "2.1")
        await until_text(pilot, "g only compiles it")
        await pilot.press("g")
        await until_text(pilot, "✓ compiles")
        assert screen.session.state.answer("2.1").tries[0]["verdict"] == "compiled"
        assert not timed.attempts()

    drive(timed, scenario)


def test_strategy_answers_are_ticked_after_the_end(timed: Services) -> None:
    question = asked("1.1", Kind.STRATEGY, 10.0, question="video-preprocessing", topic="systems")

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await begin(pilot, plan(section(question), strict=False, movement=Movement.FREE))
        await pilot.press(*"3.1 MB")
        await until(pilot, lambda: screen.session.state.answer("1.1").fields.get("number.0") == "3.1 MB")
        await pilot.press("escape", "F", "y")
        await until_text(pilot, "tick what you said")
        await pilot.press("1", "2", "enter")
        report = await report_of(pilot)
        numbers, points = report.sections[0].questions[0].parts
        assert (numbers.got, points.got) == (1.0, 2.0)
        assert report.sections[0].questions[0].level == "C"

    drive(timed, scenario, WIDE)


def test_interviews_are_chosen_by_length_and_mode(timed: Services, tmp_path: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        await pilot.press("m")
        await until_screen(pilot, "ChooseScreen")
        await until_text(pilot, "full length, strict", "Phone screen", "Take-home")
        await pilot.press("right", "p")
        await until_text(pilot, "20 minutes, practice")
        await pilot.press("enter")
        await until_text(pilot, "The clock starts at once.")
        await pilot.press("y")
        screen = await until_screen(pilot, "InterviewScreen")
        assert screen.session.state.plan.minutes == pytest.approx(20) and not screen.session.state.strict
        assert app.screen is screen

    drive(timed, scenario)


def test_home_says_that_an_interview_is_open_and_enter_goes_on_with_it(
    timed: Services, watch: Watch
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        assert "Interview open" not in text_of(pilot.app)
        screen = await begin(pilot, small(strict=True))
        watch.forward(90)
        await pilot.press("escape", "escape", "y")
        await until_screen(pilot, "ChooseScreen")
        await pilot.press("escape")
        await until_text(pilot, "Interview open: 19 min left  Enter  Test, strict")
        await pilot.press("enter")
        again = await until_screen(pilot, "InterviewScreen")
        assert again.session.id == screen.session.id
        again.session.finish()

    drive(timed, scenario)


def test_what_a_strict_interview_asks_is_open_nowhere_else(timed: Services, watch: Watch) -> None:
    shut = "strict interview, Test, with 20:00 left"

    async def leave(pilot: Pilot[int]) -> None:
        await pilot.press("escape", "escape", "y")
        await until_screen(pilot, "ChooseScreen")
        await pilot.press("escape")

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        task = await open_task(pilot)
        await pilot.press("l")
        await until_screen(pilot, "LadderScreen")
        screen = await begin(pilot, small(strict=True))
        await leave(pilot)
        await until_text(pilot, "Locked", shut)
        assert "G Give up" not in text_of(app)
        await pilot.press("escape")
        for key in "hg":
            app.clear_notifications()
            await pilot.press(key)
            await until(pilot, lambda: shut in told(app))
        assert task.job is None and "Hint 1" not in text_of(app)
        await pilot.press("escape")
        await until_screen(pilot, "Home")
        for question in ("relu", QUIZ):
            app.clear_notifications()
            app.open_question(question)
            await until(pilot, lambda: shut in told(app))
        app.open_quiz([QUIZ, "strided-loads"])
        quiz = await until_screen(pilot, "QuizScreen")
        assert [one.question.id for one in quiz.session.questions] == ["strided-loads"]
        await pilot.press("escape", "m")
        await until_screen(pilot, "ChooseScreen")
        await pilot.press("down", "enter")
        await until(pilot, lambda: "another can begin when it has ended" in told(app))
        with InterviewLog.open() as log:
            Session.resume(log, screen.session.id, watch).finish()
        app.open_question("relu")
        await until_screen(pilot, "TaskScreen")

    drive(timed, scenario)
