"""All keys of a screen, made from its bindings, so that it is never out of date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from trainer.tui.text import assemble, hung, lines, plain
from trainer.tui.widgets.fitted import Fitted
from trainer.tui.widgets.key_bar import usable

KEYS, DOES = 12, 15  # cells


class HelpScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "Close", id="help.close", tooltip="Close this help"),
    ]

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="dialog") as dialog:
            dialog.border_title = "Keys"
            dialog.border_subtitle = "Escape closes"
            yield Static(Fitted(self._keys), id="keys")

    def on_mount(self) -> None:
        self.query_one("#dialog").focus()

    def on_click(self) -> None:
        self.dismiss()

    def _keys(self, width: int) -> Content:
        ours, others = help_rows(self._about)
        names = ", ".join(row.name for row in ours if row.name)
        text = f'Other keys: lines like "task.grade" = "f9" below [keys] in the settings file. Names: {names}'
        rows = [*(_row(row, width) for row in ours), Content(""), plain(text, "$foreground-muted")]
        if others:
            rows += [Content(""), plain("Where the cursor is", "bold $accent")]
            rows += [_row(row, width) for row in others]
        return lines(*rows)


@dataclass(frozen=True)
class HelpRow:
    keys: str
    does: str
    more: str = ""
    name: str = ""
    """By which the settings bind another key; "" where they cannot."""


def _row(row: HelpRow, width: int) -> Content:
    keys, does = f"{row.keys:>{KEYS}}  ", f"{row.does:<{DOES}} "
    text = assemble((keys, "bold $accent"), does, (row.more, "$foreground-muted"))
    return hung(text, width, len(keys + does))


def help_rows(screen: Screen[object]) -> tuple[list[HelpRow], list[HelpRow]]:
    """What keys do on `screen`: those of the app, and those that Textual gives the widget with the focus."""
    found: dict[tuple[str, str], HelpRow] = {}
    for binding in usable(screen):
        if binding.key.startswith("super+"):
            continue  # few terminals send them
        key = screen.app.get_key_display(binding)
        about = binding.id or binding.action, binding.description
        if not binding.id and binding.tooltip:
            about = binding.tooltip, binding.description  # one of several that do alike
        before = f"{found[about].keys}, " if about in found else ""
        found[about] = HelpRow(before + key, binding.description, binding.tooltip, binding.id or "")
    rows = list(found.values())
    return [row for row in rows if row.more], [row for row in rows if not row.more]
