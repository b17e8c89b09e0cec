"""What the app works with, handed in from outside so that tests hand in something else.

Nothing in here knows Textual. A broken or locked history never stops the app: reading gives what there
is, and `trouble` says what went wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trainer.bank.library import Library
from trainer.bank.model import Entry, Text, localized
from trainer.errors import StoreError
from trainer.store.config import Config, Mistake, Reading, read_config
from trainer.store.history import Attempt, Event, EventKind, History
from trainer.store.interviews import InterviewLog
from trainer.store.workspace import workspace
from trainer.text import language

if TYPE_CHECKING:
    from trainer.gpu.probe import GpuProbe
    from trainer.interview.unfinished import Unfinished
    from trainer.store.mastery import Mastery
    from trainer.store.review import Due
    from trainer.worker.backends import Backends

T = TypeVar("T")
TOLD_AT_ONCE = 3
MACHINE = 62
"""Cells for the machine beside the name of the app at 80 columns."""
OpenBackends = Callable[[str, Callable[[str], None]], "Backends"]


def _open_backends(choice: str, warn: Callable[[str], None]) -> Backends:
    from trainer.worker.backends import open_backends

    return open_backends(choice, warn, spare=True)


def _probe() -> GpuProbe:
    from trainer.gpu.probe import probe

    return probe()


def _clock_mhz(uuid: str) -> int | None:
    from trainer.gpu.nvml import Nvml

    return Nvml(uuid).read().sm_clock_mhz


@dataclass
class Services:
    """`trouble` holds what the user has not been told yet; the app shows and empties it."""

    library: Library
    config: Config = field(default_factory=Config)
    open_backends: OpenBackends = _open_backends
    probe: Callable[[], GpuProbe] = _probe
    clock_mhz: Callable[[str], int | None] = _clock_mhz
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    trouble: list[str] = field(default_factory=list)
    reading: Reading = field(default_factory=lambda: Reading(Config()))
    mistakes: list[Mistake] = field(default_factory=list)
    """Entries of the settings file that are wrong and left out."""
    _reported: set[str] = field(default_factory=set)

    @classmethod
    def open(cls, banks: Sequence[str] = ()) -> Services:
        """Raises UsageError where a bank is not there. Wrong settings mean their defaults."""
        services = cls(Library.open(banks))
        services.reading = read_config()
        services.config = services.reading.config
        services.tell_mistakes(services.reading.mistakes)
        services.trouble += [str(problem) for problem in services.library.index.problems]
        return services

    def tell_mistakes(self, found: Sequence[Mistake]) -> None:
        """Wrong settings: the first few now, all of them on the settings screen."""
        self.mistakes += found
        shown = [mistake.short for mistake in found[:TOLD_AT_ONCE]]
        if len(found) > TOLD_AT_ONCE:
            shown.append(f"and {len(found) - TOLD_AT_ONCE} more: the settings screen has them all")
        if shown:
            self.trouble.append("\n".join(["wrong settings, left out:", *shown]))

    def report(self, problem: str) -> None:
        """Something the user should hear of, once."""
        if problem not in self._reported:
            self._reported.add(problem)
            self.trouble.append(problem)

    @property
    def language(self) -> str:
        return self.config.language or language()

    def text(self, text: Text) -> str:
        return localized(text, self.language)

    @property
    def workspace(self) -> Path:
        return workspace(self.config.workspace)

    @property
    def editor(self) -> str:
        """The command that opens a file; "" where none is known."""
        return self.config.editor or self.environ.get("VISUAL", "") or self.environ.get("EDITOR", "")

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self.library.index.entries)

    def title(self, question_id: str) -> str:
        """That of a question; its id where it is no longer there."""
        entry = next((entry for entry in self.entries if entry.id == question_id), None)
        return self.text(entry.title) if entry else question_id

    def machine(self) -> tuple[GpuProbe, str]:
        """What there is to grade on, and its line on the first screen. May take half a second."""
        found = self.probe()
        if not found.usable:
            return found, self._without_gpu(found.problem.partition(" (")[0].rstrip("."))
        if self.config.backend == "sim":
            return found, f"simulating {self.config.device}, as the settings say"
        parts = [found.name, f"driver {found.driver_version}" if found.driver_version else ""]
        clock = self.clock_mhz(found.uuid)
        parts.append(f"{clock} MHz" if clock else "")
        return found, ", ".join(part for part in parts if part)

    def _without_gpu(self, why: str) -> str:
        """Why there is no GPU, and what that means for grading, in one short line."""
        choice = self.config.backend
        rest = "no grading on gpu" if choice == "gpu" else f"simulating {self.config.device}"
        room = MACHINE - len(f": {rest}")
        return f"{why if len(why) <= room else why[: room - 1].rstrip() + '…'}: {rest}"

    # The history

    def attempts(self, task: str | None = None, limit: int | None = None) -> tuple[Attempt, ...]:
        return self._read(lambda history: history.attempts(task, limit), ())

    def states(self) -> Mapping[str, str]:
        return self._read(lambda history: dict(history.states()), {})

    def events(self, question: str | None = None, limit: int | None = None) -> tuple[Event, ...]:
        nothing: tuple[Event, ...] = ()
        return self._read(lambda history: history.events(question, limit), nothing)

    def give_ups(self, question: str | None = None) -> tuple[Event, ...]:
        nothing: tuple[Event, ...] = ()
        return self._read(lambda history: history.events(question, kind=EventKind.GAVE_UP), nothing)

    def source(self, sha256: str) -> str | None:
        return self._read(lambda history: history.source(sha256), None)

    def last_opened(self) -> Entry | None:
        """The question that was open last, if it still exists."""
        events = self.events(limit=20)
        known = {entry.id: entry for entry in self.entries}
        return next((known[e.question] for e in events if e.question in known), None)

    def due(self) -> tuple[Due, ...]:
        """What falls due today, least remembered first. Takes some 50 ms: not for the thread of the app."""
        from trainer.store.review import due

        return due(self.attempts(), self.entries, self.now(), self.events())

    def mastery(self) -> tuple[Mastery, ...]:
        """How much of each topic is known; takes as long as `due`."""
        from trainer.store.mastery import mastery
        from trainer.store.review import memories

        return mastery(self.entries, memories(self.attempts(), self.entries, self.now(), self.events()))

    def next_best(self, entries: Sequence[Entry]) -> Entry | None:
        """The one of `entries` to take next."""
        from trainer.store.next_best import next_best

        return next_best(self.not_shut(entries), self.attempts(), self.now(), self.events())

    def unfinished(self) -> tuple[Unfinished, ...]:
        """Interviews that were begun and not ended, newest first."""
        try:
            with InterviewLog.existing() as log:
                if log is None or not log.unfinished():
                    return ()
                from trainer.interview.unfinished import unfinished

                return unfinished(log, self.now())
        except StoreError as problem:
            self.report(str(problem))
            return ()

    def strict_interview(self) -> Unfinished | None:
        """The one that is running: what it asks is open only there."""
        return next((one for one in self.unfinished() if one.keeps_shut), None)

    def why_shut(self, question: str) -> str:
        """What to say where a question is asked for that a strict interview asks; "" where it is open."""
        one = self.strict_interview()
        if one is None or question not in one.questions:
            return ""
        from trainer.interview.unfinished import why_shut

        return why_shut(self.title(question), one, self.language).message

    def not_shut(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        one = self.strict_interview()
        return entries if one is None else [entry for entry in entries if entry.id not in one.questions]

    def unlocked(self, question: str) -> bool:
        """Whether the reference solutions may be shown: it was accepted, or given up for good."""
        if self.why_shut(question):
            return False
        if self.states().get(question) == "accepted":
            return True
        return bool(self.give_ups(question))

    def note(self, question: str, kind: EventKind, detail: str = "") -> None:
        """Append an event. May wait for a locked file: not for the thread of the app. Raises StoreError."""
        with History.open() as history:
            history.note(Event(question, kind, detail, self.now()))

    def _read(self, ask: Callable[[History], T], otherwise: T) -> T:
        try:
            with History.existing() as history:
                return otherwise if history is None else ask(history)
        except StoreError as problem:
            self.report(str(problem))
            return otherwise
