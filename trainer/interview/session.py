"""A running interview: every step is appended to the log before it counts, so a kill loses nothing.

Time is told by the caller's `now`. Once a second the front end calls `look`, which keeps a sign of life
and says what the clock has brought: a gap to ask about, the end of a section, the end of all.

A gap is a stretch without a sign of life: the process was stopped, killed or quit, or the machine slept.
Its time counts unless it is left out. In practice it is left out without asking after a kill or a quit;
a strict interview that leaves time out goes on as practice, and none becomes strict again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from trainer.errors import UsageError
from trainer.interview.blueprint import Movement
from trainer.interview.clock import seconds_between
from trainer.interview.events import End, Event, Kind
from trainer.interview.plan import Plan
from trainer.interview.state import State, load, replay, start_event
from trainer.interview.unfinished import refuse_second
from trainer.store.interviews import InterviewLog, SavedEvent

GAP_S = 15.0
"""Longer than a busy machine keeps the screen waiting; shorter than any sleep worth asking about."""
_BACK_S = 2.0
Now = Callable[[], datetime]


@dataclass(frozen=True)
class Gap:
    """No sign of life from `since` to `until`; `seconds` is negative for a clock that was set back."""

    since: datetime
    until: datetime

    @property
    def seconds(self) -> float:
        return seconds_between(self.since, self.until)


@dataclass(frozen=True)
class Look:
    """What a look at the clock found. `gap` has to be answered with `Session.settle`."""

    elapsed_s: float
    left_s: float
    section_left_s: float
    gap: Gap | None = None
    section_over: bool = False
    over: bool = False


class Session:
    """One interview that is open. Whatever changes it raises UsageError once it is over."""

    def __init__(self, log: InterviewLog, interview: str, state: State, now: Now) -> None:
        self.log = log
        self.id = interview
        self.state = state
        self._now = now
        self._alive = self._last = now()
        self._gap: Gap | None = None

    @classmethod
    def start(cls, log: InterviewLog, plan: Plan, now: Now) -> Session:
        """Raises UsageError while a strict interview is running."""
        at = now()
        refuse_second(log, at)
        interview = f"{at.astimezone(UTC):%Y%m%d-%H%M%S}-{random.SystemRandom().randrange(16**4):04x}"
        event = start_event(plan, at)
        state = State(plan)
        session = cls(log, interview, state, now)
        session._append(event)
        first = state.visitable[0]
        session.visit(first.key)
        return session

    @classmethod
    def resume(cls, log: InterviewLog, interview: str, now: Now) -> Session:
        """Where it was left. Raises UsageError for an unknown id."""
        events = load(log, interview)
        session = cls(log, interview, replay(events), now)
        session._last = events[-1].at
        if session.state.end is None:
            session._come_back(max(filter(None, (events[-1].at, log.alive(interview)))))
        return session

    def _come_back(self, since: datetime) -> None:
        state = self.state
        if state.paused:
            self._append(Event(Kind.RESUME, self._now()))
            return
        self._alive = since
        gap = Gap(since, self._now())
        if gap.seconds > 1.0 or gap.seconds < 0:
            self._gap = gap
            if not state.strict or gap.seconds < 0:
                self.settle(counted=False)

    # The clock

    def look(self) -> Look:
        """Once a second. Ends the interview, and with sections of their own the section, on time."""
        now = self._now()
        if self.state.end is not None:
            return self._see(now)
        if not self.state.paused and self._gap is None:
            seconds = seconds_between(self._alive, now)
            if seconds > GAP_S or seconds < -_BACK_S:
                self._gap = Gap(self._alive, now)
                if seconds < 0:
                    self.settle(counted=False)
        if self._gap is not None:
            self._gap = Gap(self._gap.since, now)
            return self._see(now)
        self._alive = now
        self.log.set_alive(self.id, now)
        seen = self._see(now)
        if seen.left_s <= 0:
            self.finish(End.TIME_UP)
            return self._see(now, over=True)
        if seen.section_left_s <= 0 and self._next_section():
            return self._see(now, section_over=True)
        return seen

    def _see(self, now: datetime, *, section_over: bool = False, over: bool = False) -> Look:
        state = self.state
        return Look(
            state.elapsed_s(now), state.left_s(now), state.section_left_s(now), self._gap, section_over, over
        )

    def returned(self, key: str, text: str | None, saved_at: datetime) -> None:
        """The terminal was lent to an editor, so the program could not look; but nobody was away. `text` is
        what was saved there, and counts from when it was saved, also if time was up since."""
        if self._gap is not None or self.state.end is not None:
            return
        self._alive = self._now()
        at = max(self._last, min(saved_at, self._alive))
        in_time = min(self.state.left_s(at), self.state.section_left_s(at)) > 0
        asked = self.state.plan.find(key)
        open_still = self.state.may_visit(asked) and not self.state.is_done(asked)
        if text is not None and text != self.state.answer(key).file and in_time and open_still:
            self._append(Event(Kind.FILE, at, key, {"text": text}))

    def settle(self, *, counted: bool) -> None:
        """Answer the question about the gap: does its time count, or was one away?"""
        gap, self._gap = self._gap, None
        if gap is not None:
            self._alive = self._now()
            self._append(
                Event(Kind.AWAY, self._alive, detail={"since": gap.since.isoformat(), "counted": counted})
            )

    def pause(self) -> None:
        if self.state.strict:
            raise UsageError("a strict interview has no pause", hint="an interview for practice has one")
        self._append(Event(Kind.PAUSE, self._now()))

    def go_on(self) -> None:
        """After a pause."""
        self._alive = self._now()
        self._append(Event(Kind.RESUME, self._alive))

    def leave(self) -> None:
        """The program ends; in practice the clock stands still meanwhile."""
        if self.state.end is None and not self.state.strict and not self.state.paused:
            self._append(Event(Kind.PAUSE, self._now()))
        elif self.state.end is None and not self.state.paused and self._gap is None:
            self.log.set_alive(self.id, self._now())

    # Moving

    def visit(self, key: str) -> None:
        asked = self.state.plan.find(key)
        if not self.state.may_visit(asked):
            raise UsageError("that section is not open now")
        if self.state.open_key != key:
            self._act(Event(Kind.OPEN, self._now(), key))

    def _next_section(self) -> bool:
        state = self.state
        last = state.section + 1 >= len(state.plan.sections)
        if last or state.plan.movement is Movement.FREE:
            return False
        self._append(Event(Kind.SECTION, self._now(), detail={"index": state.section + 1}))
        self.visit(state.visitable[0].key)
        return True

    def leave_section(self) -> bool:
        """On to the next section, for good; its time is added to the next. False after the last one."""
        return self._next_section()

    # Answers

    def answer(self, key: str, fields: dict[str, str]) -> None:
        """Texts that changed, by name."""
        old = self.state.answer(key).fields
        changed = {name: text for name, text in fields.items() if old.get(name, "") != text}
        if changed:
            self._change(key, Event(Kind.ANSWER, self._now(), key, {"fields": changed}))

    def note(self, text: str) -> None:
        if text != self.state.notes:
            self._act(Event(Kind.NOTE, self._now(), detail={"text": text}))

    def keep_file(self, key: str, text: str) -> None:
        if text != self.state.answer(key).file:
            self._change(key, Event(Kind.FILE, self._now(), key, {"text": text}))

    def tried(self, key: str, facts: dict[str, object], text: str) -> None:
        """A kernel was compiled or graded; one that ends after the interview does not count."""
        if self.state.end is None:
            self._append(Event(Kind.TRY, self._now(), key, {**facts, "text": text}))

    def hand_in(self, key: str) -> None:
        """Close one question, or a stage of it; its follow-ups come next."""
        self._change(key, Event(Kind.SUBMIT, self._now(), key))

    def follow_up(self, key: str, typed: str, *, passed: bool, ticked: Sequence[bool] = ()) -> None:
        """One follow-up was answered; `ticked` are the points of a discussion."""
        detail = {"typed": typed, "passed": passed, "ticked": list(ticked)}
        self._act(Event(Kind.FOLLOWUP, self._now(), key, detail))

    def _change(self, key: str, event: Event) -> None:
        asked = self.state.plan.find(key)
        if self.state.is_done(asked):
            raise UsageError("this question was handed in")
        if not self.state.may_visit(asked):
            raise UsageError("that section is closed")
        self._act(event)

    def _act(self, event: Event) -> None:
        """What somebody does, as long as there is time."""
        if self.state.left_s(event.at) <= 0:
            raise UsageError("time is up")
        self._append(event)

    # The end, and after it

    def finish(self, reason: End = End.HANDED_IN) -> None:
        self._append(Event(Kind.FINISH, self._now(), detail={"reason": reason.value}))

    def tick(self, key: str, points: Sequence[bool]) -> None:
        self._after(Event(Kind.TICK, self._now(), key, {"points": list(points)}))

    def graded(self, key: str, result: dict[str, object]) -> None:
        self._after(Event(Kind.GRADED, self._now(), key, {"result": result}))

    def _after(self, event: Event) -> None:
        if self.state.end is None:
            raise UsageError("the interview is still running")
        self._save(event)

    def _append(self, event: Event) -> None:
        if self.state.end is not None:
            raise UsageError("the interview is over")
        self._save(event)

    def _save(self, event: Event) -> None:
        self._last = event.at
        self.log.append(self.id, SavedEvent(event.at, event.kind.value, event.key, event.detail))
        self.state.feed(event)
