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
from trainer.store.history import Attempt
from trainer.store.stats import Stats, summarise
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import ago, assemble, fit, lines, mark, meter, plain, verdict
from trainer.tui.views.heatmap import heatmap
from trainer.tui.views.speed import microseconds

if TYPE_CHECKING:
    from trainer.store.mastery import Mastery

TREND = 10  # attempts of a task that the trend shows


class ProgressScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "by_task", "By task", id="progress.by_task", tooltip="One row a task, or all attempts"),
        Binding("x", "export", "Export", id="progress.export", tooltip="Write JSON, CSV and Markdown files"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.by_task = False
        self._attempts: tuple[Attempt, ...] = ()
        self._rows: list[Attempt] = []

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
        options = self.query_one("#attempts", OptionList)
        options.clear_options()
        if self.by_task:
            groups: dict[str, list[Attempt]] = defaultdict(list)
            for attempt in self._attempts:
                groups[attempt.task].append(attempt)
            self._rows = [group[0] for group in groups.values()]
            rows = [_task_row(group) for group in groups.values()]
        else:
            self._rows = list(self._attempts[:500])
            rows = [_attempt_row(a, ago(a.at, self.services.now())) for a in self._rows]
        options.add_options(Option(row) for row in rows)
        if not rows:
            options.add_option(Option(plain("no attempts yet", "$foreground-muted"), disabled=True))
        options.highlighted = 0 if rows else None
        head = "Tasks: best, and the last attempts from old to new" if self.by_task else "Attempts"
        self.query_one("#list-head", Static).update(plain(head))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        from trainer.tui.screens.attempt import AttemptScreen

        self.app.push_screen(AttemptScreen(self._rows[event.option_index]))

    def action_by_task(self) -> None:
        self.by_task = not self.by_task
        self._fill()

    def action_export(self) -> None:
        try:
            paths = write_exports(self._attempts, self.services.workspace, self.services.now().date())
        except OSError as problem:
            self.tell(f"cannot be written: {problem}", severity="error")
            return
        self.tell("written: " + ", ".join(str(path) for path in paths))


def write_exports(attempts: tuple[Attempt, ...], folder: Path, today: date) -> list[Path]:
    """One file a format in `folder`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for form in FORMATS:
        path = folder / f"warpdojo-{today:%Y-%m-%d}.{form}"
        path.write_text(export(attempts, form), encoding="utf-8")
        paths.append(path)
    return paths


def _summary(stats: Stats) -> Content:
    days = f"{stats.streak_days} day{'s' * (stats.streak_days != 1)} in a row"
    return assemble(
        (days, "bold $accent"),
        f"   {stats.attempts} attempts, {stats.accepted} accepted",
        ("   days end at local midnight", "$foreground-muted"),
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


def _attempt_row(attempt: Attempt, when: str) -> Content:
    symbol_and_word = assemble(verdict(attempt.verdict))
    pad = " " * max(1, 17 - len(symbol_and_word.plain))
    score = "" if attempt.score is None else f"{attempt.score:.3g}"
    time = "" if attempt.median_us is None else microseconds(attempt.median_us)
    return assemble(
        fit(attempt.task, 24),
        " ",
        symbol_and_word,
        f"{pad}{score:>5} {time:>10}  ",
        (f"{attempt.backend:<4}{when:>9}", "$foreground-muted"),
    )


def _task_row(group: list[Attempt]) -> Content:
    """`group` is newest first."""
    accepted = [a for a in group if a.verdict == "accepted"]
    times = [a.median_us for a in accepted if a.median_us is not None]
    scores = [a.score for a in accepted if a.score is not None]
    best = microseconds(min(times)) if times else f"score {max(scores):.3g}" if scores else "not yet"
    trend = [mark(a.verdict) for a in reversed(group[:TREND])]
    count = f"{len(group)} attempt{'s' * (len(group) != 1)}"
    return assemble(fit(group[0].task, 22), f" {best:<14}", *trend, (f"  {count}", "$foreground-muted"))
