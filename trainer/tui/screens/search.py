"""Find a question by any of its words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from trainer.bank.model import Entry
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, fit, mark, plain, words

SHOWN = 60
"""Rows take 0.3 ms each, at every key."""


class SearchScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="search.back", tooltip="To the screen before"),
        Binding("down", "list", "To the list", id="search.list", show=False, tooltip="Into the matches"),
    ]

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("search",)

    def compose_body(self) -> ComposeResult:
        yield Input(placeholder="words of a title, topic, level or kind", id="query", compact=True)
        yield OptionList(id="matches", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._show("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, query: str) -> None:
        states = self.services.states()
        options = self.query_one(OptionList)
        options.clear_options()
        found = matching(self.services.entries, query)
        for entry in found[:SHOWN]:
            symbol, style = mark(states.get(entry.id, "new"))
            row = assemble(
                (f"{symbol} ", style),
                fit(self.services.text(entry.title), 34),
                (f"  {entry.topic:<14}{entry.level:<8}", "$foreground-muted"),
                (words(states.get(entry.id, "new")), style),
            )
            options.add_option(Option(row, id=entry.id))
        told = f"and {len(found) - SHOWN} more: another word narrows it" if len(found) > SHOWN else ""
        told = told or ("" if found else "no question has these words")
        if told:
            options.add_option(Option(plain(told, "$foreground-muted"), disabled=True))
        options.highlighted = 0

    @on(Input.Submitted)
    def _first(self) -> None:
        options = self.query_one(OptionList)
        option = options.get_option_at_index(options.highlighted or 0)
        if option.id:
            self._open(option.id)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self._open(str(event.option_id))

    def _open(self, question_id: str) -> None:
        self.app.pop_screen()
        self.dojo.open_question(question_id)

    def action_list(self) -> None:
        self.query_one(OptionList).focus()


def matching(entries: Sequence[Entry], query: str) -> list[Entry]:
    """Entries that have every word of the query somewhere: those called just so first, then those with
    the words in their title, of these the ones that begin with them, the shortest before."""
    wanted = query.lower().split()
    phrase = " ".join(wanted)
    found = []
    for entry in entries:
        titles = [title.lower() for title in entry.title.values()]
        text = " ".join([*titles, entry.id, entry.topic, entry.level, entry.kind.value])
        if all(word in text for word in wanted):
            in_title = all(word in " ".join(titles) for word in wanted)
            begun = [len(title) for title in titles if phrase and title.startswith(phrase)]
            found.append((phrase not in titles, not in_title, min(begun, default=math.inf), entry))
    return [entry for *_, entry in sorted(found, key=lambda row: row[:3])]
