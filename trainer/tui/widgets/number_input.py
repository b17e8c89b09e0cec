"""A field for a number; keys that numbers are not made of stay keys of the screen."""

from __future__ import annotations

import re

from textual import events
from textual.widgets import Input


class NumberInput(Input):
    """With `whole`, of digits alone."""

    def __init__(self, *, id: str | None = None, placeholder: str = "", whole: bool = False) -> None:
        self._signs = "" if whole else "-+.,eE/_' %"
        restrict = rf"[\d{re.escape(self._signs)}]*"
        super().__init__(id=id, placeholder=placeholder, compact=True, restrict=restrict)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and (character.isdigit() or character in self._signs)

    def _on_key(self, event: events.Key) -> None:  # type: ignore[override]  # Textual calls that of Input, too
        """Input would swallow every letter, whether it has a use for it or not."""
        if event.is_printable and not self.check_consume_key(event.key, event.character):
            event.prevent_default()
