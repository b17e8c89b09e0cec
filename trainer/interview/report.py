"""What came of an interview, as data: scores with their arithmetic, time against plan, what to practise.

A question scores 0 to 100. A section is the mean of its questions by their points; the total is the mean
of the sections by their weights. Questions that were not answered count 0; an optional section in which
nothing was answered is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from trainer.bank.model import Kind, Text
from trainer.interview.judge import from_saved
from trainer.interview.plan import Asked
from trainer.interview.result import Part, Result
from trainer.interview.state import State

NEXT = 3
"""How many things to practise the report names."""


@dataclass(frozen=True)
class QuestionReport:
    """`lost` points of the total."""

    key: str
    question: str
    kind: Kind
    topic: str
    title: Text
    answered: bool
    score: float
    level: str
    spent_s: float
    planned_s: float
    lost: float
    parts: tuple[Part, ...]
    missed: tuple[str, ...]
    best_us: float | None


@dataclass(frozen=True)
class SectionReport:
    """`counts` is False for an optional section that was left out."""

    title: Text
    weight: float
    score: float
    counts: bool
    spent_s: float
    planned_s: float
    questions: tuple[QuestionReport, ...]


@dataclass(frozen=True)
class TopicReport:
    topic: str
    score: float
    questions: int


@dataclass(frozen=True)
class Advice:
    """One thing to practise: why, and the command that does it."""

    topic: str
    question: str
    why: str
    command: str


@dataclass(frozen=True)
class Earlier:
    """An earlier interview of the same blueprint."""

    id: str
    started: datetime
    minutes: float
    strict: bool
    total: float
    best_us: float | None


@dataclass(frozen=True)
class Report:
    """`arithmetic` is how the total comes about. `best_us` is the best time of a measured kernel."""

    id: str
    blueprint: str
    title: Text
    started: datetime
    minutes: float
    spent_s: float
    strict: bool
    ended: str
    total: float
    arithmetic: str
    sections: tuple[SectionReport, ...]
    topics: tuple[TopicReport, ...]
    advice: tuple[Advice, ...]
    earlier: tuple[Earlier, ...]
    notes: str
    best_us: float | None


def make_report(interview: str, state: State, earlier: Sequence[Earlier] = ()) -> Report:
    """Of an interview that is over and graded: every question has a result."""
    if state.end is None or state.started is None or state.finished is None or state.to_grade:
        raise ValueError("this interview is not over and graded")
    results = {asked.key: from_saved(state.answer(asked.key).result or {}) for asked in state.plan.asked}
    sections = _sections(state, results)
    counted = [section for section in sections if section.counts]
    weights = sum(section.weight for section in counted)
    total = sum(section.weight * section.score for section in counted) / weights if weights else 0.0
    questions = [question for section in sections for question in section.questions]
    times = [question.best_us for question in questions if question.best_us is not None]
    return Report(
        id=interview,
        blueprint=state.plan.blueprint,
        title=state.plan.title,
        started=state.started,
        minutes=state.plan.minutes,
        spent_s=state.elapsed_s(state.finished),
        strict=state.strict,
        ended=state.end.value,
        total=round(total, 1),
        arithmetic=_arithmetic(counted, weights, total),
        sections=sections,
        topics=_topics(questions),
        advice=_advice(questions),
        earlier=tuple(earlier),
        notes=state.notes,
        best_us=min(times, default=None),
    )


def _arithmetic(counted: Sequence[SectionReport], weights: float, total: float) -> str:
    if not counted:
        return "nothing counts"
    terms = " + ".join(f"{section.weight:g} x {section.score:.1f}" for section in counted)
    return f"({terms}) / {weights:g} = {total:.1f}"


def _sections(state: State, results: dict[str, Result]) -> tuple[SectionReport, ...]:
    plan = state.plan
    counts = [
        not section.optional or any(results[asked.key].answered for asked in section.asked)
        for section in plan.sections
    ]
    weights = sum(section.weight for section, does in zip(plan.sections, counts, strict=True) if does)
    reports = []
    for section, does in zip(plan.sections, counts, strict=True):
        points = sum(_points(asked, results) for asked in section.asked)
        share = section.weight / weights if does else 0.0
        questions = tuple(_question(state, a, results[a.key], share, points) for a in section.asked)
        earned = sum(_points(a, results) * results[a.key].score for a in section.asked)
        reports.append(
            SectionReport(
                title=section.title,
                weight=section.weight,
                score=earned / points if points else 0.0,
                counts=does,
                spent_s=sum(question.spent_s for question in questions),
                planned_s=section.minutes * 60,
                questions=questions,
            )
        )
    return tuple(reports)


def _points(asked: Asked, results: dict[str, Result]) -> float:
    """What cannot be judged at all weighs nothing."""
    return asked.points if results[asked.key].possible else 0.0


def _question(state: State, asked: Asked, result: Result, share: float, points: float) -> QuestionReport:
    weight = share * asked.points / points if points and result.possible else 0.0
    return QuestionReport(
        key=asked.key,
        question=asked.question,
        kind=asked.kind,
        topic=asked.topic,
        title=result.title,
        answered=result.answered,
        score=round(result.score, 1),
        level=result.level,
        spent_s=state.answer(asked.key).spent_s,
        planned_s=asked.minutes * 60,
        lost=round(weight * (100 - result.score), 1),
        parts=result.parts,
        missed=result.missed,
        best_us=result.best_us,
    )


def _topics(questions: Sequence[QuestionReport]) -> tuple[TopicReport, ...]:
    """Weakest first."""
    scores: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        scores[question.topic].append(question.score)
    topics = [TopicReport(t, round(sum(s) / len(s), 1), len(s)) for t, s in scores.items()]
    return tuple(sorted(topics, key=lambda t: (t.score, t.topic)))


def _advice(questions: Sequence[QuestionReport]) -> tuple[Advice, ...]:
    """Where most of the total was lost, at most one thing a topic."""
    advice: dict[str, Advice] = {}
    for question in sorted(questions, key=lambda q: (-q.lost, q.key)):
        if question.lost > 0 and question.topic not in advice:
            why = (
                f"cost {question.lost:g} points: {question.missed[0] if question.missed else 'not all right'}"
            )
            advice[question.topic] = Advice(question.topic, question.question, why, _command(question))
    return tuple(advice.values())[:NEXT]


def _command(question: QuestionReport) -> str:
    if question.kind is Kind.KERNEL:
        return f"warpdojo start {question.question}"
    if question.kind is Kind.STRATEGY:
        return f"warpdojo show {question.question}"
    return f"warpdojo quiz --topic {question.topic}"


def earlier_of(report: Report) -> Earlier:
    return Earlier(report.id, report.started, report.minutes, report.strict, report.total, report.best_us)


def report_json(report: Report) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(report)
    return {"schema": 1, **data}
