"""An interview in tests: a small bank of entries, a clock that is moved by hand, a log in a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from trainer.bank.model import Entry, Kind
from trainer.interview.blueprint import Movement, Run
from trainer.interview.plan import Asked, Plan, PlannedSection
from trainer.interview.session import Session
from trainer.store.interviews import InterviewLog

START = datetime(2026, 11, 29, 9, tzinfo=UTC)


class Watch:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = START) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def forward(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def entry(name: str, kind: Kind = Kind.QUIZ, topic: str = "t", level: str = "easy") -> Entry:
    return Entry(name, kind, topic, level, {"en": name}, Path(f"{name}.yaml"))


def asked(key: str, kind: Kind = Kind.QUIZ, minutes: float = 5.0, **fields: object) -> Asked:
    values: dict[str, object] = {
        "question": f"question-{key}",
        "topic": "t",
        "seed": 7,
        "points": 1.0,
        "run": Run.GRADE,
        "best": False,
        "stages": (),
        **fields,
    }
    return Asked(key=key, kind=kind, minutes=minutes, **values)  # type: ignore[arg-type]


def section(
    *questions: Asked, minutes: float = 10.0, weight: float = 1.0, optional: bool = False
) -> PlannedSection:
    return PlannedSection({"en": "Section"}, minutes, weight, optional, questions)


def plan(*sections: PlannedSection, strict: bool = True, movement: Movement = Movement.SECTION) -> Plan:
    sections = sections or (section(asked("1.1"), asked("1.2")), section(asked("2.1")))
    return Plan("test", {"en": "Test"}, 1, strict, movement, sections)


def live(session: Session, watch: Watch, seconds: int) -> None:
    """Let time pass with the program running: a look every second."""
    for _ in range(seconds):
        watch.forward(1)
        session.look()


def open_log(folder: Path) -> InterviewLog:
    return InterviewLog.open(folder / "history.sqlite3")
