"""Interviews that were: what to list, what to resume, the report of one, and what was asked when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trainer.bank.model import Text
from trainer.interview.report import Earlier, Report, earlier_of, make_report
from trainer.interview.state import State, load, replay
from trainer.store.history import Attempt
from trainer.store.interviews import InterviewLog


@dataclass(frozen=True)
class Summary:
    """`phase` is "running", "grading" (over, not all graded yet) or "done"; `total` only when done."""

    id: str
    blueprint: str
    title: Text
    started: datetime
    minutes: float
    strict: bool
    phase: str
    total: float | None


def summaries(log: InterviewLog | None) -> tuple[Summary, ...]:
    """Of all interviews, newest first."""
    if log is None:
        return ()
    return tuple(summary(interview, replay(load(log, interview))) for interview in log.interviews())


def summary(interview: str, state: State) -> Summary:
    if state.end is None:
        phase, total = "running", None
    elif state.to_grade:
        phase, total = "grading", None
    else:
        phase, total = "done", make_report(interview, state).total
    started = state.started or datetime.min
    plan = state.plan
    return Summary(interview, plan.blueprint, plan.title, started, plan.minutes, state.strict, phase, total)


def report_of(log: InterviewLog, interview: str) -> Report:
    """Raises UsageError for an unknown id; the interview has to be over and graded."""
    state = replay(load(log, interview))
    return make_report(interview, state, earlier(log, interview, state.plan.blueprint))


def earlier(log: InterviewLog, interview: str, blueprint: str) -> tuple[Earlier, ...]:
    """The interviews of the same blueprint before this one, oldest first."""
    ids = list(reversed(log.interviews()))
    found = []
    for other in ids[: ids.index(interview)]:
        state = replay(load(log, other))
        if state.plan.blueprint == blueprint and state.end is not None and not state.to_grade:
            found.append(earlier_of(make_report(other, state)))
    return tuple(found)


def last_seen(attempts: Sequence[Attempt], log: InterviewLog | None) -> dict[str, datetime]:
    """When each question was met last, answered or only asked."""
    seen: dict[str, datetime] = {}
    for attempt in reversed(attempts):
        seen[attempt.task] = attempt.at
    for interview in log.interviews() if log is not None else ():
        state = replay(load(log, interview)) if log is not None else None
        if state is not None and state.started is not None:
            for asked in state.plan.asked:
                seen[asked.question] = max(state.started, seen.get(asked.question, state.started))
    return seen
