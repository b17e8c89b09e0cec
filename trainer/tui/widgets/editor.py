"""Edit a kernel in place: CUDA colours, tab indents, undo, line numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, TextAreaTheme

from trainer.tui.cuda_syntax import KINDS, by_row, grammar

LANGUAGE = "cuda"
BLOCK = 32


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
        styles = {kind: Style(color=Color.parse(variables[f"code-{kind}"]).rich_color) for kind in KINDS}
        name = f"dojo-{self.app.theme}"
        self.register_theme(TextAreaTheme(name, syntax_styles=styles))
        self.theme = name

    def load_text(self, text: str) -> None:
        """Textual keeps the tree of the text up to date from here on. It does not get the query: it would ask
        for the colours of the whole file at each key."""
        known = grammar()
        if known is not None and self.language is None:
            self.register_language(LANGUAGE, known.language, "")
            self.set_reactive(TextArea.language, LANGUAGE)
        super().load_text(_with_one_newline(text))

    def edit(self, edit: Edit) -> EditResult:
        edit.text = _with_one_newline(edit.text)
        return super().edit(edit)

    def get_line(self, line_index: int) -> Text:
        """Textual draws this line now: with the colours that it finds in `_highlights`."""
        if line_index not in self._highlights:
            self._colour(line_index - line_index % BLOCK)
        return super().get_line(line_index)

    def _colour(self, first: int) -> None:
        """A block of lines at once: to find one of them in the tree takes as long as to find them all."""
        known = grammar()
        if known is None:
            return
        last = min(first + BLOCK, self.document.line_count)
        captures = self.document.query_syntax_tree(known.query, (first, 0), (last, 0))
        rows = [self.document.get_line(row).encode(errors="replace") for row in range(first, last)]
        for row, spans in enumerate(by_row(captures, rows, first), first):
            self._highlights[row] = [(span.start, span.end, span.kind) for span in spans]

    def _build_highlight_map(self) -> None:
        """Textual calls this when the text has changed."""
        self._line_cache.clear()
        self._highlights.clear()

    def action_save(self) -> None:
        self.post_message(self.Asked(""))

    def action_grade(self) -> None:
        self.post_message(self.Asked("grade"))

    def action_close(self) -> None:
        self.post_message(self.Asked("close"))


def _with_one_newline(text: str) -> str:
    """Line ends as the editor counts them for the tree: pasted ones of Windows would count double."""
    return "\n".join(text.splitlines()) + ("\n" if text.endswith(("\n", "\r")) else "")
