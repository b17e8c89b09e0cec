"""Tables of text that give way as the terminal gets narrower: a row stays one line, whatever it costs.

Free of imports: `warpdojo list` lays out its rows with it, and has no time for Rich.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

GAP = 2


@dataclass(frozen=True)
class Column:
    title: str
    right: bool = False


@dataclass(frozen=True)
class Step:
    """What to do about the column of that title while the rows are too wide: leave it out, or with `least`
    cut it down to no fewer columns; `brief`: to exactly so many, because the rest does not matter.
    """

    title: str
    least: int = 0
    brief: bool = False


def laid_out(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int, steps: Sequence[Step]
) -> list[str]:
    """The heading and a line for each row, none wider than `width`: `steps` are taken one after the other
    until that is so, and room that a whole column leaves over goes to those cut before."""
    cells = [[column.title for column in columns], *rows]
    natural = {c.title: max(display_width(row[k]) for row in cells) for k, c in enumerate(columns)}
    widths, brief, cut = dict(natural), set[str](), []
    for step in steps:
        if _room(widths, width) >= 0:
            break
        if step.title not in widths:
            continue
        if step.brief:
            brief.add(step.title)
            widths[step.title] = min(widths[step.title], step.least)
        elif step.least:
            cut.append(step.title)
            least = min(widths[step.title], step.least)
            widths[step.title] = max(widths[step.title] + _room(widths, width), least)
        else:
            del widths[step.title]
    for title in cut:
        if title in widths and _room(widths, width) > 0:
            widths[title] = min(natural[title], widths[title] + _room(widths, width))
    return [_line(columns, row, widths, brief, width) for row in cells]


def _room(widths: dict[str, int], width: int) -> int:
    """Columns left over; negative: too many."""
    return width - sum(widths.values()) - GAP * (len(widths) - 1)


def _line(
    columns: Sequence[Column], row: Sequence[str], widths: dict[str, int], brief: set[str], width: int
) -> str:
    parts = []
    for column, text in zip(columns, row, strict=True):
        if column.title in widths:
            text = text[: widths[column.title]] if column.title in brief else text
            parts.append(fitted(text, widths[column.title], right=column.right))
    line = (" " * GAP).join(parts).rstrip()
    return line if display_width(line) <= width else fitted(line, width)


def fitted(text: str, columns: int, *, right: bool = False) -> str:
    """Text on exactly so many columns of a terminal, cut with an ellipsis where it is longer."""
    kept, used = "", 0
    total = display_width(text)
    for c in text:
        if used + _columns(c) > columns - (total > columns):
            break
        kept, used = kept + c, used + _columns(c)
    if total > columns:
        kept, used = kept + "\N{HORIZONTAL ELLIPSIS}", used + 1
    room = " " * (columns - used)
    return room + kept if right else kept + room


def display_width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
