"""Text that is laid out for the width it gets."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from trainer.tui.text import hung


class Fitted(Visual):
    """What `build` makes of a width: lines cut or broken in ways that Textual's wrapping does not know."""

    def __init__(self, build: Callable[[int], Content]) -> None:
        self._build = build
        self._width = -1
        self._content = Content("")

    def at(self, width: int) -> Content:
        if width != self._width:
            self._width, self._content = width, self._build(width)
        return self._content

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return self.at(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self.at(width).get_height(rules, width)


def hanging(row: Content, indent: int) -> Fitted:
    """One row of a list, whose text goes on below itself."""
    return Fitted(lambda width: hung(row, width, indent))
