"""The questions of an interview by section, each with its state."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from trainer.bank.model import Kind, localized
from trainer.interview.blueprint import Movement
from trainer.interview.plan import Asked
from trainer.interview.state import State
from trainer.tui.text import assemble, fit, plain

TITLE = 19  # cells of a section's title
BY_HAND = (Kind.KERNEL, Kind.STRATEGY)
"""Kinds that are handed in one by one; others only by the end."""


class AskedList(OptionList):
    """The id of an option is the key of its question."""

    def fill(self, state: State, language: str) -> None:
        """Anew, with the cursor on the question that is open."""
        self.clear_options()
        open_at = None
        for index, section in enumerate(state.plan.sections):
            here = index == state.section and state.plan.movement is Movement.SECTION
            style = "bold $accent" if here else "bold $foreground-muted"
            title = fit(localized(section.title, language), TITLE)
            self.add_option(Option(plain(title, style), disabled=True))
            for asked in section.asked:
                if asked.key == state.open_key:
                    open_at = self.option_count
                self.add_option(Option(_row(asked, state), id=asked.key, disabled=not state.may_visit(asked)))
        self.highlighted = open_at


def _row(asked: Asked, state: State) -> Content:
    here = "▸" if asked.key == state.open_key else " "
    what = asked.kind.value if state.may_visit(asked) else "shut"
    symbol, style = _state(asked, state)
    return assemble(
        (here, "bold $accent"),
        (f"{symbol} ", style),
        f"{asked.key} ",
        (what, "$foreground-muted"),
        (f" {asked.minutes:.0f}m", "$foreground-disabled"),
    )


def _state(asked: Asked, state: State) -> tuple[str, str]:
    empty = state.answer(asked.key).is_empty
    if state.is_done(asked) or (not empty and asked.kind not in BY_HAND):
        return "✓", "$text-success"
    return ("·", "$foreground-muted") if empty else ("◐", "$text-warning")
