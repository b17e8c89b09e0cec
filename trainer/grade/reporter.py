"""Who wants to know how a grade is going. Every method does nothing by default."""

from __future__ import annotations

from enum import StrEnum

from trainer.grade.backend import Compiled
from trainer.grade.verdict import CaseResult


class Stage(StrEnum):
    """In the order they run."""

    COMPILE = "compile"
    PLAN = "plan"
    CHECK = "check"
    HAZARDS = "hazards"
    TIME = "time"
    EXPLAIN = "explain"
    PLACE = "place"


class Reporter:
    """Override what you want to show; called in the grading process, between runs."""

    def stage_started(self, stage: Stage) -> None: ...

    def stage_ended(self, stage: Stage, ok: bool, detail: str, elapsed_s: float) -> None:
        """`detail` is a few words: "12 of 12 cases", "2 kernels"."""

    def compiled(self, compiled: Compiled) -> None: ...

    def case_done(self, result: CaseResult, done: int, total: int) -> None: ...
