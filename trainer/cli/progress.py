"""Stages as they happen: one line on a terminal that goes away when the verdict comes."""

from __future__ import annotations

import shutil
import sys

from trainer.grade.reporter import Reporter, Stage
from trainer.grade.verdict import CaseResult


class LiveLine(Reporter):
    """Writes to stderr, and only where that is a terminal."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._active = sys.stderr.isatty()

    def stage_started(self, stage: Stage) -> None:
        self._show(f"{stage.value} ...")

    def stage_ended(self, stage: Stage, ok: bool, detail: str, elapsed_s: float) -> None:
        self._done.append(f"{stage.value} {elapsed_s:.1f} s" if ok else f"{stage.value}: {detail}")
        self._show("")

    def case_done(self, result: CaseResult, done: int, total: int) -> None:
        if done <= total:
            self._show(f"check {done}/{total} {result.name}")

    def clear(self) -> None:
        if self._active:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _show(self, current: str) -> None:
        if self._active:
            line = " · ".join([*self._done, current] if current else self._done)
            room = max(shutil.get_terminal_size().columns - 1, 1)
            print(f"\r\x1b[K{line[-room:]}", end="", file=sys.stderr, flush=True)
