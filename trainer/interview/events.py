"""What happens in an interview, as it is saved. Everything else is computed from these."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """`detail` by kind."""

    START = "start"  # plan
    PAUSE = "pause"
    RESUME = "resume"
    AWAY = "away"  # since: ISO time, counted: whether the time since then counts
    SECTION = "section"  # index: the section that is open from now on
    OPEN = "open"  # the question that is looked at from now on
    ANSWER = "answer"  # fields: the texts that changed, by name
    NOTE = "note"  # text: the whole notes pad
    FILE = "file"  # text: the kernel as it is now
    TRY = "try"  # facts of a compilation or a grade, text: the file
    SUBMIT = "submit"  # handed in; of a kernel with stages: for the stage that is next
    FOLLOWUP = "followup"  # typed: text, passed: bool, ticked: points of a discussion
    FINISH = "finish"  # reason: one of End
    TICK = "tick"  # points: which points of the rubric were said
    GRADED = "graded"  # result


class End(StrEnum):
    HANDED_IN = "handed in"
    TIME_UP = "time up"


@dataclass(frozen=True)
class Event:
    """`key` names the question in the plan; "" where the event is about none."""

    kind: Kind
    at: datetime
    key: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
