"""An old attempt: what came of it, and the text that was graded."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from trainer.store.giving_up import after_giving_up, given_up
from trainer.store.history import Attempt
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, lines, plain, verdict
from trainer.tui.views.speed import microseconds
from trainer.tui.widgets.code import CodeView


class AttemptScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open", "Open the task", id="attempt.open", tooltip="Practise this question again"),
        Binding("c", "copy", "Copy", id="attempt.copy", tooltip="Copy the source to the clipboard"),
    ]

    def __init__(self, attempt: Attempt) -> None:
        super().__init__()
        self.attempt = attempt
        self.source: str | None = None

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.attempt.task, f"{self.attempt.at.astimezone():%d %b %Y, %H:%M}")

    def compose_body(self) -> ComposeResult:
        yield Static(self._head(), id="headline")
        yield CodeView(id="graded")

    def on_mount(self) -> None:
        self.source = self.services.source(self.attempt.source_sha256)
        view = self.query_one(CodeView)
        if self.source:
            view.show(self.source)
        else:
            view.show_content(plain("no text was kept of this attempt", "$foreground-muted"))
        view.focus()
        self.dojo.tell_trouble()

    def _head(self) -> Content:
        one = self.attempt
        facts = [one.device, f"seed {one.seed}"]
        facts += [f"score {one.score:g}"] if one.score is not None else []
        facts += [microseconds(one.median_us)] if one.median_us is not None else []
        facts += [f"rung {one.rung}"] if one.rung else []
        since = given_up(self.services.give_ups(one.task))
        helped = "  after giving up" if after_giving_up(one, since) else ""
        return lines(
            assemble(verdict(one.verdict, bold=True), (helped, "$text-warning")),
            plain(one.message),
            plain(", ".join(facts), "$foreground-muted"),
        )

    def action_open(self) -> None:
        self.app.pop_screen()
        self.dojo.open_question(self.attempt.task)

    def action_copy(self) -> None:
        if self.source:
            self.app.copy_to_clipboard(self.source)
            self.tell("copied, if your terminal allows it")
