"""A grade as it happens: one word a stage, the running one with its time, then the verdict."""

from __future__ import annotations

import time
from dataclasses import dataclass

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from trainer.grade.reporter import Stage
from trainer.grade.verdict import CaseResult
from trainer.tui.text import assemble, lines, plain

REDRAW_S = 0.25
GAP = "   "


@dataclass(frozen=True)
class Ended:
    stage: Stage
    ok: bool
    detail: str
    elapsed_s: float


class StageStrip(Static):
    """Hidden until the first grade. Elapsed time is a difference of clocks, not a count of ticks."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ended: list[Ended] = []
        self._stage: Stage | None = None
        self._since = 0.0
        self._began = 0.0
        self._progress = ""
        self._last: Content | None = None
        self._timer: Timer | None = None

    def begin(self, what: str) -> None:
        self._ended, self._stage, self._progress, self._last = [], None, what, None
        self._began = self._since = time.monotonic()
        if self._timer is None:
            self._timer = self.set_interval(REDRAW_S, self._draw)
        self.display = True
        self._draw()

    def stage_started(self, stage: Stage) -> None:
        self._stage, self._since, self._progress = stage, time.monotonic(), ""
        self._draw()

    def stage_ended(self, stage: Stage, ok: bool, detail: str, elapsed_s: float) -> None:
        self._stage = None
        self._ended.append(Ended(stage, ok, detail, elapsed_s))
        self._draw()

    def case_done(self, result: CaseResult, done: int, total: int) -> None:
        self._progress = f"{done}/{total} {result.name}"

    def finish(self, last: Content) -> None:
        """The grade is over; `last` says how."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._stage, self._progress, self._last = None, "", last
        self.display = True
        self._draw()

    def _draw(self) -> None:
        parts: list[Content] = [self._past(one) for one in self._ended]
        if self._last is None:
            parts.append(self._now())
        strip = Content("\n").join(_rows(parts, max(self.size.width, 20)))
        self.update(strip if self._last is None else lines(strip, self._last) if parts else self._last)

    def _past(self, ended: Ended) -> Content:
        mark, style = ("✓", "$text-success") if ended.ok else ("✗", "$text-error")
        return assemble(
            (mark, style), f" {ended.stage.value} ", (_seconds(ended.elapsed_s), "$foreground-muted")
        )

    def _now(self) -> Content:
        now = time.monotonic()
        if self._stage is None:
            return plain(
                f"… {self._progress} {_seconds(now - self._began)}".replace("  ", " "), "$foreground-muted"
            )
        return assemble(
            ("● ", "$accent"),
            (self._stage.value, "bold"),
            f" {self._progress}".rstrip(),
            (f" {_seconds(now - self._since)}", "$foreground-muted"),
        )


def _rows(parts: list[Content], width: int) -> list[Content]:
    """As many pieces in a row as fit; a piece is never broken."""
    rows: list[list[Content]] = [[]]
    for part in parts:
        used = sum(len(piece.plain) + len(GAP) for piece in rows[-1])
        if rows[-1] and used + len(part.plain) > width:
            rows.append([])
        rows[-1].append(part)
    return [Content(GAP).join(row) for row in rows]


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 0.1 else f"{value * 1000:.0f} ms"
