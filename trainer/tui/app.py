"""The app: which screens there are and how to get to them. What it knows lies in `services`."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual.app import App, SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import Theme

from trainer.bank.model import Kind
from trainer.errors import UsageError, WarpDojoError
from trainer.store.config import Mistake, write_setting
from trainer.store.history import EventKind
from trainer.tui.keeper import Keeper, Work
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.home import Home
from trainer.tui.services import Services
from trainer.tui.themes import DARK, LIGHT, code_colours, row_colours, theme_mistakes

if TYPE_CHECKING:
    from textual.command import Provider

    from trainer.interview.plan import Plan
    from trainer.tui.grading import Grader

QUIZ_LENGTH = 10
KEEP_S = 0.5
"""Quitting gives a locked history this long and no longer; an unlocked one takes 10 ms."""
Severity = Literal["information", "warning", "error"]


_REGRETS = {
    EventKind.OPENED: "that you opened this question",
    EventKind.HINT: "that you took this hint",
    EventKind.GAVE_UP: "that you gave up",
}


def _commands() -> type[Provider]:
    """Loaded when the palette opens."""
    from trainer.tui.palette import Commands

    return Commands


class WarpDojo(App[int]):
    TITLE = "Warp Dojo"
    CSS_PATH = "app.tcss"
    COMMANDS = {_commands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="search", tooltip="Find a question by its words"),
        Binding("question_mark,f1", "help", "Help", id="help", tooltip="All keys of this screen"),
        Binding(
            "ctrl+p",
            "command_palette",
            "Palette",
            id="palette",
            show=False,
            priority=True,
            tooltip="Anything by its name",
        ),
        Binding("ctrl+q", "leave", "Quit", id="quit", show=False, priority=True, tooltip="Leave Warp Dojo"),
        Binding(
            "ctrl+z", "suspend_process", "Shell", id="suspend", show=False, tooltip="To the shell until fg"
        ),
    ]

    def __init__(
        self,
        services: Services,
        opening: Callable[[WarpDojo], None] | None = None,
        *,
        shown: bool = False,
    ) -> None:
        """`opening` is called once the first frame is there. `shown`: on a terminal, whose colours count."""
        self._shown = shown
        super().__init__()
        self.services = services
        self._opening = opening
        self._grader: Grader | None = None
        self._keeper = Keeper()
        self._choose_theme()

    @property
    def grader(self) -> Grader:
        """Made when first needed: it takes NumPy along."""
        if self._grader is None:
            from trainer.tui.grading import Grader

            self._grader = Grader(self.services.open_backends)
        return self._grader

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return code_colours(self.current_theme)

    @property
    def sixteen(self) -> bool:
        """Whether the terminal has no more colours than these."""
        return self._shown and self.console.color_system in ("standard", "windows")

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        variables.update(row_colours(self.current_theme, sixteen=self.sixteen))
        return variables

    def get_driver_class(self) -> type[Driver]:
        from textual.drivers.linux_driver import LinuxDriver

        from trainer.tui.driver import PatientDriver

        chosen = super().get_driver_class()  # by the environment, or what the system needs
        return PatientDriver if chosen is LinuxDriver else chosen

    def get_default_screen(self) -> Screen[None]:
        return Home()

    def _choose_theme(self) -> None:
        """Before anything is drawn: a change later on would parse the style sheets again."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        wanted = self.services.config.theme
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            self.theme = DARK.name
            self.services.tell_mistakes(theme_mistakes(self.services.reading))

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._keep_theme)
        self.set_keymap(dict(self.services.config.keys))
        if self.services.config.keys:
            self.call_after_refresh(self._check_keys)
        if self._opening is not None:
            self.call_after_refresh(self._opening, self)

    def _check_keys(self) -> None:
        """Let go of keys that cannot be bound: in a thread, since all screens have to be loaded for it."""

        def settle(good: dict[str, str], mistakes: list[Mistake]) -> None:
            if mistakes:
                self.set_keymap(good)
                self.services.tell_mistakes(mistakes)
                self.tell_trouble()

        def check() -> None:
            from trainer.tui.keys import checked

            self.call_later(settle, *checked(self.services.reading))

        threading.Thread(target=check, name="keys", daemon=True).start()

    def _keep_theme(self, theme: Theme) -> None:
        """Whichever way it was chosen: settings or palette."""
        self.set_config("theme", theme.name)

    # What screens ask for

    def set_config(self, name: str, value: str) -> None:
        """Change a setting, now and in the file."""
        if getattr(self.services.config, name) == value:
            return
        changed = {name: value}
        self.services.config = replace(self.services.config, **changed)  # type: ignore[arg-type]
        try:
            write_setting(name, value)
            self.services.mistakes = [one for one in self.services.mistakes if one.name != name]
        except UsageError as problem:
            self.tell(f"{problem}\nit holds until you leave", severity="warning")

    def tell(self, text: str, *, severity: str = "information") -> None:
        """A notice that goes away by itself; the text is taken as it is."""
        self.notify(text, severity=cast(Severity, severity), markup=False, timeout=8)

    def tell_trouble(self) -> None:
        """What went wrong where nobody could say it."""
        trouble, self.services.trouble = self.services.trouble, []
        for text in trouble:
            self.tell(text, severity="warning")

    def note(self, question: str, kind: EventKind, detail: str = "") -> None:
        """Keep an event, without waiting for a locked history."""
        regret = f"{_REGRETS[kind]} is not in your history"
        self.keep(partial(self.services.note, question, kind, detail), regret)

    def keep(self, work: Work, regret: str) -> None:
        """Write to the history in the background; where that fails, `regret` and the reason are told."""

        def failed(problem: str) -> None:
            self.call_later(self.tell, f"{regret}: {problem}", severity="warning")

        self._keeper.keep(work, failed)

    def is_shut(self, question_id: str) -> bool:
        """Whether a strict interview asks this question, and so keeps it to itself; then that is told."""
        why = self.services.why_shut(question_id)
        if why:
            self.tell(why, severity="warning")
        return bool(why)

    def open_question(self, question_id: str) -> None:
        """The screen of a question, whatever kind it is."""
        try:
            question = self.services.library.question(question_id)
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            return
        if self.is_shut(question_id):
            return
        if question.kind is Kind.KERNEL:
            from trainer.tui.screens.task import TaskScreen

            self.push_screen(TaskScreen(question))
        elif question.strategy is not None:
            from trainer.tui.screens.strategy import StrategyScreen

            self.push_screen(StrategyScreen(question, question.strategy))
        else:
            self.open_quiz([question_id])
        self.note(question_id, EventKind.OPENED)

    def open_quiz(self, question_ids: Sequence[str]) -> None:
        """Ask these quizzes, one after the other, with numbers drawn anew."""
        from trainer.quiz.draw import draw
        from trainer.tui.screens.quiz import QuizScreen

        seed = random.SystemRandom().randrange(2**32)
        strict = self.services.strict_interview()
        wanted = [one for one in question_ids if strict is None or one not in strict.questions]
        if not wanted:
            self.is_shut(question_ids[0])
            return
        try:
            drawn = [draw(self.services.library.question(one), seed) for one in wanted]
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            return
        self.push_screen(QuizScreen(drawn))

    def quiz(self, topic: str | None = None) -> None:
        """Ten quizzes at random, of one topic or of all."""
        from trainer.quiz.session import choose

        seed = random.SystemRandom().randrange(2**32)
        chosen = choose(self.services.not_shut(self.services.entries), QUIZ_LENGTH, seed, topic)
        if chosen:
            self.open_quiz([entry.id for entry in chosen])
        else:
            self.tell("there are no quizzes here yet")

    def open_topic(self, topic: str) -> None:
        from trainer.tui.screens.topic import TopicScreen

        self.push_screen(TopicScreen(topic))

    def open_interviews(self, plan: Plan | None = None, resume: str = "") -> None:
        """Mock interviews to choose from. A `plan` begins at once, the one with the id `resume` goes on."""
        from trainer.tui.interview.choose import ChooseScreen

        self.push_screen(ChooseScreen(plan, resume))

    # Actions

    def action_interviews(self) -> None:
        self.open_interviews()

    def action_search(self) -> None:
        from trainer.tui.screens.search import SearchScreen

        if not isinstance(self.screen, SearchScreen):
            self.push_screen(SearchScreen())

    def action_command_palette(self) -> None:
        if not getattr(self.screen, "takes_all_keys", False):
            super().action_command_palette()

    def action_help(self) -> None:
        from trainer.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def action_progress(self) -> None:
        from trainer.tui.screens.progress import ProgressScreen

        self.push_screen(ProgressScreen())

    def action_settings(self) -> None:
        from trainer.tui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen())

    def action_leave(self) -> None:
        """Quit now: a grade that is running is killed, not waited for. What was done is kept first."""
        from trainer.tui.screens.confirm import ConfirmScreen

        losses = [screen.loss for screen in self.screen_stack if isinstance(screen, DojoScreen)]
        if not any(losses):
            self.end(0)
        elif not isinstance(self.screen, ConfirmScreen):
            question = "\n".join([*filter(None, losses), "Leave Warp Dojo all the same?"])
            self.push_screen(ConfirmScreen(question, "Leave"), lambda yes: self.end(0) if yes else None)

    def end(self, code: int) -> None:
        """As `action_leave`, but whatever is lost: the terminal is gone, or somebody ends the process."""
        for screen in self.screen_stack:
            if isinstance(screen, DojoScreen):
                screen.leave()
        if self._grader is not None:
            self._grader.close()
        self._keeper.settle(KEEP_S)
        self.exit(code, return_code=code)

    def action_help_quit(self) -> None:
        """Textual's answer to Ctrl-C where nothing is marked that it could copy."""
        self.tell("ctrl+q leaves Warp Dojo, escape goes back")

    def action_suspend_process(self) -> None:
        from trainer.tui.job_control import stop

        try:
            with self.suspend():
                stopped = stop()
        except SuspendNotSupported:
            stopped = False
        if not stopped:
            self.tell("there is no shell to go back to from here; ctrl+q leaves Warp Dojo")

    async def action_quit(self) -> None:
        self.action_leave()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        if isinstance(screen, DojoScreen) and screen.is_shut:
            yield SystemCommand("Help: keys of this screen", "All of them", self.action_help)
            return
        yield SystemCommand("Search: find a question", "By its words, topic or level", self.action_search)
        for entry in self.services.entries:
            title = self.services.text(entry.title)
            open_it = partial(self.open_question, entry.id)
            yield SystemCommand(f"Open: {title}", f"{entry.topic}, {entry.level}", open_it)
        yield SystemCommand("Quiz: ten questions", "Of all topics", self.quiz)
        yield SystemCommand("Interview: against the clock", "Start, go on, report", self.action_interviews)
        yield SystemCommand("Progress: history and streak", "What you did", self.action_progress)
        yield SystemCommand("Settings: change", "Theme, editor, device, folder", self.action_settings)
        yield SystemCommand("Theme: preview all", "Choose with the arrows", self.action_change_theme)
        yield SystemCommand("Help: keys of this screen", "All of them", self.action_help)
        yield SystemCommand("Quit", "Leave Warp Dojo", self.action_leave)
