"""An answer to a strategy question as it was given: plain data that can be saved at any moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FollowupAnswer:
    """One follow-up: what was typed or written, for a discussion the points ticked, and whether it passed."""

    typed: str
    passed: bool
    ticked: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Answer:
    """`numbers` as typed, "" for none; `ticked` for each point; `followups` in the order asked."""

    text: str
    numbers: tuple[str, ...]
    ticked: tuple[bool, ...]
    followups: tuple[FollowupAnswer, ...] = ()

    @property
    def passed(self) -> tuple[bool, ...]:
        """For each follow-up that was asked."""
        return tuple(followup.passed for followup in self.followups)


def answer_json(answer: Answer) -> dict[str, Any]:
    """Plain data; `answer_from` makes the same answer of it."""
    return {
        "text": answer.text,
        "numbers": list(answer.numbers),
        "ticked": list(answer.ticked),
        "followups": [
            {"typed": f.typed, "passed": f.passed, "ticked": list(f.ticked)} for f in answer.followups
        ],
    }


def answer_from(data: dict[str, Any]) -> Answer:
    """Of what `answer_json` gave."""
    followups = (FollowupAnswer(f["typed"], f["passed"], tuple(f["ticked"])) for f in data["followups"])
    return Answer(data["text"], tuple(data["numbers"]), tuple(data["ticked"]), tuple(followups))
