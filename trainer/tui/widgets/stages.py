"""A grade as it happens: one word a stage, the running one with its time, then the verdict.

The strip is what a grade posts its messages to. Those of the grade that it follows go on to the screen
around it, which has to answer the last one only; those of an older grade end here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textual import on
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from trainer.errors import CancelledError
from trainer.grade.reporter import Stage
from trainer.tui.grading import CaseDone, Graded, GradeJob, StageEnded, StageStarted, Warned
from trainer.tui.text import assemble, lines, mark, plain, words

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo

REDRAW_S = 0.25
GAP = "   "
LEAST_S = 0.0005  # less would be shown as 0 ms


@dataclass(frozen=True)
class Ended:
    stage: Stage
    ok: bool
    detail: str
    elapsed_s: float


class StageStrip(Static):
    """Hidden until the first grade. Elapsed time is a difference of clocks, not a count of ticks."""

    def __init__(self, *, hidden: frozenset[Stage] = frozenset(), more: str = "", id: str) -> None:
        """`hidden`: stages that are not shown; `more`: what a verdict ends with."""
        super().__init__(id=id)
        self._hidden = hidden
        self._more = more
        self._job: GradeJob | None = None
        self._ended: list[Ended] = []
        self._stage: Stage | None = None
        self._since = 0.0
        self._began = 0.0
        self._progress = ""
        self._last: Content | None = None
        self._over = False  # with a verdict: what did not run is told
        self.twin: Static | None = None  # on a screen above, shows the same
        self._timer: Timer | None = None

    def begin(self, what: str) -> None:
        self._ended, self._stage, self._progress, self._last, self._over = [], None, what, None, False
        self._began = self._since = time.monotonic()
        if self._timer is None:
            self._timer = self.set_interval(REDRAW_S, self._draw)
        self.display = True
        self._draw()

    def follow(self, job: GradeJob) -> GradeJob:
        """Show what happens in this grade and in no other."""
        self._job = job
        return job

    def stopped(self) -> None:
        self.finish(plain("stopped", "$text-warning"))

    @on(StageStarted)
    def _stage_started(self, event: StageStarted) -> None:
        if self._shown(event):
            self._stage, self._since, self._progress = event.stage, time.monotonic(), ""
            self._draw()

    @on(StageEnded)
    def _stage_ended(self, event: StageEnded) -> None:
        if self._shown(event):
            self._stage = None
            self._ended.append(Ended(event.stage, event.ok, event.detail, event.elapsed_s))
            self._draw()

    def _shown(self, event: StageStarted | StageEnded) -> bool:
        return event.job is self._job and not event.job.cancelled and event.stage not in self._hidden

    @on(CaseDone)
    def _case_done(self, event: CaseDone) -> None:
        if event.job is self._job:
            self._progress = f"{event.done}/{event.total} {event.result.name}"

    @on(Warned)
    def _warned(self, event: Warned) -> None:
        cast("WarpDojo", self.app).tell(event.text, severity="warning")

    @on(Graded)
    def _graded(self, event: Graded) -> None:
        if event.job is not self._job:
            event.stop()
        elif event.grade is not None:
            grade, self._over = event.grade, True
            symbol, style = mark(grade.verdict.value)
            timed = f"  {grade.timing.median_us:.2f} us" if grade.timing else ""
            self.finish(
                assemble(
                    (f"{symbol} {words(grade.verdict.value)}", f"bold {style}"),
                    f"{timed}  {' '.join(grade.message.split())}",
                    (self._more, "$foreground-muted"),
                )
            )
        elif isinstance(event.problem, CancelledError):
            self.stopped()
        else:
            self.finish(plain(str(event.problem), "$text-error"))

    def finish(self, last: Content) -> None:
        """The grade is over; `last` says how."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._stage, self._progress, self._last = None, "", last
        self.display = True
        self._draw()

    def _draw(self) -> None:
        self.update(self._content(self.size.width))
        if self.twin is not None:
            self.twin.update(self._content(self.twin.size.width))

    def _content(self, width: int) -> Content:
        parts: list[Content] = [self._past(one) for one in self._ended]
        if self._last is None:
            parts.append(self._now())
        elif parts and self._over:
            parts += self._not_run()
        strip = Content("\n").join(_rows(parts, max(width, 20)))
        return strip if self._last is None else lines(strip, self._last) if parts else self._last

    def _past(self, ended: Ended) -> Content:
        """What goes along with another stage has no time of its own."""
        mark, style = ("✓", "$text-success") if ended.ok else ("✗", "$text-error")
        took = f" {_seconds(ended.elapsed_s)}" if ended.elapsed_s >= LEAST_S else ""
        return assemble((mark, style), f" {ended.stage.value}", (took, "$foreground-muted"))

    def _not_run(self) -> list[Content]:
        ran = {one.stage for one in self._ended} | self._hidden
        names = ", ".join(stage.value for stage in Stage if stage not in ran)
        return [plain(f"not run: {names}", "$foreground-muted")] if names else []

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
