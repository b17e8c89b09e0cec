"""What was done: streak, heatmap, mastery by topic, every attempt, and a file to take along."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trainer.store.calendar import per_day
from trainer.store.export import FORMATS, export
from trainer.store.giving_up import given_up, timeline
from trainer.store.history import Attempt, Event
from trainer.store.stats import Stats, summarise
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, fit, lines, meter, plain
from trainer.tui.views.attempts import row, task_of
from trainer.tui.views.heatmap import heatmap

if TYPE_CHECKING:
    from trainer.store.mastery import Mastery

PAGE = 300
"""Rows that are made at a time: each takes 0.3 ms."""


class ProgressScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "by_task", "By task", id="progress.by_task", tooltip="One row a task, or all attempts"),
        Binding("escape,q", "back", "Back", id="progress.back", tooltip="From a task to all, then back"),
        Binding("x", "export", "Export", id="progress.export", tooltip="Write JSON, CSV and Markdown files"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.by_task = False
        self.only = ""  # the one whose attempts are listed; "" for all
        self._attempts: tuple[Attempt, ...] = ()
        self._give_ups: tuple[Event, ...] = ()
        self._rows: list[Attempt | Event | str] = []  # what rows are about: a task where there is one a row
        self._made = 0  # rows there are so far

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("progress",)

    def compose_body(self) -> ComposeResult:
        yield Static(id="summary")
        with Horizontal(id="charts"):
            yield Static(id="heatmap")
            with VerticalScroll(id="mastery-scroll"):
                yield Static(id="mastery")
        with Vertical(id="list"):
            yield Static(id="list-head", classes="heading")
            yield OptionList(id="attempts", compact=True)

    def on_mount(self) -> None:
        self._attempts = self.services.attempts()
        self._give_ups = self.services.give_ups()
        today = self.services.now().astimezone().date()
        stats = summarise(self._attempts, self.services.entries, today)
        self.query_one("#summary", Static).update(_summary(stats))
        self.query_one("#heatmap", Static).update(heatmap(per_day(self._attempts), today))
        self.query_one("#mastery", Static).update(_mastery(stats, ()))
        self.in_background(self.services.mastery, lambda known: self._show_mastery(stats, known))
        self._fill()
        self.query_one("#attempts").focus()
        self.dojo.tell_trouble()

    def _show_mastery(self, stats: Stats, known: tuple[Mastery, ...]) -> None:
        self.query_one("#mastery", Static).update(_mastery(stats, known))

    def _fill(self) -> None:
        if self.by_task and not self.only:
            tasks = dict.fromkeys(task_of(one) for one in timeline(self._attempts, self._give_ups))
            self._rows = [*tasks]
        else:
            found = timeline(self._attempts, self._give_ups)
            self._rows = [one for one in found if self.only in ("", task_of(one))]
        self._made = 0
        options = self.query_one("#attempts", OptionList)
        options.clear_options()
        if self._rows:
            self._make_more()
        else:
            options.add_option(Option(plain("no attempts yet", "$foreground-muted"), disabled=True))
        options.highlighted = 0 if self._rows else None

    def _make_more(self) -> None:
        """Another page of rows, in the place of the row that stands for what is left."""
        options = self.query_one("#attempts", OptionList)
        if self._made:
            options.remove_option_at_index(self._made)
        page = self._rows[self._made : self._made + PAGE]
        since, groups = given_up(self._give_ups), self._groups() if self.by_task and not self.only else {}
        now = self.services.now()
        options.add_options(Option(row(one, groups, since, now)) for one in page)
        self._made += len(page)
        left = len(self._rows) - self._made
        if left:
            options.add_option(Option(plain(f"… {left} more: go on down", "$accent")))
        self.query_one("#list-head", Static).update(self._head())

    def _groups(self) -> dict[str, list[Attempt]]:
        """By task, newest first."""
        groups: dict[str, list[Attempt]] = defaultdict(list)
        for attempt in self._attempts:
            groups[attempt.task].append(attempt)
        return groups

    def _head(self) -> Content:
        count = len(self._rows)
        many = f"{self._made} of {count}" if self._made < count else f"{count}"
        what = "Attempts and give-ups" if any(isinstance(one, Event) for one in self._rows) else "Attempts"
        if self.only:
            return assemble(f"{what} at {self.only}: {many}", ("   Escape: all tasks", "$foreground-muted"))
        if self.by_task:
            return plain(f"Tasks: {many}   best, and the last attempts from old to new; Enter lists them")
        return plain(f"{what}: {many}, newest first")

    @on(OptionList.OptionHighlighted)
    def _reached(self, event: OptionList.OptionHighlighted) -> None:
        if self._made and event.option_index >= self._made:
            self._make_more()
            self.query_one("#attempts", OptionList).highlighted = event.option_index

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        from trainer.tui.screens.attempt import AttemptScreen

        if event.option_index >= self._made:
            return
        one = self._rows[event.option_index]
        if isinstance(one, str):
            self.only = one
            self._fill()
        elif isinstance(one, Event):
            self.dojo.open_question(one.question)
        else:
            self.app.push_screen(AttemptScreen(one))

    def action_back(self) -> None:
        if not self.only:
            super().action_back()
            return
        task, self.only = self.only, ""
        self._fill()
        if task in self._rows[: self._made]:
            self.query_one("#attempts", OptionList).highlighted = self._rows.index(task)

    def action_by_task(self) -> None:
        self.by_task, self.only = not self.by_task, ""
        self._fill()

    def action_export(self) -> None:
        try:
            today, folder = self.services.now().date(), self.services.workspace
            paths = write_exports(self._attempts, self._give_ups, folder, today)
        except OSError as problem:
            self.tell(f"cannot be written: {problem}", severity="error")
            return
        self.tell("written: " + ", ".join(str(path) for path in paths))


def write_exports(
    attempts: Sequence[Attempt], give_ups: Sequence[Event], folder: Path, today: date
) -> list[Path]:
    """One file a format in `folder`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for form in FORMATS:
        path = folder / f"warpdojo-{today:%Y-%m-%d}.{form}"
        path.write_text(export(attempts, form, give_ups), encoding="utf-8")
        paths.append(path)
    return paths


def _summary(stats: Stats) -> Content:
    """Fits 80 columns with five digits a number."""
    days = f"{stats.streak_days} day{'s' * (stats.streak_days != 1)} in a row"
    return assemble(
        (days, "bold $accent"),
        (" (to local midnight)", "$foreground-muted"),
        f"   {stats.attempts} attempts, {stats.accepted} accepted",
    )


def _mastery(stats: Stats, known: Sequence[Mastery]) -> Content:
    """Solved of all, and what would be answered now; weak topics are marked."""
    from trainer.store.mastery import weak_spots

    shares = {topic.topic: f"{topic.known:>5.0%}" for topic in known}
    weak = {topic.topic for topic in weak_spots(known)}
    rows = [
        assemble(
            fit(topic.topic, 15),
            meter(topic.accepted, topic.questions, 5),
            (f" {topic.accepted:>2}/{topic.questions:<3}", "$foreground-muted"),
            shares.get(topic.topic, ""),
            (" ▲" if topic.topic in weak else "", "$text-warning"),
        )
        for topic in stats.topics
    ]
    told = "  ▲ weak" if weak else ""
    return lines(plain(f"Solved, known{told}", "bold $foreground-muted"), *rows)
