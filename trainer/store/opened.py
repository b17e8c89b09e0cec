"""The history file while it is open, whatever is kept in it: attempts (`history`), interviews."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from trainer.store.database import SCHEMA_VERSION, open_for_reading, open_for_writing
from trainer.store.paths import history_file


class Opened:
    """A context manager; raises StoreError. `open` makes the file, `existing` never does."""

    SINCE: ClassVar[int] = 1  # the version of the schema that brought what a subclass reads

    def __init__(self, connection: sqlite3.Connection, path: Path, version: int) -> None:
        self._connection = connection
        self._version = version
        self.path = path

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        path = path or history_file()
        return cls(open_for_writing(path), path, SCHEMA_VERSION)

    @classmethod
    @contextmanager
    def existing(cls, path: Path | None = None) -> Iterator[Self | None]:
        """For what only looks: None where nothing is kept yet; nothing is written."""
        path = path or history_file()
        found = open_for_reading(path)
        if found is None:
            yield None
            return
        connection, version = found
        with cls(connection, path, version) as opened:
            yield opened if version >= cls.SINCE else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()


def utc(at: datetime) -> str:
    """As it is kept."""
    return at.astimezone(UTC).isoformat()
