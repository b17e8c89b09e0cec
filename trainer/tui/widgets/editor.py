"""Edit a kernel in place: CUDA colours, tab indents, undo, line numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from trainer.tui.cuda_syntax import highlight_lines

KINDS = ("comment", "string", "number", "keyword", "type", "cuda", "function")
MAX_COLOURED = 3000
"""Lines. Beyond that colouring at every key would be felt."""


class CudaEditor(TextArea):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "save", "Save", id="editor.save", tooltip="Write the file"),
        Binding("f5", "grade", "Save and grade", id="editor.grade", tooltip="Write the file and grade it"),
        Binding(
            "escape", "close", "Close", id="editor.close", priority=True, tooltip="Save and leave the editor"
        ),
    ]

    @dataclass
    class Asked(Message):
        """Save, and then go on with `then`: "", "grade" or "close"."""

        then: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, tab_behavior="indent", show_line_numbers=True, soft_wrap=False, theme="css")

    def on_mount(self) -> None:
        self._use_colours()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._use_colours())

    def _use_colours(self) -> None:
        variables = self.app.theme_variables
        styles = {kind: Style(color=variables[f"code-{kind}"]) for kind in KINDS}
        name = f"dojo-{self.app.theme}"
        self.register_theme(TextAreaTheme(name, syntax_styles=styles))
        self.theme = name

    def _build_highlight_map(self) -> None:
        """Textual asks tree-sitter here; columns are in bytes of UTF-8."""
        self._line_cache.clear()
        self._highlights.clear()
        rows = self.document.lines
        if len(rows) > MAX_COLOURED:
            return
        for number, spans in enumerate(highlight_lines(list(rows))):
            row = rows[number]
            flat = row.isascii()
            self._highlights[number] = [
                (s.start, s.end, s.kind)
                if flat
                else (len(row[: s.start].encode()), len(row[: s.end].encode()), s.kind)
                for s in spans
            ]

    def action_save(self) -> None:
        self.post_message(self.Asked(""))

    def action_grade(self) -> None:
        self.post_message(self.Asked("grade"))

    def action_close(self) -> None:
        self.post_message(self.Asked("close"))
