"""Pieces of terminal output. All text goes through `Text`: a source line is never taken for markup."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from trainer.cli.columns import Column, Step, display_width, laid_out
from trainer.text import clean, window

_GUTTER = 10  # cells before a line of the source


def heading(console: Console, title: str, remark: str = "") -> None:
    console.print(Text.assemble("\n", (title, "bold"), (f"  {remark}" if remark else "", "dim")))


def body(console: Console, text: str, style: str = "") -> None:
    console.print(Padding(Text(clean(text), style=style), (0, 0, 0, 2), expand=False))


def source_line(console: Console, line: int, lines: Sequence[str], column: int = 0) -> None:
    """The user's own line, numbered, with a caret where a column is known; a long one is cut around it."""
    if not 1 <= line <= len(lines):
        return
    text = clean(lines[line - 1].expandtabs(4))
    before = len(lines[line - 1][: max(column - 1, 0)].expandtabs(4))
    start, stop = window(len(text), before, max(console.width - _GUTTER, 20))
    shown = "…" + text[start + 1 : stop] if start else text[:stop]
    shown = shown[:-1] + "…" if stop < len(text) else shown
    console.print(Text(f"  {line:5} | {shown}", style="dim"), no_wrap=True, overflow="ellipsis")
    if column > 0:
        console.print(Text(f"        | {' ' * display_width(shown[: before - start])}^", style="dim"))


def table(
    console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], steps: Sequence[Step],
    *, styles: Sequence[str] = (), indent: int = 2,
) -> None:  # fmt: skip
    """Rows of one line each, however narrow the terminal (`columns.laid_out`); `styles`: one a row."""
    cleaned = [[clean(cell) for cell in row] for row in rows]
    heading_line, *lines = laid_out(columns, cleaned, console.width - indent, steps)
    for line, style in zip([heading_line, *lines], ["dim", *(styles or [""] * len(lines))], strict=True):
        console.print(Text(" " * indent + line, style=style), no_wrap=True, overflow="crop")
