"""Topic, search, ladder, progress, settings and help."""

from __future__ import annotations

import inspect
import pkgutil
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.pilot import Pilot

import trainer.tui.screens
import trainer.tui.widgets
from tests.tui.conftest import NOW
from tests.tui.driving import (
    SIZES,
    SOURCE,
    add_attempt,
    drive,
    make_services,
    open_task,
    text_of,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.store.config import Config, read_config
from trainer.store.history import Event, EventKind, History
from trainer.tui.app import WarpDojo
from trainer.tui.screens import progress
from trainer.tui.screens.search import matching
from trainer.tui.services import Services


@pytest.mark.parametrize("size", SIZES)
def test_a_topic_is_filtered_by_level_and_kind(services: Services, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_topic("elementwise")
        screen = await until_screen(pilot, "TopicScreen")
        assert "ReLU" in text_of(app) and "kind all   level all" in text_of(app)
        everything = len(screen.shown)
        while screen.level != "hard":
            await pilot.press("l")
        assert len(screen.shown) < everything
        await pilot.press("k")
        assert screen.kind and all(entry.kind.value == screen.kind for entry in screen.shown)

    drive(services, scenario, size)


def test_next_best_takes_what_was_tried_and_never_accepted(services: Services) -> None:
    add_attempt(NOW, "matrix-addition", "wrong_answer")

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_topic("elementwise")
        await until_screen(pilot, "TopicScreen")
        await pilot.press("n")
        assert (await until_screen(pilot, "TaskScreen")).question.id == "matrix-addition"

    drive(services, scenario)


def test_slash_finds_a_question_by_its_words(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("slash", *"matrix transp")
        assert "Matrix transpose" in text_of(pilot.app) and "Softmax" not in text_of(pilot.app)
        await pilot.press(*"ose")
        await pilot.press("enter")
        assert (await until_screen(pilot, "TaskScreen")).question.id == "matrix-transpose"

    drive(services, scenario)


def test_a_search_that_finds_nothing_says_so(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("slash", *"[/red]")
        await pilot.press("enter")
        assert "no question has these words" in text_of(pilot.app) and "[/red]" in text_of(pilot.app)

    drive(services, scenario)


def test_the_question_called_just_so_comes_first(services: Services) -> None:
    found = matching(services.entries, "Vector addition")
    assert found[0].id == "vector-addition" and len(found) > 1
    assert {entry.level for entry in matching(services.entries, "easy layout")} == {"easy"}
    assert [entry.id for entry in matching(services.entries, "vector add")][0] == "vector-addition"
    assert matching(services.entries, "") == list(services.entries)


async def open_ladder(pilot: Pilot[int]) -> Any:
    await open_task(pilot)
    await pilot.press("l")
    return await until_screen(pilot, "LadderScreen")


@pytest.mark.parametrize("size", SIZES)
def test_the_ladder_stays_locked_until_giving_up_which_is_recorded(
    services: Services, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_ladder(pilot)
        assert "Locked" in text_of(pilot.app) and "float4" not in text_of(pilot.app)
        await pilot.press("G")
        await until_screen(pilot, "ConfirmScreen")
        await pilot.press("n")
        await until_screen(pilot, "LadderScreen")
        assert "Locked" in text_of(pilot.app)
        await pilot.press("G", "y")
        await until(pilot, lambda: "Rungs" in text_of(pilot.app))
        await until(pilot, lambda: any(e.kind is EventKind.GAVE_UP for e in services.events("relu")))

    drive(services, scenario, size)


@pytest.mark.parametrize("size", SIZES)
def test_an_open_ladder_shows_ideas_code_and_differences(services: Services, size: tuple[int, int]) -> None:
    add_attempt(NOW)
    path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_ladder(pilot)
        text = text_of(pilot.app)
        assert "recorded on NVIDIA H200" in text and "µs" in text and "Idea" in text and "Removes" in text
        await pilot.press("2")
        await until(pilot, lambda: "__global__" in text_of(pilot.app))
        await pilot.press("down", "3")
        await until(pilot, lambda: "@@" in text_of(pilot.app))
        await pilot.press("4")
        await until(pilot, lambda: "-// smem[TILE][TILE+1] [/ [/red] [T=float]" in text_of(pilot.app))

    drive(services, scenario, size)


def test_pages_and_arrows_move_the_text_of_a_rung_while_the_list_has_the_focus(services: Services) -> None:
    add_attempt(NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_ladder(pilot)
        await pilot.press("tab")
        code = screen.query_one("#rung-code")
        await until(pilot, lambda: "__global__" in text_of(pilot.app) and code.max_scroll_y > 0)
        assert "pgdn Scroll" in text_of(pilot.app)
        await pilot.press("pagedown", "right")
        await until(pilot, lambda: code.scroll_y > 0 and (code.scroll_x > 0 or code.max_scroll_x == 0))
        await pilot.press("pageup", "left")
        await until(pilot, lambda: code.scroll_y == code.scroll_x == 0)
        await pilot.press("tab", "tab", "tab")
        await until(pilot, lambda: screen.query_one("#tabs").active == "idea")
        assert screen.query_one("#rungs").has_focus

    drive(services, scenario)


def test_measuring_without_a_gpu_says_why() -> None:
    from trainer.errors import MissingToolError

    def no_gpu(choice: str, warn: Any) -> Any:
        raise MissingToolError("The NVIDIA driver is not installed.")

    add_attempt(NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_ladder(pilot)
        await pilot.press("m")
        await until(pilot, lambda: "driver is not installed" in told(pilot.app))
        assert "recorded on NVIDIA H200" in text_of(pilot.app)

    drive(make_services(None, NOW, open_backends=no_gpu), scenario)


@pytest.mark.parametrize("size", SIZES)
def test_progress_shows_streak_heatmap_and_attempts(services: Services, size: tuple[int, int]) -> None:
    for day in (2, 1, 0):
        add_attempt(NOW - timedelta(days=day), verdict="accepted" if day else "wrong_answer")

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("p")
        await until_screen(pilot, "ProgressScreen")
        await until_text(pilot, "Solved, known  ▲ weak", "0% ▲")
        text = text_of(pilot.app)
        for words in (
            "3 days in a row",
            "(to local midnight)",
            "░░",
            "Nov",
            "elementwise",
            "✗ wrong answer",
        ):
            assert words in text
        await pilot.press("t")
        assert "score 90" in text_of(pilot.app) and "✓✓✗" in text_of(pilot.app)
        await pilot.press("enter")
        await until_text(pilot, "Attempts at relu: 3")
        await pilot.press("enter")
        await until_screen(pilot, "AttemptScreen")
        await pilot.press("escape", "escape")
        await until_text(pilot, "Tasks: 1")
        await pilot.press("escape")
        await until_screen(pilot, "Home")

    drive(services, scenario, size)


def test_progress_says_how_many_attempts_it_lists_and_goes_on_to_the_first(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PAGE", 2)
    for hours in range(5):
        add_attempt(NOW - timedelta(hours=hours), f"task-{hours}", "hazard")

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("p")
        await until_text(pilot, "5 attempts, 0 accepted", "Attempts: 2 of 5", "… 3 more")
        await pilot.press("end")
        await until_text(pilot, "Attempts: 4 of 5", "task-3")
        await pilot.press("end")
        shown = await until_text(pilot, "Attempts: 5, newest first", "task-4")
        assert "more" not in shown
        await pilot.press("enter")
        screen = await until_screen(pilot, "AttemptScreen")
        assert screen.attempt.task == "task-4"

    drive(services, scenario)


@pytest.mark.parametrize("size", SIZES)
def test_a_give_up_is_in_the_history_and_marks_what_was_accepted_after_it(
    services: Services, size: tuple[int, int]
) -> None:
    add_attempt(NOW - timedelta(hours=3), "softmax")
    with History.open() as history:
        history.note(Event("relu", EventKind.GAVE_UP, "", NOW - timedelta(hours=2)))
    add_attempt(NOW - timedelta(hours=1), "relu")

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("p")
        shown = await until_text(pilot, "○ gave up", "✓ accepted, gave up", "Attempts and give-ups: 3")
        assert shown.index("✓ accepted, gave up") < shown.index("○ gave up") and shown.count(", gave up") == 1
        await pilot.press("enter")
        await until_text(pilot, "✓ accepted  after giving up")
        await pilot.press("escape", "t")
        await until_text(pilot, "1 attempt, gave up")
        await pilot.press("t", "down", "enter")
        await until_screen(pilot, "TaskScreen")

    drive(services, scenario, size)


def test_progress_is_exported_to_files(services: Services) -> None:
    add_attempt(NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("p")
        await until_screen(pilot, "ProgressScreen")
        await pilot.press("x")
        await until(pilot, lambda: "written" in told(pilot.app))

    drive(services, scenario)
    names = {path.name for path in services.workspace.iterdir()}
    assert names == {f"warpdojo-2026-11-25.{form}" for form in ("json", "csv", "md")}


@pytest.mark.parametrize("size", SIZES)
def test_settings_are_written_to_the_file(services: Services, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("s")
        screen = await until_screen(pilot, "SettingsScreen")
        screen.query_one("#device").value = "A100"
        editor = screen.query_one("#editor")
        assert editor.region.width > 10  # it was hidden once, by a rule for another editor
        editor.focus()
        await pilot.press(*"vim", "enter")
        screen.query_one("#theme").value = "dojo-light"
        await until(pilot, lambda: read_config().config.theme == "dojo-light")
        assert pilot.app.theme == "dojo-light"

    drive(services, scenario, size)
    assert read_config().config == Config(theme="dojo-light", editor="vim", device="A100")


def test_a_theme_chosen_in_the_palette_is_kept(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        pilot.app.theme = "nord"
        await until(pilot, lambda: read_config().config.theme == "nord")

    drive(services, scenario)


def test_settings_that_cannot_be_written_hold_until_the_end(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.set_config("device", "A100")
        await until(pilot, lambda: "holds until you leave" in told(app))
        assert services.config.device == "A100"

    drive(services, scenario)


def test_keys_are_rebound_by_the_settings(services: Services) -> None:
    services.config = Config(keys={"home.progress": "f9"})

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("f9")
        await until_screen(pilot, "ProgressScreen")

    drive(services, scenario)


@pytest.mark.parametrize("size", SIZES)
def test_help_lists_the_keys_of_the_screen(services: Services, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("question_mark")
        await until_screen(pilot, "HelpScreen")
        text = text_of(pilot.app)
        for words in ("Compile, run and judge your file", "Grade on every save", "task.grade"):
            assert words in text
        await pilot.click("#keys")
        await until_screen(pilot, "TaskScreen")

    drive(services, scenario, size)


def test_the_palette_opens_every_question(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "Open: Softmax" in titles and all(":" in title or title == "Quit" for title in titles)

    drive(services, scenario)


def bindings() -> list[tuple[str, Any]]:
    """Every binding that our classes define."""
    found: list[tuple[str, Any]] = []
    classes: set[type] = {WarpDojo}
    for package in (trainer.tui.screens, trainer.tui.widgets):
        for module in pkgutil.iter_modules(package.__path__):
            members = vars(import_module(f"{package.__name__}.{module.name}")).values()
            classes |= {m for m in members if inspect.isclass(m) and m.__module__.startswith("trainer.tui")}
    for one in classes:
        found += [(one.__name__, binding) for binding in vars(one).get("BINDINGS", ())]
    return found


def test_every_binding_can_be_rebound_and_explains_itself() -> None:
    found = bindings()
    assert len(found) > 40
    for name, binding in found:
        assert isinstance(binding, Binding), (name, binding)
        # Letters of options and numbers of points are what they are.
        assert binding.id or not binding.tooltip or len(binding.key) == 1, (name, binding)
        assert binding.tooltip or not binding.show, (name, binding)


def test_everything_is_readable_without_colour(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    add_attempt(NOW - timedelta(minutes=1))

    async def scenario(pilot: Pilot[int]) -> None:
        assert "✓ accepted" in text_of(pilot.app)

    drive(services, scenario)


@pytest.mark.parametrize("theme", ["dojo-light", "textual-ansi", "no-such-theme"])
def test_other_themes_work(services: Services, theme: str, tmp_path: Path) -> None:
    services.config = Config(theme=theme)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        assert "ReLU" in text_of(pilot.app)

    drive(services, scenario)
