"""`warpdojo stats`: what you have done, by topic."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from datetime import date

from trainer.bank.library import Library
from trainer.cli.output import Output
from trainer.store.history import History
from trainer.store.stats import Stats, summarise


def run(args: Namespace, out: Output) -> int:
    entries = Library.open(args.banks).index.entries
    history = History.open_existing()
    if history is None:
        stats = summarise((), entries, date.today())
    else:
        with history:
            stats = summarise(history.attempts(), entries, date.today())
    out.emit({"schema": 1, **asdict(stats)})
    if not out.as_json:
        _print(stats, out)
    return 0


def _print(stats: Stats, out: Output) -> None:
    from rich.table import Table

    days = f"{stats.streak_days} day{'s' * (stats.streak_days != 1)} in a row"
    out.say(f"{stats.attempts} attempts, {stats.accepted} accepted, {days}")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("topic", "questions", "tried", "accepted", "attempts"):
        table.add_column(heading, justify="left" if heading == "topic" else "right")
    for topic in stats.topics:
        numbers = (topic.questions, topic.tried, topic.accepted, topic.attempts)
        table.add_row(topic.topic, *map(str, numbers))
    console = out.console()
    console.print()
    console.print(table)
    for task, best_us in stats.best_us.items():
        out.say(f"best {task}: {best_us:.2f} us")
