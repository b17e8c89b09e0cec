"""Seconds that count, over sequences of events."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from trainer.interview.clock import Clock, in_words
from trainer.interview.events import Event, Kind

START = datetime(2026, 3, 28, 22, tzinfo=UTC)


def away(at: datetime, since: datetime, *, counted: bool) -> Event:
    return Event(Kind.AWAY, at, detail={"since": since.isoformat(), "counted": counted})


@pytest.mark.parametrize("seed", range(60))
def test_only_running_time_counts_whatever_happens(seed: int) -> None:
    """Against a model that adds up stretches: working, paused, suspended and asleep, left out or counted,
    and a wall clock that is set back; the zone of the timestamps changes under way."""
    rng = random.Random(seed)
    zones = [UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), timezone(timedelta(hours=14))]
    at, expected = START, 0.0
    events = [Event(Kind.START, at)]
    for _ in range(rng.randrange(1, 40)):
        seconds = rng.choice([0.25, 1, 59, 3600, 7 * 3600])
        zone = rng.choice(zones)

        def then(kind: Kind, moment: datetime, zone: object = zone) -> Event:
            return Event(kind, moment.astimezone(zone))  # type: ignore[arg-type]

        match rng.choice(["work", "pause", "left out", "counted", "set back"]):
            case "work":
                at += timedelta(seconds=seconds)
                expected += seconds
                events.append(then(Kind.NOTE, at))
            case "pause":
                events.append(then(Kind.PAUSE, at))
                at += timedelta(seconds=seconds)
                events.append(then(Kind.RESUME, at))
            case "left out":
                since, at = at, at + timedelta(seconds=seconds)
                events.append(away(at.astimezone(zone), since, counted=False))
            case "counted":
                since, at = at, at + timedelta(seconds=seconds)
                expected += seconds
                events.append(away(at.astimezone(zone), since, counted=True))
            case "set back":
                since, at = at, at - timedelta(seconds=seconds)
                events.append(away(at.astimezone(zone), since, counted=False))
    assert Clock(events).elapsed_s(at) == pytest.approx(expected, abs=1e-3)
    assert Clock(events).elapsed_s(at + timedelta(seconds=5)) == pytest.approx(expected + 5, abs=1e-3)


def test_an_hour_is_an_hour_in_the_night_of_the_time_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before = datetime(2026, 3, 29, 1, 30, tzinfo=berlin)  # then 2:00 becomes 3:00
    after = datetime(2026, 3, 29, 3, 30, tzinfo=berlin)
    start = Event(Kind.START, before.astimezone(UTC))
    assert Clock([start]).elapsed_s(after.astimezone(UTC)) == 3600


def test_nothing_runs_after_the_end_or_before_the_start() -> None:
    end = Event(Kind.FINISH, START + timedelta(seconds=90), detail={"reason": "handed in"})
    clock = Clock([Event(Kind.START, START), end])
    assert clock.elapsed_s(START + timedelta(days=1)) == 90
    assert Clock().elapsed_s(START) == 0


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (-5, "0:00"), (0.2, "0:01"), (754, "12:34"), (3723, "1:02:03")]
)
def test_what_is_left_in_digits(seconds: float, shown: str) -> None:
    assert in_words(seconds) == shown
