"""Code to read: line numbers, colours, and marks beside the lines that matter."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.widgets import Static

from trainer.tui.cuda_syntax import Span, highlight_lines
from trainer.tui.text import assemble, plain

TAB = 4


def coloured(line: str, spans: list[Span]) -> Content:
    """One line with its colours, exactly as it is."""
    parts: list[str | tuple[str, str]] = []
    position = 0
    for span in spans:
        parts.append(line[position : span.start])
        parts.append((line[span.start : span.end], f"$code-{span.kind}"))
        position = span.end
    parts.append(line[position:])
    return assemble(*(part for part in parts if part not in ("", ("", ""))))


def code_lines(text: str) -> list[Content]:
    rows = [row.expandtabs(TAB) for row in text.splitlines()]
    return [coloured(row, spans) for row, spans in zip(rows, highlight_lines(rows), strict=True)]


def listing(text: str, marks: Mapping[int, tuple[str, str]] | None = None) -> Content:
    """`text` with line numbers; `marks` are a symbol and its style by line number, from 1."""
    marks = marks or {}
    rows = []
    for number, row in enumerate(code_lines(text), 1):
        symbol, style = marks.get(number, (" ", ""))
        gutter = f"bold {style}" if number in marks else "$foreground-disabled"
        rows.append(assemble((f"{symbol}{number:4d} ", gutter), row))
    return Content("\n").join(rows) if rows else plain("(empty)", "$foreground-muted")


class CodeView(ScrollableContainer):
    """Scrolls both ways; long lines are not broken."""

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._body = Static(listing(text) if text else "", classes="code-text")

    def compose(self) -> ComposeResult:
        yield self._body

    def show(self, text: str, marks: Mapping[int, tuple[str, str]] | None = None) -> None:
        self._body.update(listing(text, marks))

    def show_content(self, content: Content) -> None:
        self._body.update(content)
