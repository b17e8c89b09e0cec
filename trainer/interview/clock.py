"""How much time has passed, from saved events alone.

Times are points on the UTC line, so that daylight saving plays no part. A stretch that does not count - a
pause, or being away that was left out - is taken off; a clock that was set back gives nothing either.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from trainer.interview.events import Event, Kind


class Clock:
    """Fed with events in order; `elapsed_s` tells the seconds that count up to a point in time."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._counted_s = 0.0
        self._last: datetime | None = None
        self.running = False
        for event in events:
            self.feed(event)

    def feed(self, event: Event) -> None:
        self._counted_s = self.elapsed_s(event.at)
        if event.kind is Kind.AWAY and self.running and not event.detail["counted"]:
            self._counted_s -= seconds_between(datetime.fromisoformat(event.detail["since"]), event.at)
        self._last = event.at
        if event.kind in (Kind.START, Kind.RESUME):
            self.running = True
        elif event.kind in (Kind.PAUSE, Kind.FINISH):
            self.running = False

    def elapsed_s(self, now: datetime) -> float:
        if not self.running or self._last is None:
            return self._counted_s
        return self._counted_s + seconds_between(self._last, now)


def seconds_between(start: datetime, end: datetime) -> float:
    """Python subtracts two times of one zone as the hands of a clock show them, which is an hour off
    across a time change; so both go to UTC first."""
    return (end.astimezone(UTC) - start.astimezone(UTC)).total_seconds()


def in_words(seconds: float) -> str:
    """ "1:02:03", "12:34"; whole seconds, rounded up so that 0:00 means that nothing is left."""
    whole = max(0, -int(-seconds // 1))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
