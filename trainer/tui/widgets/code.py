"""Code to read: line numbers, colours, and marks beside the lines that matter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.content import Span as Mark
from textual.widgets import Static

from trainer.text import clean
from trainer.tui.cuda_syntax import Span, highlight
from trainer.tui.text import assemble, plain

TAB = 4


def code_line(line: str) -> Content:
    """One line with its colours, exactly as it is."""
    return _coloured(line, highlight([line])[0])


@lru_cache(maxsize=8)
def code_lines(text: str) -> tuple[Content, ...]:
    """The lines of a text, tabs expanded. Kept, since a screen shows one file in several ways."""
    rows = [row.expandtabs(TAB) for row in text.splitlines()]
    return tuple(_coloured(row, spans) for row, spans in zip(rows, highlight(rows), strict=True))


def _coloured(line: str, spans: list[Span]) -> Content:
    return Content(clean(line), [Mark(start, end, f"$code-{kind}") for start, end, kind in spans])


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
