"""Which follow-up comes next. Pure: the results so far are replayed, so a walk resumes anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainer.bank.strategy import Followup


@dataclass(frozen=True)
class Walk:
    """How far somebody came. `depth` counts the questions of the main line that were passed (also by its
    easier line), `length` those that it has; `next` is what to ask now, None at the end."""

    asked: int
    passed: int
    depth: int
    length: int
    next: Followup | None

    @property
    def failed(self) -> bool:
        """Whether the walk ended before the end of its main line."""
        return self.next is None and self.depth < self.length


def walk(line: Sequence[Followup], passed: Sequence[bool]) -> Walk:
    """`passed`: whether each question asked so far was passed, in the order of asking; what is more than
    there were questions is left aside."""
    results = iter(passed)
    told: list[bool] = []
    depth = 0
    following: Followup | None = None
    for followup in line:
        following = _unanswered(followup, results, told)
        if following is not None or not told[-1]:
            break
        depth += 1
    return Walk(len(told), sum(told), depth, len(line), following)


def _unanswered(followup: Followup, results: Iterator[bool], told: list[bool]) -> Followup | None:
    """Replays one follow-up and its easier line, noting results in `told`, whose last is then whether one
    goes on; or the question that has no result yet."""
    result = next(results, None)
    if result is None:
        return followup
    told.append(result)
    if result:
        return None
    for easier in followup.otherwise:
        following = _unanswered(easier, results, told)
        if following is not None or not told[-1]:
            return following
    return None
