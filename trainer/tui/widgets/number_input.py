"""A field for a number; keys that numbers are not made of stay keys of the screen."""

from __future__ import annotations

from textual.widgets import Input


class NumberInput(Input):
    def __init__(self, *, id: str | None = None, placeholder: str = "") -> None:
        super().__init__(id=id, placeholder=placeholder, compact=True, restrict=r"[-+\d.,eE/_' %]*")

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and (character.isdigit() or character in "-+.,eE/_' %")
