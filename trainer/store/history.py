"""Every attempt ever made. Attempts are only ever added; the text of a submission is kept once however
often it was graded. Whatever goes wrong is a `StoreError`.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trainer import __version__
from trainer.store.database import explained
from trainer.store.opened import Opened, utc

_COLUMNS = (
    "at, task, language, backend, device, verdict, message, seed, score, median_us, rung, elapsed_s, "
    "source_sha256"
)


class State(StrEnum):
    """What a user has done with a question."""

    NEW = "new"
    TRIED = "tried"
    ACCEPTED = "accepted"


class EventKind(StrEnum):
    """What is worth keeping beside attempts."""

    OPENED = "opened"
    HINT = "hint"  # detail: its number, from 1
    GAVE_UP = "gave_up"  # asked to see the reference solutions before being accepted


@dataclass(frozen=True)
class Event:
    question: str
    kind: EventKind
    detail: str
    at: datetime


@dataclass(frozen=True)
class Attempt:
    """One graded submission. `source_sha256` finds its text with `History.source`."""

    task: str
    language: str
    backend: str
    device: str
    verdict: str
    message: str
    seed: int
    score: float | None
    median_us: float | None
    rung: str | None
    elapsed_s: float
    at: datetime
    source_sha256: str


class History(Opened):
    """Attempts, and events beside them."""

    def add(self, attempt: Attempt, source: str) -> None:
        """Append one attempt with its text; `attempt.source_sha256` must be `fingerprint(source)`."""
        packed = zlib.compress(source.encode("utf-8", "surrogatepass"))
        with explained(self.path, writing=True):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.execute(
                    "INSERT OR IGNORE INTO sources (sha256, text) VALUES (?, ?)",
                    (attempt.source_sha256, packed),
                )
                self._connection.execute(
                    f"INSERT INTO attempts ({_COLUMNS}, version) VALUES ({', '.join('?' * 14)})",
                    (
                        utc(attempt.at),
                        attempt.task,
                        attempt.language,
                        attempt.backend,
                        attempt.device,
                        attempt.verdict,
                        attempt.message,
                        attempt.seed,
                        attempt.score,
                        attempt.median_us,
                        attempt.rung,
                        attempt.elapsed_s,
                        attempt.source_sha256,
                        __version__,
                    ),
                )
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def attempts(self, task: str | None = None, limit: int | None = None) -> tuple[Attempt, ...]:
        """Newest first."""
        with explained(self.path):
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM attempts WHERE ? IS NULL OR task = ? ORDER BY id DESC LIMIT ?",
                (task, task, -1 if limit is None else limit),
            ).fetchall()
        return tuple(_attempt(row) for row in rows)

    def note(self, event: Event) -> None:
        """Append one event."""
        row = (utc(event.at), event.question, event.kind.value, event.detail)
        with explained(self.path, writing=True):
            self._connection.execute(
                "INSERT INTO events (at, question, kind, detail) VALUES (?, ?, ?, ?)", row
            )

    def events(
        self, question: str | None = None, limit: int | None = None, kind: EventKind | None = None
    ) -> tuple[Event, ...]:
        """Newest first. A file that was only ever read keeps its version: one of before has none."""
        if self._version < 2:
            return ()
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT question, kind, detail, at FROM events WHERE (? IS NULL OR question = ?) "
                "AND (? IS NULL OR kind = ?) ORDER BY id DESC LIMIT ?",
                (question, question, kind, kind, -1 if limit is None else limit),
            ).fetchall()
        return tuple(Event(q, EventKind(k), d, datetime.fromisoformat(at)) for q, k, d, at in rows)

    def states(self) -> dict[str, State]:
        """Every task that was tried; one that is missing is new."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT task, MAX(verdict = 'accepted') FROM attempts GROUP BY task"
            ).fetchall()
        return {task: State.ACCEPTED if accepted else State.TRIED for task, accepted in rows}

    def source(self, sha256: str) -> str | None:
        with explained(self.path):
            row = self._connection.execute("SELECT text FROM sources WHERE sha256 = ?", (sha256,)).fetchone()
        return None if row is None else zlib.decompress(row[0]).decode("utf-8", "surrogatepass")


def fingerprint(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def _attempt(row: tuple[object, ...]) -> Attempt:
    at, *rest = row
    names = [name.strip() for name in _COLUMNS.split(",")][1:]
    return Attempt(at=datetime.fromisoformat(str(at)), **dict(zip(names, rest, strict=True)))  # type: ignore[arg-type]
