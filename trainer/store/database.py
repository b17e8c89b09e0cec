"""The one SQLite file that everything is kept in: its schema, and how it is opened.

Timestamps are UTC. Several processes may write at a time (WAL, busy timeout), and what was committed
survives a power failure. Whatever goes wrong is a `StoreError`. A damaged file is never written over: it
is set aside under another name, and said so.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from trainer.errors import Location, StoreError

BUSY_TIMEOUT_S = 3.0

ATTEMPTS = """
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

EVENTS = """
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

INTERVIEWS = """
CREATE TABLE interview_events (
    id INTEGER PRIMARY KEY,
    interview TEXT NOT NULL,
    at TEXT NOT NULL,               -- UTC, ISO 8601
    kind TEXT NOT NULL,             -- one of trainer.interview.events.Kind
    question TEXT NOT NULL,         -- "" where it is about no single question
    detail TEXT NOT NULL            -- JSON
) STRICT;
CREATE INDEX interview_events_by_interview ON interview_events (interview, id);
CREATE TRIGGER interview_events_stay BEFORE DELETE ON interview_events
    BEGIN SELECT RAISE(ABORT, 'events of interviews are append-only'); END;
CREATE TRIGGER interview_events_keep BEFORE UPDATE ON interview_events
    BEGIN SELECT RAISE(ABORT, 'events of interviews are append-only'); END;
CREATE TABLE interview_alive (      -- the last sign of life, written every second while one is open
    interview TEXT PRIMARY KEY,
    at TEXT NOT NULL
) STRICT;
"""

# What leads from one version of the schema to the next; a file of version n has had the first n.
MIGRATIONS = (ATTEMPTS, EVENTS, INTERVIEWS)
SCHEMA_VERSION = len(MIGRATIONS)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Makes the file, or brings it up to date. Raises StoreError; a file that is damaged is set aside
    first, so that the next try begins a new one."""
    with explained(path, writing=True):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise sqlite3.OperationalError(problem.strerror or str(problem)) from problem
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            _migrate(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_for_reading(path: Path) -> tuple[sqlite3.Connection, int] | None:
    """With the version of the file; None where there is nothing to read. Writes nothing."""
    with explained(path):
        if not path.exists():
            return None
        uri = f"{path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            _refuse_newer(version, path)
        except BaseException:
            connection.close()
            raise
    if version == 0:
        connection.close()
        return None
    return connection, version


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    _refuse_newer(version, path)
    if version == SCHEMA_VERSION:
        return
    # Two processes may both have seen an old file; the one that gets the lock second looks again.
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for script in MIGRATIONS[version:]:
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
def explained(path: Path, *, writing: bool = False) -> Iterator[None]:
    """Turn what SQLite says into what the user can do. Where something was to be written, a damaged file
    is set aside."""
    try:
        yield
    except sqlite3.Error as problem:
        text = str(problem)
        if "malformed" in text or "not a database" in text:
            hint = _set_aside(path) if writing else "it is set aside when there is something to keep"
            raise StoreError(f"the history is damaged: {text}", where=Location(path), hint=hint) from problem
        if "locked" in text or "busy" in text:
            hint = "another warpdojo is writing to it; try again when that one has finished"
        elif "full" in text:
            hint = "the disk is full: make room"
        else:
            hint = "check that the folder can be written, or set WARPDOJO_HOME to one that can"
        raise StoreError(f"the history cannot be used: {text}", where=Location(path), hint=hint) from problem
    except zlib.error as problem:
        raise StoreError(f"a stored submission is damaged: {problem}", where=Location(path)) from problem


def _set_aside(path: Path) -> str:
    """Rename the file and what SQLite keeps beside it; what to tell the user."""
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    try:
        path.rename(aside)
    except OSError as problem:
        return f"it cannot be set aside ({problem.strerror}): move it away yourself"
    for ending in ("-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return f"it is now {aside}; a new history begins with what comes next"
