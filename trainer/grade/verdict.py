"""The eight verdicts and the record of a grade (DESIGN section 5, `grade --json`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    COMPILE_ERROR = "compile_error"
    RUNTIME_ERROR = "runtime_error"
    HAZARD = "hazard"
    TIMED_OUT = "timed_out"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class Mismatch:
    """The worst element of a case: `error` and `tolerance` in the unit of the task's tolerance."""

    output: str
    index: int
    got: float
    expected: float
    error: float
    tolerance: float
    wrong: int = 0  # how many elements are out of tolerance
    unit: str = ""  # of `error` and `tolerance`: "ulp", or "" for that of the values


@dataclass(frozen=True)
class CaseResult:
    name: str
    verdict: Verdict
    elements: int
    worst: Mismatch | None
    message: str = ""
