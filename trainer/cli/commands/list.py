"""`warpdojo list`: every question, with what you have done about it."""

from __future__ import annotations

from argparse import Namespace

from trainer.bank.library import Library
from trainer.bank.model import Entry, localized
from trainer.cli.output import Output
from trainer.cli.states import known_states
from trainer.errors import UsageError
from trainer.text import language


def run(args: Namespace, out: Output) -> int:
    index = Library.open(args.banks).index
    for problem in index.problems:
        out.warn(str(problem))
    topics = sorted({entry.topic for entry in index.entries})
    if args.topic and args.topic not in topics:
        raise UsageError(f"there is no topic {args.topic!r}", hint=f"topics: {', '.join(topics)}")
    entries = [entry for entry in index.entries if _wanted(entry, args)]
    states = known_states(out)
    rows = [
        {
            "id": entry.id,
            "kind": entry.kind.value,
            "topic": entry.topic,
            "level": entry.level,
            "title": localized(entry.title, language()),
            "state": states.get(entry.id, "new"),
        }
        for entry in entries
    ]
    out.emit({"schema": 1, "questions": rows})
    if not out.as_json:
        _table(rows, out)
    return 0


def _wanted(entry: Entry, args: Namespace) -> bool:
    return (
        (not args.topic or entry.topic == args.topic)
        and (not args.kind or entry.kind.value == args.kind)
        and (not args.level or entry.level == args.level)
    )


def _table(rows: list[dict[str, str]], out: Output) -> None:
    from rich.table import Table

    if not rows:
        out.say("nothing matches")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("id", "title", "topic", "kind", "level", "state"):
        table.add_column(heading, no_wrap=heading != "title", overflow="fold")
    styles = {"accepted": "green", "tried": "yellow"}
    for row in rows:
        cells = (row[key] for key in ("id", "title", "topic", "kind", "level", "state"))
        table.add_row(*cells, style=styles.get(row["state"]))
    out.console().print(table)
