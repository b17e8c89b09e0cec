"""The notes pad, and the curtain of a pause: both lie over the interview."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static, TextArea

from trainer.tui.text import plain
from trainer.tui.widgets.key_bar import KeyBar

KEEP_S = 0.7


class NotesScreen(ModalScreen[None]):
    CSS = """
    NotesScreen #dialog { width: 72; height: 18; }
    #notes { height: 1fr; border: none; }
    """
    """What is typed goes to `keep` within a moment."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="notes.close", priority=True, tooltip="Back to the interview"),
    ]

    def __init__(self, text: str, keep: Callable[[str], None]) -> None:
        super().__init__()
        self._text, self._keep = text, keep
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield TextArea(self._text, id="notes", soft_wrap=True, theme="css")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#dialog").border_title = "Notes"
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)

    @on(TextArea.Changed)
    def _typing(self) -> None:
        if self._timer is None:
            self._timer = self.set_timer(KEEP_S, self._send)

    def _send(self) -> None:
        self._timer = None
        self._keep(self.query_one(TextArea).text)

    def action_close(self) -> None:
        self._send()
        self.dismiss()


class PauseScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,P,escape", "close", "Go on", id="pause.close", tooltip="The clock runs again"),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(plain("Paused. The clock stands still; Enter goes on."), id="below")
        yield KeyBar()

    def action_close(self) -> None:
        self.dismiss()
