"""The clock of an interview in words: what the top line says, and what is called out near the end."""

from __future__ import annotations

from collections.abc import Iterator

from trainer.interview.blueprint import Movement
from trainer.interview.clock import in_words
from trainer.interview.session import Look
from trainer.interview.state import State

CALLS = ((300, "5 minutes"), (60, "1 minute"))
"""Seconds left at which words are said."""
LATE_S = 10.0
"""So long after that the words would be wrong: after a restart, a pause or sleep."""


def clock_text(look: Look, state: State, *, hidden: bool) -> str:
    mode = "strict" if state.strict else "practice"
    if hidden:
        return f"t: clock, {mode}"
    free = state.plan.movement is Movement.FREE
    section = "" if free else f"section {in_words(look.section_left_s)}, "
    return f"{section}{in_words(look.left_s)} left, {mode}"


class Alarm:
    """Says each thing once; of several that are due only the last."""

    def __init__(self) -> None:
        self._said: set[tuple[str, int]] = set()

    def words(self, look: Look, state: State) -> Iterator[str]:
        yield from self._call("in all", look.left_s, state.limit_s)
        if state.plan.movement is Movement.SECTION and state.section + 1 < len(state.plan.sections):
            whole_s = state.plan.sections[state.section].minutes * 60
            yield from self._call(f"in section {state.section + 1}", look.section_left_s, whole_s)

    def _call(self, scope: str, left_s: float, whole_s: float) -> Iterator[str]:
        """Not for what was never longer."""
        for seconds, words in reversed(CALLS):
            if left_s <= seconds < whole_s:
                if (scope, seconds) not in self._said:
                    yield f"{words if seconds - left_s < LATE_S else in_words(left_s)} left {scope}"
                self._said |= {(scope, other) for other, _ in CALLS if other >= seconds}
                return
