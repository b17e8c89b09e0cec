"""Days: how much was done on each, and where a day ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta, tzinfo

from trainer.store.history import Attempt

WEEKS = 12


def per_day(attempts: Sequence[Attempt], zone: tzinfo | None = None) -> Counter[date]:
    """Attempts by local date: a day ends at midnight where the machine is (or in `zone`)."""
    return Counter(attempt.at.astimezone(zone).date() for attempt in attempts)


def weeks(today: date, count: int = WEEKS) -> list[list[date]]:
    """The last `count` weeks up to `today`, Monday first; days to come are left out."""
    monday = today - timedelta(days=today.weekday())
    starts = [monday - timedelta(weeks=back) for back in reversed(range(count))]
    return [[day for n in range(7) if (day := start + timedelta(days=n)) <= today] for start in starts]
