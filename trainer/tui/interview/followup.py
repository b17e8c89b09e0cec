"""A follow-up in an interview: right or wrong stays untold, only a discussion shows its points."""

from __future__ import annotations

from trainer.bank.strategy import Discussion
from trainer.tui.screens.followup import FollowupScreen


class InterviewFollowup(FollowupScreen):
    def _reveal(self, how: str) -> None:
        if isinstance(self.item, Discussion):
            super()._reveal(how)
        else:
            self._close()
