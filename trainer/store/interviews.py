"""Saved events of interviews. They are only ever added; the last sign of life is the one thing that is
written over, since nothing but the length of a gap is read from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from trainer.store.database import explained
from trainer.store.opened import Opened, utc


@dataclass(frozen=True)
class SavedEvent:
    at: datetime
    kind: str
    key: str
    detail: dict[str, Any]


class InterviewLog(Opened):
    """Saved events of all interviews."""

    SINCE = 3

    def append(self, interview: str, event: SavedEvent) -> None:
        """On the disk when this returns."""
        row = (interview, utc(event.at), event.kind, event.key, json.dumps(event.detail, ensure_ascii=False))
        with explained(self.path, writing=True):
            self._connection.execute(
                "INSERT INTO interview_events (interview, at, kind, question, detail) VALUES (?, ?, ?, ?, ?)",
                row,
            )

    def events(self, interview: str) -> tuple[SavedEvent, ...]:
        """In the order in which they happened."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT at, kind, question, detail FROM interview_events WHERE interview = ? ORDER BY id",
                (interview,),
            ).fetchall()
        return tuple(SavedEvent(datetime.fromisoformat(a), k, q, json.loads(d)) for a, k, q, d in rows)

    def interviews(self) -> tuple[str, ...]:
        """The ids of all interviews, newest first."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT interview FROM interview_events GROUP BY interview ORDER BY MIN(id) DESC"
            ).fetchall()
        return tuple(row[0] for row in rows)

    def unfinished(self) -> tuple[str, ...]:
        """The ids of interviews without an end, newest first."""
        with explained(self.path):
            rows = self._connection.execute(
                "SELECT interview FROM interview_events GROUP BY interview "
                "HAVING MAX(kind = 'finish') = 0 ORDER BY MIN(id) DESC"
            ).fetchall()
        return tuple(row[0] for row in rows)

    def set_alive(self, interview: str, at: datetime) -> None:
        """Needs no sync to the disk: after a power failure the last event still says enough."""
        with explained(self.path, writing=True):
            self._connection.execute("PRAGMA synchronous = NORMAL")
            try:
                self._connection.execute(
                    "INSERT INTO interview_alive VALUES (?, ?) "
                    "ON CONFLICT (interview) DO UPDATE SET at = excluded.at",
                    (interview, utc(at)),
                )
            finally:
                self._connection.execute("PRAGMA synchronous = FULL")

    def alive(self, interview: str) -> datetime | None:
        with explained(self.path):
            row = self._connection.execute(
                "SELECT at FROM interview_alive WHERE interview = ?", (interview,)
            ).fetchone()
        return None if row is None else datetime.fromisoformat(row[0])
