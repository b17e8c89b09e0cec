"""The result: verdict first, and every text exactly as it is."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.grade.fakes import timing
from tests.tui.conftest import NOW
from tests.tui.driving import (
    HOSTILE,
    SIZES,
    SOURCE,
    WIDE,
    FakeRemote,
    drive,
    graded,
    make_services,
    open_task,
    text_of,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.cuda.model import Diagnostic, KernelResources, Severity
from trainer.errors import CancelledError
from trainer.grade.backend import Compiled, LaunchRecord, RunOutcome, RunRequest
from trainer.grade.ladder import Ladder, RungTime
from trainer.grade.result import Grade
from trainer.grade.score import Score
from trainer.grade.verdict import CaseResult, Mismatch, Verdict
from trainer.tui.screens.result import ResultScreen
from trainer.tui.services import Services
from trainer.tui.views.verdict import details


@pytest.fixture
def file(services: Services) -> Path:
    path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize("size", SIZES)
def test_tabs_show_details_memory_speed_and_source(
    services: Services, file: Path, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await graded(pilot)
        text = text_of(pilot.app)
        assert "✓ accepted" in text and "score" in text and "a fake, seed" in text
        assert "shared race" in text and "against block (0, 0, 0), thread (4, 0, 0)" in text
        await pilot.press("2")
        text = await until_text(pilot, "32.00", "4.00", "▲ 8.0 x", "31.0 of 32 lanes")
        assert text.index("output[i * 8]") < text.index("float v = input[i]")  # worst first
        await pilot.press("3")
        await until_text(pilot, "not measured: times need", "modelled for H200, not measured")
        await pilot.press("4")
        await until_text(pilot, "✗   3 output[i * 8] = v;")

    drive(services, scenario, size)


class StuckLater(FakeRemote):
    """Once `stuck`, runs until it is killed."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = False
        self.killed = threading.Event()

    def run(self, request: RunRequest) -> RunOutcome:
        if not self.stuck:
            return super().run(request)
        assert self.killed.wait(30)
        raise CancelledError()

    def cancel(self) -> None:
        self.killed.set()


@pytest.mark.parametrize("size", SIZES)
def test_a_new_grade_is_followed_and_stopped_where_the_last_one_is_read(size: tuple[int, int]) -> None:
    backend = StuckLater()
    services = make_services(backend, NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        services.workspace.mkdir(parents=True)
        (services.workspace / "relu.cu").write_text(SOURCE)
        task = await open_task(pilot)
        await graded(pilot)
        assert "x Stop" not in text_of(pilot.app)
        backend.stuck = True
        await pilot.press("g")
        await until_text(pilot, "grading again", "last time: accepted", "✓ compile", "● plan", "x Stop")
        await pilot.press("x")
        await until(pilot, backend.killed.is_set)
        shown = await until_text(pilot, "✓ accepted")
        assert "● plan" not in shown and "x Stop" not in shown and not task.running
        assert "this is the grade before" in told(pilot.app)

    drive(services, scenario, size)


@pytest.mark.parametrize("size", SIZES)
def test_enter_opens_the_picture_of_a_line(services: Services, file: Path, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await graded(pilot)
        await pilot.press("2", "enter")
        await until_screen(pilot, "PictureScreen")
        await until_text(pilot, "line 3: output[i * 8] = v;", "32.00 sectors a request where 4.00 would do")
        await pilot.press("escape", "down", "enter")
        await until_screen(pilot, "PictureScreen")
        await until_text(pilot, "bank 0", "smem[TILE][TILE+1]")

    drive(services, scenario, size)


def hostile_grade(verdict: Verdict = Verdict.WRONG_ANSWER) -> Grade:
    """Every text that comes from outside is hostile."""
    diagnostic = Diagnostic(2, 7, Severity.ERROR, f"no instance of {HOSTILE}")
    return Grade(
        task="relu",
        language="cuda",
        backend="sim",
        device=HOSTILE,
        seed=5,
        verdict=verdict,
        message=f"message {HOSTILE}",
        hint=f"hint {HOSTILE}",
        score=Score(10.0, {}),
        elapsed_s=0.5,
        line=1,
        compiled=Compiled(
            True, "solve", (KernelResources(HOSTILE, HOSTILE, 1, 16, 0, 0),), (diagnostic,), HOSTILE, 0.1
        ),
        cases=(CaseResult(HOSTILE, verdict, 8, Mismatch(HOSTILE, 3, 1.5, 2.5, 1.0, 0.1, 4)),),
        planned=3,
        ladder=Ladder(None, (None, None), (RungTime(HOSTILE, HOSTILE, 10.0, "recorded", HOSTILE),)),
        printed=f"printed {HOSTILE}\n",
        notes=(f"note {HOSTILE}",),
    )


async def show(pilot: Pilot[int], grade: Grade, source: str = SOURCE) -> Any:
    task = await open_task(pilot)
    pilot.app.push_screen(ResultScreen(task.question, grade, source, task))
    return await until_screen(pilot, "ResultScreen")


def test_no_text_is_taken_for_markup(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await show(pilot, hostile_grade())
        await until_text(
            pilot,
            f"message {HOSTILE}",
            f"hint {HOSTILE}",
            f"no instance of {HOSTILE}",
            f"✗ {HOSTILE}: wrong answer, 4 of 8",
            f"{HOSTILE}[3]",
            f"printed {HOSTILE}",
            f"note: note {HOSTILE}",
        )
        for tab in ("2", "3"):
            await pilot.press(tab)
            await until_text(pilot, f"message {HOSTILE}")
        await pilot.press("4")
        await until_text(pilot, f"// {HOSTILE}")

    drive(services, scenario, WIDE)


def test_a_wrong_answer_names_the_worst_element(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await show(pilot, hostile_grade())
        text = text_of(pilot.app)
        assert "got 1.5" in text and "expected 2.5" in text and "2 more cases were not run" in text
        assert text.index("✗ wrong answer") < text.index("Cases")

    drive(services, scenario, WIDE)


@pytest.mark.parametrize(("registers", "shown"), [(40, "40 registers, "), (None, "")])
def test_registers_are_shown_where_they_are_known(registers: int | None, shown: str) -> None:
    compiled = Compiled(True, "solve", (KernelResources("k", "k", 1, registers, None, None),), (), "", 0.1)
    launch = LaunchRecord("k", (4, 1, 1), (256, 1, 1), 0, 0.75)
    told = details(replace(hostile_grade(), compiled=compiled, launches=(launch,)), SOURCE, 80).plain
    assert f"  k <<<4, 256>>>  {shown}occupancy 75%\n" in told


def test_a_compiler_message_points_into_the_users_line(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        failed = Compiled(False, "", (), (Diagnostic(2, 7, Severity.ERROR, "oh [/"),), "", 0.1)
        await show(pilot, replace(hostile_grade(Verdict.COMPILE_ERROR), compiled=failed, cases=()))
        text = text_of(pilot.app)
        assert "line 2: error: oh [/" in text
        assert "     2 │ float v = input[i];\n          │       ^" in text

    drive(services, scenario)


def test_every_verdict_has_its_words(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        result = await show(pilot, hostile_grade())
        for verdict in Verdict:
            result.show(hostile_grade(verdict), SOURCE)
            await until_text(pilot, verdict.value.replace("_", " "))

    drive(services, scenario)


def test_measured_times_show_their_spread_place_and_roofline(services: Services) -> None:
    rungs = (
        RungTime("01-slow", "Slow", 50.0, "recorded", "NVIDIA H200"),
        RungTime("02-fast", "Fast", 10.0, "recorded", "NVIDIA H200"),
    )
    grade = replace(
        hostile_grade(Verdict.ACCEPTED),
        device="NVIDIA H200",
        timing=timing(20.0, 8.0),
        ladder=Ladder("01-slow", ("01-slow", "02-fast"), rungs),
    )

    async def scenario(pilot: Pilot[int]) -> None:
        await show(pilot, grade)
        await pilot.press("3")
        await pilot.pause()
        text = text_of(pilot.app)
        for words in (
            "median 20.00 µs",
            "5 % below 19.80",
            "40% of the floor",
            "level with 01-slow; 02-fast is next",
        ):
            assert words in text
        assert "your file" in text and "●" in text and "flop a byte" in text

    drive(services, scenario, WIDE)


def test_the_ladder_is_no_spoiler_before_it_is_solved(services: Services) -> None:
    ladder = Ladder(None, (None, None), (RungTime("01-a", "The secret", 50.0, "recorded", "NVIDIA H200"),))

    async def scenario(pilot: Pilot[int]) -> None:
        await show(pilot, replace(hostile_grade(), ladder=ladder))
        await pilot.press("3")
        await pilot.pause()
        assert "The secret" not in text_of(pilot.app)

    drive(services, scenario, WIDE)


def test_n_goes_on_with_the_topic(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        task = await open_task(pilot)
        await graded(pilot)
        await pilot.press("n")
        await until(pilot, lambda: not task.is_attached and len(pilot.app.screen_stack) == 2)
        question = getattr(pilot.app.screen, "question", None) or pilot.app.screen.drawn.question
        assert question.topic == "elementwise" and question.id != "relu"

    drive(services, scenario)


def test_g_grades_again_in_place(services: Services, backend: FakeRemote, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        result = await graded(pilot)
        file.write_text("int error here;\n")
        await pilot.press("g")
        await until(pilot, lambda: result.grade.verdict is Verdict.COMPILE_ERROR)
        assert pilot.app.screen is result and "✗ compile error" in text_of(pilot.app)

    drive(services, scenario)
