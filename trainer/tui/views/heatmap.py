"""Twelve weeks at a glance: one column a week, one row a weekday."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from textual.content import Content

from trainer.store.calendar import weeks
from trainer.tui.text import assemble, lines, plain

_CELLS = ("·", "░", "▒", "▓", "█")
_DAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")


def heatmap(done: Mapping[date, int], today: date) -> Content:
    """Denser cells for more attempts: 1, 2-3, 4-7, 8 and more."""
    columns = weeks(today)
    rows = [_months(columns)]
    for weekday in range(7):
        cells = [_cell(done, column[weekday]) if weekday < len(column) else plain("  ") for column in columns]
        rows.append(assemble((f"{_DAYS[weekday]:>4} ", "$foreground-muted"), *cells))
    legend = "  ".join(
        f"{cell} {what}" for cell, what in zip(_CELLS, ("none", "1", "2-3", "4-7", "8+"), strict=True)
    )
    return lines(*rows, plain(f"     {legend}", "$foreground-muted"))


def _cell(done: Mapping[date, int], day: date) -> Content:
    count = done.get(day, 0)
    level = 0 if not count else 1 if count < 2 else 2 if count < 4 else 3 if count < 8 else 4
    return plain(_CELLS[level] * 2, "$text-success" if level else "$foreground-disabled")


def _months(columns: list[list[date]]) -> Content:
    """The name of a month above its first week."""
    text = " " * 5
    last = 0
    for column in columns:
        month = column[0].month
        place = 5 + 2 * columns.index(column)
        if month != last and len(text) <= place:
            text = text.ljust(place) + f"{column[0]:%b}"
        last = month
    return plain(text, "$foreground-muted")
