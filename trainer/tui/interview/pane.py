"""What all questions of an interview have in common on the screen."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, cast

from textual.containers import Vertical

from trainer.bank.model import Question
from trainer.interview.plan import Asked
from trainer.interview.state import Answer

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo


class Desk(Protocol):
    """Who takes what is written. Called at once, so that nothing waits to be lost."""

    def typed(self, key: str, fields: dict[str, str]) -> None:
        """Texts of the answer, by name."""

    def kept(self, key: str, text: str, facts: dict[str, Any] | None = None) -> None:
        """A kernel's text, and the facts of a run of it."""

    def next_question(self) -> None: ...

    def returned(self, key: str, text: str | None, saved_at: datetime) -> None:
        """The terminal was lent to an editor and is back."""


class Pane(Vertical):
    """One question. `keep` hands on what was typed and not handed on yet."""

    how = ""

    def __init__(self, asked: Asked, question: Question, answer: Answer, desk: Desk) -> None:
        super().__init__(id="pane")
        self.asked, self.question, self.answer, self.desk = asked, question, answer, desk
        self.ready = False  # set once all of it is there

    @property
    def dojo(self) -> WarpDojo:
        return cast("WarpDojo", self.app)

    @property
    def language(self) -> str:
        return self.dojo.services.language

    def keep(self) -> None: ...

    def focus_first(self) -> None:
        """Where typing begins."""
