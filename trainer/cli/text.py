"""Pieces of terminal output. All text goes through `Text`: a source line is never taken for markup."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trainer.text import clean


def heading(console: Console, title: str, remark: str = "") -> None:
    console.print(Text.assemble("\n", (title, "bold"), (f"  {remark}" if remark else "", "dim")))


def body(console: Console, text: str, style: str = "") -> None:
    console.print(Padding(Text(clean(text), style=style), (0, 0, 0, 2), expand=False))


def source_line(console: Console, line: int, lines: Sequence[str], column: int = 0) -> None:
    """The user's own line, numbered, with a caret where a column is known."""
    if not 1 <= line <= len(lines):
        return
    text = clean(lines[line - 1].expandtabs(4))
    console.print(Text(f"  {line:5} | {text}", style="dim"), no_wrap=True, overflow="ellipsis")
    if column > 0:
        before = len(lines[line - 1][: column - 1].expandtabs(4))
        if before < console.width - 11:
            console.print(Text(f"        | {' ' * before}^", style="dim"))


def grid(first: str, *numbers: str) -> Table:
    """A table with text in the first column and numbers in the others."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right", overflow="fold")
    return table
