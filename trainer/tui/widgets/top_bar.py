"""One line: where we are on the left, what we run on at the right."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from trainer.tui.text import assemble, plain


class TopBar(Horizontal):
    def __init__(self, crumbs: Sequence[str]) -> None:
        super().__init__()
        self._crumbs = crumbs

    def compose(self) -> ComposeResult:
        yield Static(self._where(), id="where")
        yield Static("", id="machine")

    def show_machine(self, text: str) -> None:
        self.query_one("#machine", Static).update(plain(text))

    def _where(self) -> Content:
        parts: list[tuple[str, str]] = [("Warp Dojo", "bold $accent")]
        for crumb in self._crumbs:
            parts += [("  ›  ", "$foreground-disabled"), (crumb, "")]
        return assemble(*parts)
