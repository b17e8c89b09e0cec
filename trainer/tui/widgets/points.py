"""The points of a good answer, to be ticked by whoever gave it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from trainer.tui.text import assemble
from trainer.tui.widgets.fitted import Fitted, hanging


class PointList(OptionList):
    """`ticked` says which; by digit, space or mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Tick", id="points.tick", tooltip="You said this, or not"),
        *(
            Binding(
                str(number), f"number({number})", "Tick it", show=False, tooltip="The point of that number"
            )
            for number in range(1, 10)
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self._points: list[tuple[str, str]] = []
        self._ticked: set[int] = set()

    def show(self, points: Sequence[tuple[str, str]]) -> None:
        """What each belongs to ("" for nothing) and what it says."""
        self._points, self._ticked = list(points), set()
        self._redraw()
        self.highlighted = 0 if points else None

    @property
    def ticked(self) -> tuple[bool, ...]:
        return tuple(index in self._ticked for index in range(len(self._points)))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._toggle(event.option_index)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return parameters[0] in range(1, len(self._points) + 1) if action == "number" else True

    def action_number(self, number: int) -> None:
        self.highlighted = number - 1
        self._toggle(self.highlighted)

    def _toggle(self, index: int) -> None:
        self._ticked ^= {index}
        self._redraw()

    def _redraw(self) -> None:
        at = self.highlighted
        self.clear_options()
        self.add_options(Option(self._row(index)) for index in range(len(self._points)))
        self.highlighted = at

    def _row(self, index: int) -> Fitted:
        aspect, text = self._points[index]
        box = ("[x] ", "bold $text-success") if index in self._ticked else ("[ ] ", "bold $accent")
        number = f"{index + 1}  "
        row = assemble(box, number, (f"{aspect}: " if aspect else "", "bold"), text)
        return hanging(row, len(box[0] + number))
