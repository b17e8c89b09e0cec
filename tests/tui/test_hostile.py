"""Text of questions, files and users is shown as it is, on every screen that shows some."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.bank.small_bank import QUESTION, make_bank
from tests.tui.conftest import NOW
from tests.tui.driving import (
    HOSTILE,
    SOURCE,
    WIDE,
    FakeRemote,
    add_attempt,
    drive,
    graded,
    make_services,
    open_task,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.bank.library import Library
from trainer.store.config import Config

START = HOSTILE[:26]
"""As much as fits the narrowest column."""


def test_markup_in_titles_paths_and_sources_is_only_text(backend: FakeRemote, tmp_path: Path) -> None:
    services = make_services(backend, NOW)
    title = f"title: '{HOSTILE}'"
    bank = make_bank(tmp_path / "bank", QUESTION.replace("title: Double it", title))
    services.library = Library((bank,))
    services.config = Config(workspace=str(tmp_path / "[red]ws[x]"))
    services.workspace.mkdir()
    (services.workspace / "double.cu").write_text(SOURCE)
    add_attempt(NOW - timedelta(days=9), "double", "wrong_answer")

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        await until_text(pilot, "9 d late"[2:], START)
        await pilot.press("p")
        await until_screen(pilot, "ProgressScreen")
        await pilot.press("enter")
        await until_screen(pilot, "AttemptScreen")
        await until_text(pilot, HOSTILE)
        await pilot.press("escape", "escape", "slash", *"smem")
        await until_text(pilot, START)
        await pilot.press("escape")
        app.open_topic("basics")
        await until_screen(pilot, "TopicScreen")
        await until_text(pilot, START)
        await open_task(pilot, "double")
        await until_text(pilot, f"// {HOSTILE}"[:40], "[red]ws[x]", HOSTILE)
        await pilot.press("l")
        await until_screen(pilot, "LadderScreen")
        await pilot.press("escape", "E")
        await until_text(pilot, f"// {HOSTILE}"[:40])
        await pilot.press("escape")
        app.tell(HOSTILE)
        await until(pilot, lambda: HOSTILE in told(app))
        await until_text(pilot, START)

    drive(services, scenario, WIDE)


def test_the_palette_lists_and_finds_titles_as_they_are(backend: FakeRemote, tmp_path: Path) -> None:
    services = make_services(backend, NOW)
    title = f"title: '{HOSTILE}'"
    services.library = Library((make_bank(tmp_path, QUESTION.replace("title: Double it", title)),))

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("ctrl+p")
        await until_text(pilot, f"Open: {HOSTILE}")
        await pilot.press(*"[/red")
        await until_text(pilot, f"Open: {HOSTILE}")
        await pilot.press("enter")
        await until_screen(pilot, "TaskScreen")

    drive(services, scenario, WIDE)


@pytest.mark.parametrize("size", [(30, 8), (200, 60)], ids=str)
def test_every_screen_lives_at_any_size(backend: FakeRemote, size: tuple[int, int]) -> None:
    services = make_services(backend, NOW)
    add_attempt(NOW - timedelta(days=9), "relu")

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        for action in (app.action_progress, app.action_settings, app.action_search, app.action_help):
            action()
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("escape")
        await open_task(pilot, "relu")
        await graded(pilot)
        for key in "1234":
            await pilot.press(key)
            await pilot.resize_terminal(*size[::-1])
            await pilot.resize_terminal(*size)
        await pilot.press("l")
        await until_screen(pilot, "LadderScreen")
        await pilot.resize_terminal(80, 24)
        await until_text(pilot, "Rungs, recorded on")

    drive(services, scenario)
