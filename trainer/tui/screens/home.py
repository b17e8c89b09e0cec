"""Where one starts: go on with what was open, pick a topic, see what was done lately."""

from __future__ import annotations

import threading
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trainer.bank.model import Entry
from trainer.store.history import Attempt
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import ago, assemble, fit, mark, meter, plain, verdict, words
from trainer.tui.widgets.top_bar import TopBar

RECENT = 12
WHY = 44  # cells for the reason why there is no GPU


class Home(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "resume", "Resume", id="home.resume", tooltip="Go on with what was open last"),
        Binding("z", "quiz", "Quiz", id="home.quiz", tooltip="Ten quizzes of all topics"),
        Binding("p", "app.progress", "Progress", id="home.progress", tooltip="History, heatmap and streak"),
        Binding("s", "app.settings", "Settings", id="home.settings", tooltip="Theme, editor, device"),
        Binding("escape", "nothing", "", id="home.nothing", show=False),
        Binding("q", "app.leave", "Quit", id="home.quit", tooltip="Leave Warp Dojo"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._resume: Entry | None = None
        self._recent: tuple[Attempt, ...] = ()

    def compose_body(self) -> ComposeResult:
        yield Static("", id="resume")
        with Horizontal(id="columns"):
            with Vertical(id="topic-column"):
                yield Static("Topics", classes="heading")
                yield OptionList(id="topics", compact=True)
            with Vertical(classes="column"):
                yield Static("Recent attempts", classes="heading")
                yield OptionList(id="recent", compact=True)

    def on_mount(self) -> None:
        self.query_one("#topics").focus()

    def on_screen_resume(self) -> None:
        self._fill()
        self.set_timer(0.05, self._look_for_gpu)  # after the first frame: the driver may take its time

    def _fill(self) -> None:
        self._resume = self.services.last_opened()
        self.query_one("#resume", Static).update(self._resume_line())
        self._fill_topics()
        self._recent = self.services.attempts(limit=RECENT)
        self._fill_recent()
        self.dojo.tell_trouble()

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

    def _recent_row(self, attempt: Attempt) -> Content:
        when = ago(attempt.at, self.services.now())
        row = assemble(fit(attempt.task, 16), " ", verdict(attempt.verdict))
        return assemble(row, (f"  {when}", "$foreground-muted"))

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

    def _look_for_gpu(self) -> None:
        threading.Thread(target=self._probe, name="probe", daemon=True).start()

    def _probe(self) -> None:
        found = self.services.probe()
        device = self.services.config.device
        if found.usable:
            driver = f", driver {found.driver_version}" if found.driver_version else ""
            text = f"{found.name}{driver}"
        else:
            reason = found.problem.partition(" (")[0].rstrip(".")
            text = f"{fit(reason, WHY).rstrip()}: simulating {device}"
        self.app.call_later(self._show_machine, text, found.hint)

    def _show_machine(self, text: str, hint: str) -> None:
        if self.is_mounted:
            self.query_one(TopBar).show_machine(text)
            self.query_one("#machine").tooltip = plain(hint) if hint else None


def _refill(options: OptionList, rows: list[Option]) -> None:
    """New rows, the cursor where it was."""
    at = options.highlighted
    options.clear_options()
    options.add_options(rows)
    options.highlighted = min(at or 0, len(rows) - 1) if rows else None
