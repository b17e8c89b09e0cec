"""Every attempt ever made, in one SQLite file. Attempts are only ever added.

Timestamps are UTC. The text of a submission is kept once however often it was graded. Several
processes may write at a time (WAL, busy timeout). Whatever goes wrong is a `StoreError`.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from trainer import __version__
from trainer.errors import Location, StoreError
from trainer.store.paths import history_file

SCHEMA_VERSION = 2
BUSY_TIMEOUT_S = 3.0

_ATTEMPTS = """
CREATE TABLE sources (
    sha256 TEXT PRIMARY KEY,
    text BLOB NOT NULL              -- zlib, UTF-8
) STRICT;
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,               -- UTC, ISO 8601
    task TEXT NOT NULL,
    language TEXT NOT NULL,
    backend TEXT NOT NULL,
    device TEXT NOT NULL,
    verdict TEXT NOT NULL,
    message TEXT NOT NULL,
    seed INTEGER NOT NULL,
    score REAL,
    median_us REAL,
    rung TEXT,
    elapsed_s REAL NOT NULL,
    source_sha256 TEXT NOT NULL REFERENCES sources (sha256),
    version TEXT NOT NULL           -- of Warp Dojo
) STRICT;
CREATE INDEX attempts_by_task ON attempts (task, at);
CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
    BEGIN SELECT RAISE(ABORT, 'attempts are append-only'); END;
CREATE TRIGGER attempts_keep BEFORE UPDATE ON attempts
    BEGIN SELECT RAISE(ABORT, 'attempts are append-only'); END;
"""

_EVENTS = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,               -- UTC, ISO 8601
    question TEXT NOT NULL,
    kind TEXT NOT NULL,             -- one of EventKind
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_question ON events (question, at);
CREATE TRIGGER events_stay BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_keep BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

# What leads from one version of the schema to the next; a file of version n has had the first n.
_MIGRATIONS = (_ATTEMPTS, _EVENTS)

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


class History:
    """The open history file; a context manager. `open` makes the file, `open_existing` never does."""

    def __init__(self, connection: sqlite3.Connection, path: Path, version: int = SCHEMA_VERSION) -> None:
        self._connection = connection
        self._version = version
        self.path = path

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        path = path or history_file()
        with _explained(path):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise sqlite3.OperationalError(problem.strerror or str(problem)) from problem
            connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                _migrate(connection, path)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    @classmethod
    def open_existing(cls, path: Path | None = None) -> Self | None:
        """For commands that only look: None where there is no history yet; nothing is written."""
        path = path or history_file()
        with _explained(path):
            if not path.exists():
                return None
            uri = f"{path.resolve().as_uri()}?mode=ro"
            connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            try:
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                _refuse_newer(version, path)
            except BaseException:
                connection.close()
                raise
        if version == 0:
            connection.close()
            return None
        return cls(connection, path, version)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, attempt: Attempt, source: str) -> None:
        """Append one attempt with its text; `attempt.source_sha256` must be `fingerprint(source)`."""
        packed = zlib.compress(source.encode("utf-8", "surrogatepass"))
        with _explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.execute(
                    "INSERT OR IGNORE INTO sources (sha256, text) VALUES (?, ?)",
                    (attempt.source_sha256, packed),
                )
                self._connection.execute(
                    f"INSERT INTO attempts ({_COLUMNS}, version) VALUES ({', '.join('?' * 14)})",
                    (
                        attempt.at.astimezone(UTC).isoformat(),
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
        with _explained(self.path):
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM attempts WHERE ? IS NULL OR task = ? ORDER BY id DESC LIMIT ?",
                (task, task, -1 if limit is None else limit),
            ).fetchall()
        return tuple(_attempt(row) for row in rows)

    def note(self, event: Event) -> None:
        """Append one event."""
        row = (event.at.astimezone(UTC).isoformat(), event.question, event.kind.value, event.detail)
        with _explained(self.path):
            self._connection.execute(
                "INSERT INTO events (at, question, kind, detail) VALUES (?, ?, ?, ?)", row
            )

    def events(self, question: str | None = None, limit: int | None = None) -> tuple[Event, ...]:
        """Newest first. A file that was only ever read keeps its version: one of before has none."""
        if self._version < 2:
            return ()
        with _explained(self.path):
            rows = self._connection.execute(
                "SELECT question, kind, detail, at FROM events WHERE ? IS NULL OR question = ? "
                "ORDER BY id DESC LIMIT ?",
                (question, question, -1 if limit is None else limit),
            ).fetchall()
        return tuple(Event(q, EventKind(k), d, datetime.fromisoformat(at)) for q, k, d, at in rows)

    def states(self) -> dict[str, State]:
        """Every task that was tried; one that is missing is new."""
        with _explained(self.path):
            rows = self._connection.execute(
                "SELECT task, MAX(verdict = 'accepted') FROM attempts GROUP BY task"
            ).fetchall()
        return {task: State.ACCEPTED if accepted else State.TRIED for task, accepted in rows}

    def source(self, sha256: str) -> str | None:
        with _explained(self.path):
            row = self._connection.execute("SELECT text FROM sources WHERE sha256 = ?", (sha256,)).fetchone()
        return None if row is None else zlib.decompress(row[0]).decode("utf-8", "surrogatepass")


def fingerprint(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def _attempt(row: tuple[object, ...]) -> Attempt:
    at, *rest = row
    names = [name.strip() for name in _COLUMNS.split(",")][1:]
    return Attempt(at=datetime.fromisoformat(str(at)), **dict(zip(names, rest, strict=True)))  # type: ignore[arg-type]


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    _refuse_newer(version, path)
    if version == SCHEMA_VERSION:
        return
    # Two processes may both have seen an old file; the one that gets the lock second looks again.
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for script in _MIGRATIONS[version:]:
        for statement in _statements(script):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    """`executescript` would commit first; this keeps the whole schema in one transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _refuse_newer(version: int, path: Path) -> None:
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"the history is of version {version}, newer than what this Warp Dojo knows ({SCHEMA_VERSION})",
            where=Location(path),
            hint="update Warp Dojo, or set WARPDOJO_HOME to another folder",
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what the user can do."""
    try:
        yield
    except sqlite3.Error as problem:
        text = str(problem)
        if "locked" in text or "busy" in text:
            hint = "another warpdojo is writing to it; try again when that one has finished"
        elif "full" in text:
            hint = "the disk is full: make room"
        elif "malformed" in text or "not a database" in text:
            hint = "the file is damaged: move it away and a new one will be made"
        else:
            hint = "check that the folder can be written, or set WARPDOJO_HOME to one that can"
        raise StoreError(f"the history cannot be used: {text}", where=Location(path), hint=hint) from problem
    except zlib.error as problem:
        raise StoreError(f"a stored submission is damaged: {problem}", where=Location(path)) from problem
