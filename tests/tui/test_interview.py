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
