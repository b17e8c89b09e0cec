"""All keys of a screen, made from its bindings, so that it is never out of date."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from trainer.tui.text import assemble, lines, plain


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
            yield Static(self._keys(), id="keys")

    def on_mount(self) -> None:
        self.query_one("#dialog").focus()

    def on_click(self) -> None:
        self.dismiss()

    def _keys(self) -> Content:
        rows = []
        for key, _binding, tooltip, name in help_rows(self._about):
            rows.append(
                assemble(
                    (f"{key:>12}  ", "bold $accent"),
                    f"{_binding:<15}",
                    (f"{tooltip}", "$foreground-muted"),
                    (f"  {name}" if not tooltip else "", "$foreground-disabled"),
                )
            )
        names = ", ".join(name for *_, name in help_rows(self._about))
        text = f'Other keys: lines like "task.grade" = "f9" below [keys] in the settings file. Names: {names}'
        foot = plain(text, "$foreground-muted")
        return lines(*rows, "", foot)


def help_rows(screen: Screen[object]) -> list[tuple[str, str, str, str]]:
    """(key, what it does, more about it, its id) of every binding of ours that works on `screen`."""
    found: dict[str, tuple[str, str, str, str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.id or not binding.description or not active.enabled:
            continue
        key = screen.app.get_key_display(binding)
        if binding.id in found:
            key = f"{found[binding.id][0]}, {key}"
        found[binding.id] = (key, binding.description, binding.tooltip, binding.id)
    return list(found.values())
