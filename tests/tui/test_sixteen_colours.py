"""On a terminal of sixteen colours all text is seen, also on the row that has the focus."""

from __future__ import annotations

from typing import Any

import pytest
from rich.color import Color, ColorSystem
from textual.pilot import Pilot

from tests.tui.driving import drive, until_screen
from trainer.store.config import Config
from trainer.tui.app import WarpDojo
from trainer.tui.services import Services

EDGES = set("▁▂▃▄▅▆▇█▌▎▊▔▕│╭╮╰╯")


def _shown(color: Color | None) -> int | None:
    return color.downgrade(ColorSystem.STANDARD).number if color is not None else None


def _unseen(app: Any) -> list[str]:
    """Text in the colour of what is behind it."""
    found = []
    for row in app.screen._compositor.render_strips():
        for text, style, _ in row:
            hidden = style is not None and _shown(style.color) == _shown(style.bgcolor)
            if hidden and not set(text.strip()) <= EDGES:
                found.append(text)
    return found


def _grounds(app: Any) -> set[int | None]:
    return {
        _shown(style.bgcolor)
        for row in app.screen._compositor.render_strips()
        for text, style, _ in row
        if style is not None and text.strip()
    }


@pytest.mark.parametrize("theme", ["dojo-dark", "dojo-light", "nord", "gruvbox", "dracula"])
def test_text_and_the_chosen_row_are_seen_with_sixteen_colours(
    services: Services, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setattr(WarpDojo, "sixteen", True)
    services.config = Config(theme=theme)

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        meters = [
            text for row in app.screen._compositor.render_strips() for text, _, _ in row if "──" in text
        ]
        assert meters and not _unseen(app) and len(_grounds(app)) > 1
        await pilot.press("s")
        await until_screen(pilot, "SettingsScreen")
        await pilot.pause()
        assert not _unseen(app) and len(_grounds(app)) > 1

    drive(services, scenario)
