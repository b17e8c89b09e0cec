"""A picture over the screen: sectors or banks of one memory request."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from trainer.tui.text import plain


class PictureScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", "Close", id="picture.close", tooltip="Back to the table"),
    ]

    def __init__(self, title: str, picture: Content, below: Content) -> None:
        super().__init__()
        self._title, self._picture, self._below = title, picture, below

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = plain(self._title)
            dialog.border_subtitle = "Escape closes"
            with ScrollableContainer(id="picture"):
                yield Static(self._picture, classes="code-text")
            yield Static(self._below, id="below")

    def on_mount(self) -> None:
        self.query_one("#picture").focus()

    def on_click(self) -> None:
        self.dismiss()
