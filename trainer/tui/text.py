"""Words on the screen. Everything from files, compilers and users becomes `Content`, never markup:
Textual would read `tile[32][33]` as a tag and drop half of it."""

from __future__ import annotations

from datetime import datetime

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from trainer.text import clean, window

ACCEPTED = "accepted"
_MARKS = {
    "accepted": ("✓", "$text-success"),
    "hazard": ("▲", "$text-warning"),
    "timed_out": ("◷", "$text-warning"),
    "unsupported": ("?", "$text-warning"),
    "new": ("·", "$foreground-muted"),
    "tried": ("◐", "$text-warning"),
}


def plain(text: str, style: str = "") -> Content:
    """`text` exactly as it is, without control characters."""
    return Content.styled(clean(text), style)


def assemble(*parts: str | Content | tuple[str, str]) -> Content:
    """Pieces with their styles; strings are taken as they are."""
    return Content.assemble(*(part if isinstance(part, Content) else _piece(part) for part in parts))


def _piece(part: str | tuple[str, str]) -> Content:
    return plain(part) if isinstance(part, str) else plain(*part)


def lines(*rows: Content | str) -> Content:
    return Content("\n").join([row if isinstance(row, Content) else plain(row) for row in rows])


def hung(row: Content, width: int, indent: int) -> Content:
    """`row` in lines of `width` cells; those after the first begin where the first has its text."""
    if width < 2 * indent or row.cell_length <= width:
        return row
    first, *others = row[indent:].wrap(width - indent)
    return lines(row[:indent] + first, *(Content(" " * indent) + other for other in others))


def cut(row: Content, width: int, at: int = 0) -> tuple[Content, int]:
    """The part of a line around the character `at` that goes into `width` cells, and where `at` is in it."""
    start, stop = window(len(row.plain), at, width)
    shown = row[start:stop]
    if start:
        shown = Content("…") + shown[1:]
    if stop < len(row.plain) or shown.cell_length > width:
        shown = shown.truncate(width - 1) + Content("…")
    return shown, at - start


def words(value: str) -> str:
    """ "wrong_answer" as people write it."""
    return value.replace("_", " ")


def mark(value: str) -> tuple[str, str]:
    """Symbol and style of a verdict or state: never the colour alone."""
    return _MARKS.get(value, ("✗", "$text-error"))


def verdict(value: str, *, bold: bool = False) -> Content:
    symbol, style = mark(value)
    return plain(f"{symbol} {words(value)}", f"bold {style}" if bold else style)


def ago(then: datetime, now: datetime) -> str:
    """ "now", "5 min", "3 h", then the date: for narrow columns."""
    seconds = (now - then).total_seconds()
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{int(seconds // 60)} min"
    if seconds < 86400:
        return f"{int(seconds // 3600)} h"
    return f"{then.astimezone():%d %b}"


def since(then: datetime, now: datetime) -> str:
    """ "now", "5 min ago", then the date: in a sentence, where a bare "5 min" would be a length."""
    shown = ago(then, now)
    return f"{shown} ago" if shown.endswith((" min", " h")) else shown


def fit(text: str, width: int) -> str:
    """`text` in exactly `width` cells of a fixed-width column, cut with an ellipsis. A Chinese character
    takes two."""
    text = " ".join(clean(text).split())
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1) + "…"


def meter(done: int, total: int, width: int = 8) -> Content:
    """A bar of `width` cells: how much of `total` is done."""
    filled = round(width * done / total) if total else 0
    filled = max(filled, 1) if done else 0
    return assemble(("━" * filled, "$text-success"), ("─" * (width - filled), "$foreground-disabled"))
