"""`warpdojo stats`: what you have done, by topic; what is due, where it is weak, and when you practised."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from dataclasses import asdict
from datetime import UTC, date, datetime

from trainer.bank.library import Library
from trainer.cli.columns import Column, Step
from trainer.cli.output import Output
from trainer.store.calendar import per_day, weeks
from trainer.store.giving_up import given_up
from trainer.store.history import History
from trainer.store.mastery import Mastery, mastery, weak_spots
from trainer.store.review import Due, due, memories
from trainer.store.stats import Stats, summarise

DUE_SHOWN = 8
_COLUMNS = (
    Column("topic"),
    *(Column(title, right=True) for title in ("questions", "tried", "accepted", "attempts", "known")),
)
_STEPS = (Step("attempts"), Step("questions"), Step("tried"), Step("topic", 8))
_DENSITY = " .:*#"
"""Attempts of a day: none, 1, 2-3, 4-7, 8 and more."""


def run(args: Namespace, out: Output) -> int:
    entries = Library.open(args.banks).index.entries
    with History.existing() as history:
        attempts, events = (history.attempts(), history.events()) if history else ((), ())
    now, today = datetime.now(UTC), date.today()
    stats = summarise(attempts, entries, today)
    waiting = due(attempts, entries, now, events)
    known = mastery(entries, memories(attempts, entries, now, events))
    days = per_day(attempts)
    gave_up = sorted(given_up(events))
    out.emit(
        {
            "schema": 1,
            **asdict(stats),
            "gave_up": gave_up,
            "mastery": [{**asdict(topic), "known": round(topic.known, 4)} for topic in known],
            "weak_spots": [topic.topic for topic in weak_spots(known)],
            "due": [_due_json(one) for one in waiting],
            "days": {str(day): days[day] for week in weeks(today) for day in week if day in days},
        }
    )
    if not out.as_json:
        _print(stats, known, waiting, out)
        if gave_up:
            out.say(f"gave up: {', '.join(gave_up)}")
        _print_calendar(days, today, out)
    return 0


def _due_json(one: Due) -> dict[str, object]:
    return {
        "id": one.entry.id,
        "topic": one.entry.topic,
        "days_late": one.days_late,
        "recall": round(one.recall, 4),
    }


def _print(stats: Stats, known: tuple[Mastery, ...], waiting: tuple[Due, ...], out: Output) -> None:
    from trainer.cli.text import table

    days = f"{stats.streak_days} day{'s' * (stats.streak_days != 1)} in a row"
    out.say(f"{stats.attempts} attempts, {stats.accepted} accepted, {days}")
    shares = {topic.topic: topic.known for topic in known}
    rows = [
        (t.topic, str(t.questions), str(t.tried), str(t.accepted), str(t.attempts), f"{shares[t.topic]:.0%}")
        for t in stats.topics
    ]
    console = out.console()
    console.print()
    table(console, _COLUMNS, rows, _STEPS, indent=0)
    for task, best_us in stats.best_us.items():
        out.say(f"best {task}: {best_us:.2f} us")
    if waiting:
        shown = ", ".join(one.entry.id for one in waiting[:DUE_SHOWN])
        more = f" and {len(waiting) - DUE_SHOWN} more" if len(waiting) > DUE_SHOWN else ""
        out.say(f"\ndue today: {shown}{more}")
    for spot in weak_spots(known):
        out.say(f"weak: {spot.topic}, {spot.failed} of the last {spot.recent} went wrong")


def _print_calendar(days: Counter[date], today: date, out: Output) -> None:
    """Twelve weeks, one column each; Monday on top."""
    if not days:
        return
    columns = weeks(today)
    out.say()
    for weekday, name in enumerate("Mon Tue Wed Thu Fri Sat Sun".split()):
        cells = (_cell(days[week[weekday]]) if weekday < len(week) else " " for week in columns)
        out.say(f"{name} {' '.join(cells)}".rstrip())


def _cell(count: int) -> str:
    return _DENSITY[0 if not count else 1 if count < 2 else 2 if count < 4 else 3 if count < 8 else 4]
