"""Interviews that were begun and not ended, one a row: Enter goes on with one."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from trainer.bank.model import localized
from trainer.tui.text import assemble, fit

if TYPE_CHECKING:
    from trainer.interview.unfinished import Unfinished

TITLE = 24  # cells, so that the row fits 80 columns


class OpenInterviews(OptionList):
    """Takes no room while there are none; takes the focus when the first one appears."""

    def show(self, found: Sequence[Unfinished], language: str) -> None:
        rows = [Option(_row(one, language), id=one.id) for one in found]
        at, appears = self.highlighted or 0, bool(rows) and not self.display
        self.clear_options()
        self.add_options(rows)
        self.highlighted = min(at, len(rows) - 1) if rows else None
        self.display = bool(rows)
        if appears:
            self.focus()


def _row(one: Unfinished, language: str) -> Content:
    minutes = ceil(one.left_s / 60)
    left = f"{minutes} min left" if minutes > 0 else "its time is up"
    mode = ", strict" if one.strict else ", practice"
    return assemble(
        ("▸ Interview open: ", "bold $text-warning"),
        (left, "bold"),
        ("  Enter", "bold $accent"),
        (f"  {fit(localized(one.title, language), TITLE).rstrip()}{mode}", "$foreground-muted"),
    )
