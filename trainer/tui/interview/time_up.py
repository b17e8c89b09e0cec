"""What the clock did, said in front: who is typing shall not type into what comes next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from trainer.interview.clock import seconds_between
from trainer.tui.text import plain

DEAF_S = 1.0
"""Enter may be part of what is being typed, so it counts only after this."""


class TimeUpScreen(ModalScreen[None]):
    """Enter and its button close it; all other keys but the one that quits do nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "close", "Go on", id="time_up.close", tooltip="To what comes next"),
    ]

    takes_all_keys = True  # the command palette stays shut, too

    def __init__(self, words: str, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._words, self._now = words, now
        self._since = now()

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(plain(self._words), id="below")
            with Horizontal(id="buttons"):
                button = Button(plain("Enter  Go on"), id="go-on", compact=True)
                button.can_focus = False  # else other keys would press it
                yield button

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_close()

    def action_close(self) -> None:
        # a clock that was set back must not keep it open
        if abs(seconds_between(self._since, self._now())) >= DEAF_S:
            self.dismiss()
