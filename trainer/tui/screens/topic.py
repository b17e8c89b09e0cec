"""The questions of one topic: filter, pick one, or take the next best."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trainer.bank.model import LEVELS, Entry, Kind
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, fit, mark, plain, words

ALL = ""


class TopicScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next best", id="topic.next", tooltip="Due, then missed, then new"),
        Binding("z", "quiz", "Quiz", id="topic.quiz", tooltip="Ten quizzes of this topic"),
        Binding("k", "kind", "Kind", id="topic.kind", tooltip="Show one kind of question, then the next"),
        Binding("l", "level", "Level", id="topic.level", tooltip="Show one level, then the next"),
    ]

    def __init__(self, topic: str) -> None:
        super().__init__()
        self.topic = topic
        self.kind = ALL
        self.level = ALL
        self.shown: list[Entry] = []

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.topic,)

    def compose_body(self) -> ComposeResult:
        yield Static(id="filter")
        yield OptionList(id="questions", compact=True)

    def on_mount(self) -> None:
        self._fill()
        self.query_one("#questions").focus()

    def on_screen_resume(self) -> None:
        self._fill()

    def _fill(self) -> None:
        states = self.services.states()
        mine = [entry for entry in self.services.entries if entry.topic == self.topic]
        self.shown = sorted(
            (e for e in mine if self.kind in (ALL, e.kind.value) and self.level in (ALL, e.level)),
            key=lambda entry: LEVELS.index(entry.level),
        )
        self.query_one("#filter", Static).update(self._filter_line(len(mine)))
        options = self.query_one("#questions", OptionList)
        at = options.highlighted or 0
        options.clear_options()
        options.add_options(Option(self._row(e, states.get(e.id, "new")), id=e.id) for e in self.shown)
        if not self.shown:
            options.add_option(
                Option(plain("nothing of this kind and level", "$foreground-muted"), disabled=True)
            )
        options.highlighted = min(at, len(self.shown) - 1) if self.shown else None
        self.dojo.tell_trouble()

    def _filter_line(self, total: int) -> Content:
        return assemble(
            ("kind ", "$foreground-muted"),
            (self.kind or "all", "bold $accent" if self.kind else ""),
            ("   level ", "$foreground-muted"),
            (self.level or "all", "bold $accent" if self.level else ""),
            (f"   {len(self.shown)} of {total}", "$foreground-muted"),
        )

    def _row(self, entry: Entry, state: str) -> Content:
        symbol, style = mark(state)
        return assemble(
            (f"{symbol} ", style),
            fit(self.services.text(entry.title), 40),
            (f"  {entry.level:<8}{entry.kind.value:<10}", "$foreground-muted"),
            (words(state), style),
        )

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dojo.open_question(str(event.option_id))

    def action_next(self) -> None:
        self.practise_next(self.shown)

    def action_quiz(self) -> None:
        self.dojo.quiz(self.topic)

    def action_kind(self) -> None:
        kinds = [
            k.value for k in Kind if any(e.topic == self.topic and e.kind is k for e in self.services.entries)
        ]
        self.kind = _after(self.kind, [ALL, *kinds])
        self._fill()

    def action_level(self) -> None:
        self.level = _after(self.level, [ALL, *LEVELS])
        self._fill()


def _after(value: str, values: list[str]) -> str:
    return values[(values.index(value) + 1) % len(values)]
