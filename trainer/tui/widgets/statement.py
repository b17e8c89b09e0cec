"""What a kernel task asks: statement, signature, limits, example, and the hints shown so far."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from trainer.bank.examples import example_text
from trainer.bank.model import KernelTask, Question, localized
from trainer.tui.text import assemble, lines, plain
from trainer.tui.widgets.code import code_lines
from trainer.tui.widgets.prose import Prose


class Statement(VerticalScroll):
    def __init__(self, question: Question, language: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._question = question
        self._language = language
        self.hints_shown = 0

    def compose(self) -> ComposeResult:
        yield Prose(localized(self._question.statement, self._language))
        if self._question.task is not None:
            yield Static(_signature(self._question.task), classes="block")
            yield Static(_limits(self._question.task), classes="block")
            for example in self._question.task.examples:
                heading = plain("Example", "bold $foreground-muted")
                yield Static(lines(heading, plain(example_text(example))), classes="block")

    def show_next_hint(self) -> bool:
        """False where there is none left."""
        hints = self._question.hints
        if self.hints_shown == len(hints):
            return False
        text = localized(hints[self.hints_shown], self._language)
        self.hints_shown += 1
        heading = assemble((f"Hint {self.hints_shown} of {len(hints)}", "bold $accent"))
        self.mount(Static(heading, classes="hint-heading"), Prose(text))
        self.call_after_refresh(self.scroll_end, animate=False)
        return True


def _signature(task: KernelTask) -> Content:
    """One parameter a line, so that it fits a narrow screen."""
    parameters = [f"    {p.ctype} {p.name}" for p in task.signature.parameters]
    text = 'extern "C" void solve(\n' + ",\n".join(parameters) + ")"
    return Content("\n").join(code_lines(text))


def _limits(task: KernelTask) -> Content:
    rows = [plain(f"{least:,} ≤ {name} ≤ {largest:,}") for name, (least, largest) in task.limits.items()]
    return lines(plain("Limits", "bold $foreground-muted"), *rows) if rows else Content("")
