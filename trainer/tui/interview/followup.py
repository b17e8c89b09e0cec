"""A follow-up in an interview: right or wrong stays untold, only a discussion shows its points."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from trainer.bank.strategy import Discussion
from trainer.tui.screens.followup import FollowupScreen


class InterviewFollowup(FollowupScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "shut", id="interview.shut", show=False, tooltip="Shut until the end"),
    ]
    is_shut = True

    def action_shut(self) -> None:
        self.tell("shut until the end of the interview")

    def _reveal(self, how: str) -> None:
        if isinstance(self.item, Discussion):
            super()._reveal(how)
        else:
            self._close()
