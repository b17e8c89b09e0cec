"""Rows of the history: an attempt, a give-up, or a task with all of its attempts. They fit 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from textual.content import Content

from trainer.store.giving_up import after_giving_up
from trainer.store.history import Attempt, Event
from trainer.tui.text import ago, assemble, fit, mark, verdict
from trainer.tui.views.speed import microseconds

TREND = 10  # attempts of a task that the trend shows


def task_of(one: Attempt | Event) -> str:
    return one.task if isinstance(one, Attempt) else one.question


def row(
    one: Attempt | Event | str,
    groups: Mapping[str, list[Attempt]],
    since: Mapping[str, datetime],
    now: datetime,
) -> Content:
    """`since`: when tasks were given up."""
    if isinstance(one, str):
        return _task_row(one, groups[one], one in since)
    if isinstance(one, Event):
        when = (f"{ago(one.at, now):>42}", "$foreground-muted")
        return assemble(fit(one.question, 21), " ", ("○ gave up", "$text-warning"), when)
    return _attempt_row(one, ago(one.at, now), after_giving_up(one, since))


def _attempt_row(attempt: Attempt, when: str, helped: bool) -> Content:
    told = assemble(verdict(attempt.verdict), (", gave up" if helped else "", "$text-warning"))
    pad = " " * max(1, 20 - len(told.plain))
    score = "" if attempt.score is None else f"{attempt.score:.3g}"
    time = "" if attempt.median_us is None else microseconds(attempt.median_us)
    return assemble(
        fit(attempt.task, 21),
        " ",
        told,
        f"{pad}{score:>5} {time:>10}  ",
        (f"{attempt.backend:<4}{when:>9}", "$foreground-muted"),
    )


def _task_row(task: str, group: list[Attempt], helped: bool) -> Content:
    """`group` is newest first."""
    accepted = [a for a in group if a.verdict == "accepted"]
    times = [a.median_us for a in accepted if a.median_us is not None]
    scores = [a.score for a in accepted if a.score is not None]
    best = microseconds(min(times)) if times else f"score {max(scores):.3g}" if scores else "not yet"
    trend = [mark(a.verdict) for a in reversed(group[:TREND])]
    count = f"{len(group)} attempt{'s' * (len(group) != 1)}"
    gave_up = (", gave up" if helped else "", "$text-warning")
    return assemble(fit(task, 22), f" {best:<14}", *trend, (f"  {count}", "$foreground-muted"), gave_up)
