"""An answer in words."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import TextArea


class Words(TextArea):
    """Tab goes on to the next field; the screen hands in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "screen.hand_in", "Hand in", id="words.hand_in", show=False, tooltip="Hand in"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, theme="css", placeholder="in your own words, or aloud")
