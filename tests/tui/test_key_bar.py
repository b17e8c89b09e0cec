"""The line of keys: what fits, what may be left out, and that a click presses a key."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.driving import drive, until_screen
from trainer.tui.services import Services
from trainer.tui.widgets.key_bar import KeyBar, lay_out

KEYS = [("g", "g", "Grade", False), ("w", "w", "Watch", False), ("question_mark", "?", "Help", True)]


def test_all_keys_are_shown_where_there_is_room() -> None:
    places = lay_out(KEYS, 80)
    assert [(p.shown, p.start, p.end) for p in places] == [("g", 1, 8), ("w", 10, 17), ("?", 19, 25)]


def test_help_stays_when_others_do_not_fit() -> None:
    assert [p.description for p in lay_out(KEYS, 20)] == ["Grade", "Help"]
    assert [p.description for p in lay_out(KEYS, 3)] == ["Help"]


def test_a_click_presses_the_key(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        place = next(p for p in pilot.app.screen.query_one(KeyBar).places if p.description == "Progress")
        await pilot.click(KeyBar, offset=(place.start + 1, 0))
        await until_screen(pilot, "ProgressScreen")

    drive(services, scenario)
