"""The settings screen, and settings files that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.driving import SIZES, drive, text_of, until, until_screen
from trainer.store.config import read_config
from trainer.store.paths import config_file
from trainer.tui.services import Services

WRONG = """\
[settings]
device = "H9000"
language = "xx"
theme = "gloom"
editor = 5
[keys]
"task.hint" = "g"
"home.progress" = "f9"
"""


def _write(text: str) -> None:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    config_file().write_text(text)


def _read(services: Services) -> None:
    services.reading = read_config()
    services.config = services.reading.config
    services.tell_mistakes(services.reading.mistakes)


@pytest.mark.parametrize("size", SIZES)
def test_every_mistake_stands_on_the_screen_and_leaves_it_when_mended(
    services: Services, size: tuple[int, int]
) -> None:
    _write(WRONG)
    _read(services)

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        await until(pilot, lambda: len(services.mistakes) == 5)
        await pilot.press("s")
        screen = await until_screen(pilot, "SettingsScreen")
        for words in ("H9000", "xx", "gloom", "editor is 5", "task.hint is g, which task.grade has"):
            assert words in text_of(app)
        assert config_file().read_text() == WRONG  # opening it changes nothing
        screen.query_one("#device").value = "A100"
        await until(pilot, lambda: '"H9000"' not in text_of(app))
        assert read_config().config.device == "A100"
        await pilot.press("escape", "f9")  # a sound key beside a wrong one
        await until_screen(pilot, "ProgressScreen")

    drive(services, scenario, size)


def test_the_first_setting_has_the_focus_and_the_keys_are_named(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("s")
        screen = await until_screen(pilot, "SettingsScreen")
        assert "tab Next" in text_of(pilot.app) and "Change" in text_of(pilot.app)
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: not screen.query_one("#theme").expanded and config_file().exists())
        await pilot.press("tab", "v", "i", "tab")
        await until(pilot, lambda: read_config().config.editor == "vi")

    drive(services, scenario)


@pytest.mark.parametrize(
    ("folder", "words"),
    [("a.txt", "is a file"), ("a.txt/ws", "is a file"), ("~no-such-user/ws", "home folder")],
)
def test_a_workspace_that_cannot_be_is_refused_in_words(
    services: Services, tmp_path: Path, folder: str, words: str
) -> None:
    (tmp_path / "a.txt").write_text("")
    wanted = folder if folder.startswith("~") else str(tmp_path / folder)

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("s")
        screen = await until_screen(pilot, "SettingsScreen")
        screen.query_one("#workspace").focus()
        screen.query_one("#workspace").value = wanted
        await pilot.press("enter")
        await until(pilot, lambda: "not kept" in text_of(pilot.app))
        assert words in " ".join(text_of(pilot.app).split())
        assert not config_file().exists()

    drive(services, scenario)
