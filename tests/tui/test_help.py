"""Help and the line of keys name what keys do, and nothing that they do not."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from tests.tui.driving import drive, open_task, text_of, until, until_screen
from trainer.tui.screens.help import help_rows
from trainer.tui.services import Services


def _help(app: Any) -> dict[str, str]:
    """What each row of keys does."""
    return {row.keys: row.does for rows in help_rows(app.screen) for row in rows}


def test_the_palette_and_the_keys_of_lists_are_named(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        assert _help(app)["^p"] == "Palette"
        await pilot.press("m")
        await until_screen(pilot, "ChooseScreen")
        rows = _help(app)
        assert (rows["↑"], rows["⏎"], rows["→"], rows["←"]) == ("Up", "Select", "Longer", "Shorter")
        assert "→ Longer" in text_of(app)
        await pilot.press("f1")
        await until_screen(pilot, "HelpScreen")
        await until(pilot, lambda: "Where the cursor is" in text_of(app) and "Select" in text_of(app))

    drive(services, scenario, (100, 50))


def test_the_letters_of_a_quiz_are_named_as_far_as_there_are_options(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_question("strided-loads")
        screen = await until_screen(pilot, "QuizScreen")
        options = screen.query_one("#options")
        await until(pilot, lambda: options.has_focus and options.option_count)
        assert _help(app)["a, b, c, d"] == "Pick it"
        await pilot.press("b")
        assert screen.query_one("#options").picked == [1]

    drive(services, scenario)


def test_the_editor_names_its_keys_and_no_search_where_a_slash_is_typed(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        await open_task(pilot)
        assert "/ Search" in text_of(app) and "? Help" in text_of(app)
        await pilot.press("E")
        await until(pilot, lambda: "Save and grade" in text_of(app))
        assert "/ Search" not in text_of(app) and "f1 Help" in text_of(app)
        does = set(_help(app).values())
        assert {"Undo", "Redo", "Select all", "Indent", "Dedent", "Palette", "Help"} <= does
        assert not does & {"Search", "Grade", "Hint"}

    drive(services, scenario)


def test_a_field_for_numbers_leaves_the_keys_that_it_does_not_take(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        app.open_question("adamw-bytes")
        screen = await until_screen(pilot, "QuizScreen")
        await until(pilot, lambda: screen.query_one("#number").has_focus)
        assert "/ Search" not in text_of(app) and "? Help" in text_of(app) and "s Skip" in text_of(app)

    drive(services, scenario)
