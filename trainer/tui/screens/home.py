"""Where one starts: go on with what was open, repeat what is due, pick a topic, see what was done lately."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trainer.bank.model import Entry, Kind
from trainer.store.history import Attempt
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import ago, assemble, fit, mark, meter, plain, verdict, words
from trainer.tui.widgets.open_interviews import OpenInterviews
from trainer.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from trainer.gpu.probe import GpuProbe
    from trainer.store.review import Due

RECENT = 12
SHOWN_DUE = 6
CLOCK_S = 10.0
"""How often the minutes of an interview that is open are looked at."""
WIDE = 110  # columns, as in app.HORIZONTAL_BREAKPOINTS
SESSION = 20
"""Quizzes of one review: a backlog is worked off in sittings."""


class Home(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "resume", "Resume", id="home.resume", show=False, tooltip="What was open last"),
        Binding("d", "review", "Review", id="home.review", tooltip="Repeat what is due today"),
        Binding("n", "next", "Next", id="home.next", tooltip="Due, then missed, then new"),
        Binding("z", "quiz", "Quiz", id="home.quiz", tooltip="Ten quizzes of all topics"),
        Binding("m", "app.interviews", "Mock", id="home.interviews", tooltip="A timed mock interview"),
        Binding("p", "app.progress", "Progress", id="home.progress", tooltip="History, heatmap and streak"),
        Binding("s", "app.settings", "Settings", id="home.settings", tooltip="Theme, editor, device"),
        Binding("escape", "nothing", "", id="home.nothing", show=False),
        Binding("q", "app.leave", "Quit", id="home.quit", show=False, tooltip="Leave Warp Dojo"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._resume: Entry | None = None
        self._recent: tuple[Attempt, ...] = ()
        self._due: tuple[Due, ...] = ()

    def compose_body(self) -> ComposeResult:
        yield OpenInterviews(id="open", compact=True)
        yield Static("", id="resume")
        with Horizontal(id="columns"):
            with Vertical(id="topic-column"):
                yield Static("Topics", classes="heading")
                yield OptionList(id="topics", compact=True)
            with Vertical(classes="column"):
                yield Static("Review today", id="review-head", classes="heading")
                yield OptionList(id="review", compact=True)
                yield Static("Recent attempts", classes="heading")
                yield OptionList(id="recent", compact=True)

    def on_mount(self) -> None:
        self.query_one("#open").display = False
        self.query_one("#topics").focus()
        self.set_interval(CLOCK_S, self._tick)

    def on_resize(self) -> None:
        self._fill_recent()
        self._show_due(self._due)

    def on_screen_resume(self) -> None:
        self._fill()
        # After the first frame: the driver may take its time, and what is due takes a library.
        self.set_timer(0.05, lambda: self.in_background(self.services.machine, self._show_machine))
        if self._recent:
            self.set_timer(0.05, lambda: self.in_background(self.services.due, self._show_due))
        else:
            self._show_due(())

    def _fill(self) -> None:
        self._fill_open()
        self._resume = self.services.last_opened()
        self.query_one("#resume", Static).update(self._resume_line())
        self._fill_topics()
        self._recent = self.services.attempts(limit=RECENT)
        self._fill_recent()
        self.dojo.tell_trouble()

    def _fill_open(self) -> None:
        self.query_one(OpenInterviews).show(self.services.unfinished(), self.services.language)

    def _tick(self) -> None:
        """The clock of an interview runs on while one is here."""
        if self.is_current and self.query_one(OpenInterviews).display:
            self._fill_open()

    def _resume_line(self) -> Content:
        if self._resume is None:
            return assemble(
                ("Welcome. ", "bold"),
                "Pick a topic below, write a kernel in your own editor, and grade it with ",
                ("g", "bold $accent"),
                ".",
            )
        state = self.services.states().get(self._resume.id, "new")
        return assemble(
            ("Resume  ", "bold"),
            (self.services.text(self._resume.title), "bold $primary"),
            (f"  {self._resume.topic}, {self._resume.level}, ", "$foreground-muted"),
            (f"{mark(state)[0]} {words(state)}", mark(state)[1]),
            ("   r", "bold $accent"),
        )

    def _fill_topics(self) -> None:
        states = self.services.states()
        options = []
        for topic in sorted({entry.topic for entry in self.services.entries}):
            ids = [entry.id for entry in self.services.entries if entry.topic == topic]
            done = sum(states.get(one) == "accepted" for one in ids)
            row = assemble(
                fit(topic, 15), meter(done, len(ids), 6), (f"  {done}/{len(ids)}", "$foreground-muted")
            )
            options.append(Option(row, id=topic))
        _refill(self.query_one("#topics", OptionList), options)

    def _fill_recent(self) -> None:
        options = [Option(self._recent_row(a), id=str(i)) for i, a in enumerate(self._recent)]
        if not options:
            options = [Option(plain("nothing yet", "$foreground-muted"), disabled=True)]
        _refill(self.query_one("#recent", OptionList), options)

    @property
    def _room(self) -> int:
        """Cells for a title in the right column."""
        return max(16, min(self.size.width - (77 if self.size.width >= WIDE else 62), 60))

    def _recent_row(self, attempt: Attempt) -> Content:
        title = self.services.title(attempt.task)
        told = verdict(attempt.verdict)
        when = f"{'':{max(1, 15 - len(told.plain))}}{ago(attempt.at, self.services.now()):>7}"
        return assemble(fit(title, self._room), " ", told, (when, "$foreground-muted"))

    @on(OptionList.OptionSelected, "#open")
    def _interview_chosen(self, event: OptionList.OptionSelected) -> None:
        self.dojo.open_interviews(resume=str(event.option_id))

    @on(OptionList.OptionSelected, "#topics")
    def _topic_chosen(self, event: OptionList.OptionSelected) -> None:
        self.dojo.open_topic(str(event.option_id))

    @on(OptionList.OptionSelected, "#recent")
    def _attempt_chosen(self, event: OptionList.OptionSelected) -> None:
        from trainer.tui.screens.attempt import AttemptScreen

        self.app.push_screen(AttemptScreen(self._recent[event.option_index]))

    def action_resume(self) -> None:
        if self._resume is not None:
            self.dojo.open_question(self._resume.id)

    def action_quiz(self) -> None:
        self.dojo.quiz()

    def action_nothing(self) -> None:
        """Escape stays here: only `q` leaves."""

    # The machine

    def _show_machine(self, machine: tuple[GpuProbe, str]) -> None:
        found, text = machine
        self.query_one(TopBar).show_machine(text)
        self.query_one("#machine").tooltip = plain(found.hint) if found.hint else None

    # Review

    def _show_due(self, due: tuple[Due, ...]) -> None:
        self._due = due
        rows = [Option(self._due_row(one), id=one.entry.id) for one in due[:SHOWN_DUE]]
        if len(due) > SHOWN_DUE:
            rows.append(Option(plain(f"and {len(due) - SHOWN_DUE} more", "$foreground-muted"), disabled=True))
        if not due:
            nothing = plain("nothing is due; n finds something new", "$foreground-muted")
            rows = [Option(nothing, disabled=True)]
        _refill(self.query_one("#review", OptionList), rows)
        count = f"  {len(due)}" if due else ""
        self.query_one("#review-head", Static).update(assemble("Review today", (count, "$accent")))

    def _due_row(self, one: Due) -> Content:
        late = f"{f'{one.days_late} d late' if one.days_late else 'today':>10}"
        title = fit(self.services.text(one.entry.title), self._room + 11)
        return assemble(title, (f"  {late}", "$text-warning" if one.days_late else "$foreground-muted"))

    @on(OptionList.OptionSelected, "#review")
    def _due_chosen(self, event: OptionList.OptionSelected) -> None:
        self.dojo.open_question(str(event.option_id))

    def action_review(self) -> None:
        """The quizzes that are due, one after the other; else the first of the other questions."""
        quizzes = [one.entry.id for one in self._due if one.entry.kind in (Kind.QUIZ, Kind.ANALYSIS)]
        if quizzes:
            self.dojo.open_quiz(quizzes[:SESSION])
        elif self._due:
            self.dojo.open_question(self._due[0].entry.id)
        else:
            self.tell("nothing is due today")

    def action_next(self) -> None:
        self.practise_next(self.services.entries)


def _refill(options: OptionList, rows: list[Option]) -> None:
    """New rows, the cursor where it was."""
    at = options.highlighted
    options.clear_options()
    options.add_options(rows)
    options.highlighted = min(at or 0, len(rows) - 1) if rows else None
