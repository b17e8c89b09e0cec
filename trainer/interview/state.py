"""Where an interview stands, replayed from its events: answers, notes, time for each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec

from trainer.bank.model import Kind as QuestionKind
from trainer.errors import UsageError
from trainer.interview.blueprint import Movement
from trainer.interview.clock import Clock
from trainer.interview.events import End, Event, Kind
from trainer.interview.plan import Asked, Plan
from trainer.store.interviews import InterviewLog


@dataclass(frozen=True)
class Answer:
    """What was done at one question. `fields` are texts by name (`answer` of a quiz; `words` and
    `number.N` of a strategy question; `bound`, `flops` and `bytes` of a kernel); `file` is the kernel's
    text; `tries` are facts of runs, each with the text that ran; `handed_in` counts stages."""

    fields: dict[str, str] = field(default_factory=dict)
    file: str | None = None
    tries: tuple[dict[str, Any], ...] = ()
    handed_in: int = 0
    followups: tuple[dict[str, Any], ...] = ()
    ticks: tuple[bool, ...] | None = None
    result: dict[str, Any] | None = None
    spent_s: float = 0.0

    @property
    def is_empty(self) -> bool:
        return not any(text.strip() for text in self.fields.values()) and not self.file and not self.tries


@dataclass
class State:
    """Fed with one event after the other."""

    plan: Plan
    clock: Clock = field(default_factory=Clock)
    section: int = 0
    open_key: str = ""
    notes: str = ""
    strict: bool = True
    paused: bool = False
    end: End | None = None
    started: datetime | None = None
    finished: datetime | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    entered_s: list[float] = field(default_factory=lambda: [0.0])
    _mark_s: float = 0.0

    @property
    def limit_s(self) -> float:
        return self.plan.minutes * 60

    def elapsed_s(self, now: datetime) -> float:
        return min(self.clock.elapsed_s(now), self.limit_s)

    def left_s(self, now: datetime) -> float:
        return self.limit_s - self.elapsed_s(now)

    def section_left_s(self, now: datetime) -> float:
        """Until the section has to be left: what was saved in earlier sections is there for later ones."""
        until = sum(section.minutes for section in self.plan.sections[: self.section + 1]) * 60
        return until - self.elapsed_s(now)

    def answer(self, key: str) -> Answer:
        return self.answers.get(key, Answer())

    def is_done(self, asked: Asked) -> bool:
        """Handed in for good: of a kernel with stages for the last of them."""
        return self.answer(asked.key).handed_in >= max(1, len(asked.stages))

    def may_visit(self, asked: Asked) -> bool:
        return self.plan.movement is Movement.FREE or self.plan.section_of(asked.key) == self.section

    @property
    def visitable(self) -> tuple[Asked, ...]:
        return tuple(asked for asked in self.plan.asked if self.may_visit(asked))

    @property
    def to_tick(self) -> tuple[Asked, ...]:
        """Strategy questions that were answered and whose points were not ticked yet."""
        return tuple(
            a
            for a in self.plan.asked
            if a.kind is QuestionKind.STRATEGY
            and not self.answer(a.key).is_empty
            and self.answer(a.key).ticks is None
        )

    @property
    def to_grade(self) -> tuple[Asked, ...]:
        return tuple(a for a in self.plan.asked if self.answer(a.key).result is None)

    def feed(self, event: Event) -> None:
        self.clock.feed(event)
        now_s = self.elapsed_s(event.at)
        if self.open_key and self.end is None:
            old = self.answer(self.open_key)
            self.answers[self.open_key] = replace(old, spent_s=old.spent_s + now_s - self._mark_s)
        self._mark_s = now_s
        match event.kind:
            case Kind.START:
                self.started, self.strict = event.at, self.plan.strict
            case Kind.PAUSE:
                self.paused = True
            case Kind.RESUME:
                self.paused = False
            case Kind.AWAY:
                forward = event.at > datetime.fromisoformat(event.detail["since"])
                self.strict = self.strict and (event.detail["counted"] or not forward)
            case Kind.SECTION:
                self.section, self.open_key = event.detail["index"], ""
                self.entered_s.append(self._mark_s)
            case Kind.OPEN:
                self.open_key = event.key
            case Kind.NOTE:
                self.notes = event.detail["text"]
            case Kind.FINISH:
                self.end, self.finished, self.paused = End(event.detail["reason"]), event.at, False
            case _ if event.key:
                self.answers[event.key] = _answered(self.answer(event.key), event)


def _answered(old: Answer, event: Event) -> Answer:
    detail = event.detail
    match event.kind:
        case Kind.ANSWER:
            return replace(old, fields={**old.fields, **detail["fields"]})
        case Kind.FILE:
            return replace(old, file=detail["text"])
        case Kind.TRY:
            return replace(old, tries=(*old.tries, detail), file=detail["text"])
        case Kind.SUBMIT:
            return replace(old, handed_in=old.handed_in + 1)
        case Kind.FOLLOWUP:
            return replace(old, followups=(*old.followups, detail))
        case Kind.TICK:
            return replace(old, ticks=tuple(detail["points"]))
        case Kind.GRADED:
            return replace(old, result=detail["result"])
    return old


def load(log: InterviewLog, interview: str) -> tuple[Event, ...]:
    """The events of one interview. Raises UsageError for an unknown id."""
    events = tuple(Event(Kind(e.kind), e.at, e.key, e.detail) for e in log.events(interview))
    if not events:
        raise UsageError(f"there is no interview {interview!r}", hint="`warpdojo mock` shows them")
    return events


def replay(events: Sequence[Event]) -> State:
    """`events` begin with START."""
    state = State(plan_from(events[0]))
    for event in events:
        state.feed(event)
    return state


def start_event(plan: Plan, at: datetime) -> Event:
    return Event(Kind.START, at, detail={"plan": msgspec.to_builtins(plan)})


def plan_from(start: Event) -> Plan:
    return msgspec.convert(start.detail["plan"], Plan)
