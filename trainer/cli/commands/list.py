"""`warpdojo list`: every question, with what you have done about it."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from argparse import Namespace
from itertools import groupby

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
    """Topic by topic; titles get the room that is left. A Rich table of all would take too long."""
    if not rows:
        out.say("nothing matches")
        return
    width = {key: max(len(row[key]) for row in rows) for key in ("id", "kind", "level", "state")}
    room = shutil.get_terminal_size().columns - sum(width.values()) - 10
    for topic, group in groupby(rows, key=lambda row: row["topic"]):
        _line(topic, out, "bold")
        for row in group:
            cells = [f"{row[key]:<{width[key]}}" for key in ("kind", "level", "state")]
            title = fitted(row["title"], max(room, 8))
            _line("  ".join(["", f"{row['id']:<{width['id']}}", title, *cells]).rstrip(), out, row["state"])


def _line(text: str, out: Output, style: str) -> None:
    if not sys.stdout.isatty():
        out.say(text)
        return
    from rich.text import Text

    styles = {"accepted": "green", "tried": "yellow", "bold": "bold"}
    out.console().print(Text(text, style=styles.get(style, ""), no_wrap=True, overflow="crop"))


def fitted(text: str, columns: int) -> str:
    """Text on exactly so many columns of a terminal, cut with an ellipsis where it is longer."""
    kept, used = "", 0
    total = sum(_columns(c) for c in text)
    for c in text:
        if used + _columns(c) > columns - (total > columns):
            break
        kept, used = kept + c, used + _columns(c)
    if total > columns:
        kept, used = kept + "\N{HORIZONTAL ELLIPSIS}", used + 1
    return kept + " " * (columns - used)


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
