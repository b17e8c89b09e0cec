"""How some screens look, colours included: pictures to compare with, in `looks/`.

WARPDOJO_NEW_LOOKS=1 makes them anew; look at them before committing.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import textual
from textual.pilot import Pilot

from tests.bank.small_bank import make_bank
from tests.tui.conftest import NOW
from tests.tui.driving import (
    NARROW,
    SOURCE,
    WIDE,
    FakeRemote,
    Scenario,
    add_attempt,
    drive,
    graded,
    make_services,
    open_task,
    until_screen,
    until_text,
)
from tests.tui.test_quiz import LINES, SINGLE, Counter, ask
from trainer.bank.library import Library
from trainer.store.config import Config
from trainer.tui.services import Services

LOOKS = Path(__file__).parent / "looks"
TAKEN_WITH = "8.2.8"
SETTLED_S = 3.0  # after which a screen should look as it will stay, on a busy machine, too
pytestmark = pytest.mark.skipif(
    textual.__version__ != TAKEN_WITH, reason=f"the pictures were taken with Textual {TAKEN_WITH}"
)


@pytest.fixture(autouse=True)
def in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Dates are local."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def small(tmp_path: Path, backend: FakeRemote) -> Services:
    """Over a bank of one question, which no new question changes."""
    services = make_services(backend, NOW)
    services.library = Library((make_bank(tmp_path / "bank"),))
    for days in (0, 0, 1, 3, 3, 3, 20):
        at = NOW - timedelta(days=days, minutes=5)
        add_attempt(at, "double", "accepted" if days < 3 else "wrong_answer", message="")
    return services


def compare(services: Services, name: str, scenario: Scenario, size: tuple[int, int]) -> None:
    look = LOOKS / f"{name}.svg"
    wanted = "" if os.environ.get("WARPDOJO_NEW_LOOKS") else look.read_text(encoding="utf-8")
    pictures: list[str] = []

    async def photographed(pilot: Pilot[int]) -> None:
        await scenario(pilot)
        end = time.monotonic() + SETTLED_S
        while not pictures or (pictures[-1] != wanted and time.monotonic() < end):
            await pilot.pause(0.1)  # layout after the last text
            pictures.append(re.sub(r"terminal-\d+", "terminal", pilot.app.export_screenshot(title=name)))

    drive(services, photographed, size)
    if not wanted:
        look.write_text(pictures[-1], encoding="utf-8")
    elif pictures[-1] != wanted:
        pytest.fail(f"{look.relative_to(LOOKS)} shows something else than the screen does now")


def test_home(small: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await until_text(pilot, "Review today", "simulating H200")

    small.config = Config(theme="dojo-light")
    compare(small, "home-light", scenario, WIDE)


def test_progress(small: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("p")
        await until_screen(pilot, "ProgressScreen")

    compare(small, "progress", scenario, NARROW)


def test_a_quiz_with_its_reason_and_picture(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, SINGLE)
        await pilot.press("a")
        await until_text(pilot, "Because of the banks.", "bank 0")

    compare(services, "quiz", scenario, NARROW)


def test_an_analysis_with_a_field_for_each_marked_line() -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await ask(pilot, LINES)
        await pilot.press("4", "enter", *"31", "enter")
        await until_text(pilot, "4 sectors each")

    compare(make_services(Counter(), NOW), "analysis", scenario, WIDE)


def test_memory_accesses_of_a_result(services: Services) -> None:
    path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        screen = await graded(pilot)
        screen.query_one("#headline").update("")  # with its time
        await pilot.press("2")
        await until_text(pilot, "▲ 32.0 x")

    compare(services, "memory", scenario, NARROW)
