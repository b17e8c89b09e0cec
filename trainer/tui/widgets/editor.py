"""Edit a kernel in place: CUDA colours, tab indents, undo, line numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import Key
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, Selection, TextAreaTheme

from trainer.text import clean
from trainer.tui.cuda_syntax import KINDS, Span, by_row, grammar

LANGUAGE = "cuda"
BLOCK = 32
_BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What Python, and Textual with it, takes for line ends, and compilers do not."""
_STAND_INS = {ord(one): 0xFDD0 + number for number, one in enumerate(_BREAKS)}
"""For these the editor holds characters that no text has: Unicode sets them aside for programs."""
_ORIGINALS = {stand_in: original for original, stand_in in _STAND_INS.items()}
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n|\r")


class CudaEditor(TextArea):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "ask", "Save", id="editor.save", tooltip="Write the file"),
        Binding(
            "f5", "ask('grade')", "Save and grade", id="editor.grade", tooltip="Write the file and grade it"
        ),
        Binding(
            "escape",
            "ask('close')",
            "Save and close",
            id="editor.close",
            priority=True,
            tooltip="Save and leave the editor",
        ),
        Binding(
            "ctrl+r", "discard", "Discard", id="editor.discard", tooltip="Leave without saving; asks first"
        ),
        Binding(
            "tab",
            "indent",
            "Indent",
            id="editor.indent",
            show=False,
            tooltip="Further in: the cursor, or the lines selected",
        ),
        Binding(
            "shift+tab",
            "dedent",
            "Dedent",
            id="editor.dedent",
            show=False,
            tooltip="Less far in: this line, or the lines selected",
        ),
        Binding("ctrl+home", "document_start", "To the start", id="editor.start", show=False),
        Binding("ctrl+end", "document_end", "To the end", id="editor.end", show=False),
        Binding("ctrl+shift+home", "document_start(True)", show=False),
        Binding("ctrl+shift+end", "document_end(True)", show=False),
    ]

    @dataclass
    class Asked(Message):
        """Save, and then go on with `then`: "", "grade" or "close"."""

        then: str

    class Discard(Message):
        """Leave the editor without saving."""

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

    @property
    def content(self) -> str:
        """The text as a file has it; "\n" ends its lines."""
        return self.text.translate(_ORIGINALS)

    def load_text(self, text: str) -> None:
        """Textual keeps the tree of the text up to date from here on. It does not get the query: it would ask
        for the colours of the whole file at each key."""
        known = grammar()
        if known is not None and self.language is None:
            self.register_language(LANGUAGE, known.language, "")
            self.set_reactive(TextArea.language, LANGUAGE)
        super().load_text(_held(text))

    def edit(self, edit: Edit) -> EditResult:
        edit.text = _held(edit.text)
        return super().edit(edit)

    def _refresh_size(self) -> None:
        """An undo comes here before it has put back the cursor, which then may lie behind the end."""
        start, end = self.selection
        self.selection = Selection(self.clamp_visitable(start), self.clamp_visitable(end))
        super()._refresh_size()

    def get_line(self, line_index: int) -> Text:
        """Textual draws this line now: with the colours that it finds in `_highlights`."""
        if line_index not in self._highlights:
            self._colour(line_index - line_index % BLOCK)
        line = super().get_line(line_index)
        if not line.plain.isprintable():
            line.plain = clean(line.plain)
        return line

    def _colour(self, first: int) -> None:
        """A block of lines at once: to find one of them in the tree takes as long as to find them all."""
        known = grammar()
        if known is None:
            return
        last = min(first + BLOCK, self.document.line_count)
        captures = self.document.query_syntax_tree(known.query, (first, 0), (last, 0))
        rows = [self.document.get_line(row).encode() for row in range(first, last)]
        for number, (row, spans) in enumerate(zip(rows, by_row(captures, rows, first), strict=True), first):
            self._highlights[number] = [(s.start, s.end, s.kind) for s in _as_shown(row, spans)]

    def _build_highlight_map(self) -> None:
        """Textual calls this when the text has changed."""
        self._line_cache.clear()
        self._highlights.clear()

    def action_ask(self, then: str = "") -> None:
        self.post_message(self.Asked(then))

    def action_discard(self) -> None:
        self.post_message(self.Discard())

    # Lines

    def on_key(self, event: Key) -> None:
        """What Textual has another use for. Not as bindings with priority: these overtake what was typed a
        moment before, which waits in the queue of this widget."""
        actions = {"enter": self.action_new_line, "tab": self.action_indent, "shift+tab": self.action_dedent}
        if event.key in actions:
            event.stop()
            event.prevent_default()
            actions[event.key]()

    def action_indent(self) -> None:
        if self.selection.is_empty:
            width = self._find_columns_to_next_tab_stop()
            self._replace_via_keyboard(" " * width, *self.selection)
        else:
            self._shift_lines(lambda row: " " * self.indent_width + row if row.strip() else row)

    def action_dedent(self) -> None:
        width = self.indent_width
        indent = re.compile(rf"\t| {{1,{width}}}")
        self._shift_lines(lambda row: row[found.end() :] if (found := indent.match(row)) else row)

    def _shift_lines(self, shifted: Callable[[str], str]) -> None:
        """Change the lines of the selection in one step, which one undo takes back; they stay selected."""
        first, last = sorted(self.selection)
        bottom = last[0] - 1 if last[1] == 0 and last[0] > first[0] else last[0]
        rows = {row: self.document.get_line(row) for row in range(first[0], bottom + 1)}
        new = {row: shifted(text) for row, text in rows.items()}
        if new == rows:
            return

        def moved(location: tuple[int, int]) -> tuple[int, int]:
            row, column = location
            if row not in rows or column == 0:
                return location
            return row, max(0, column + len(new[row]) - len(rows[row]))

        selection = Selection(*map(moved, self.selection))
        self.history.checkpoint()
        self.replace("\n".join(new.values()), (first[0], 0), (bottom, len(rows[bottom])))
        self.history.checkpoint()
        self.selection = selection

    def action_new_line(self) -> None:
        """As far in as the line that it leaves."""
        row, column = min(self.selection)
        indent = re.match(r"[ \t]*", self.document.get_line(row)[:column])
        self._replace_via_keyboard("\n" + (indent.group() if indent else ""), *self.selection)

    def action_document_start(self, select: bool = False) -> None:
        self.move_cursor(self.document.start, select)

    def action_document_end(self, select: bool = False) -> None:
        self.move_cursor(self.document.end, select)


def _held(text: str) -> str:
    """`text` so that it has as many lines for Textual as for a compiler, and can be written as UTF-8."""
    whole = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
    return _LINE_END.sub("\n", whole).translate(_STAND_INS)


def _as_shown(row: bytes, spans: list[Span]) -> list[Span]:
    """Where the spans lie once `clean` has put other characters for some of the row."""
    if row.decode().isprintable():
        return spans
    at = [len(clean(row[:byte].decode()).encode()) for span in spans for byte in (span.start, span.end)]
    return [Span(start, end, span.kind) for start, end, span in zip(at[::2], at[1::2], spans, strict=True)]
