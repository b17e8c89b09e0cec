"""Two versions of one file: which of them goes on. The other one is kept beside it."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from trainer.tui.text import plain


class Choice(StrEnum):
    MINE = "mine"
    THEIRS = "theirs"


class ConflictScreen(ModalScreen[Choice | None]):
    """None: neither, all stays as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "answer('mine')", "Mine", id="conflict.mine", tooltip="Go on with what was typed here"),
        Binding(
            "f", "answer('theirs')", "File", id="conflict.theirs", tooltip="Go on with what is in the file"
        ),
        Binding("escape,q", "answer('')", "Later", id="conflict.later", tooltip="Leave both as they are"),
    ]

    def __init__(self, name: str, theirs: str, draft: str) -> None:
        """`name` of the file; and the names of those that the one or the other version would be put into."""
        super().__init__()
        self._text = (
            f"{name} was changed after you began to edit it here.\n\n"
            f"m  go on with what you typed; what is in the file now is put into\n   {theirs}\n"
            f"f  go on with what is in the file; what you typed is put into\n   {draft}"
        )

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(plain(self._text), id="below")
            with Horizontal(id="buttons"):
                yield Button(plain("m  Mine"), id="mine", compact=True)
                yield Button(plain("f  The file's"), id="theirs", compact=True)
                yield Button(plain("Esc  Later"), id="later", compact=True)

    def on_mount(self) -> None:
        self.query_one("#later").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.action_answer("" if event.button.id == "later" else str(event.button.id))

    def action_answer(self, choice: str) -> None:
        self.dismiss(Choice(choice) if choice else None)
