"""`warpdojo list`: every question, with what you have done about it."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from itertools import groupby

from trainer.bank.library import Library
from trainer.bank.model import Entry, localized
from trainer.cli.columns import Column, Step, laid_out
from trainer.cli.output import Output
from trainer.cli.states import known_states
from trainer.errors import UsageError
from trainer.text import language

_COLUMNS = [Column(title) for title in ("id", "title", "kind", "level", "state")]
_STEPS = (
    Step("title", 8),
    Step("kind"),
    Step("level"),
    Step("title"),
    Step("state"),
    Step("id", 12),
)


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
    """Topic by topic, a line each; without a heading, which would say what can be seen."""
    if not rows:
        out.say("nothing matches")
        return
    cells = [[row[column.title] for column in _COLUMNS] for row in rows]
    _, *lines = laid_out(_COLUMNS, cells, shutil.get_terminal_size().columns - 2, _STEPS)
    for topic, group in groupby(zip(rows, lines, strict=True), key=lambda pair: pair[0]["topic"]):
        _line(topic, out, "bold")
        for row, line in group:
            _line(f"  {line}", out, row["state"])


def _line(text: str, out: Output, style: str) -> None:
    if not sys.stdout.isatty():
        out.say(text)
        return
    from rich.text import Text

    styles = {"accepted": "green", "tried": "yellow", "bold": "bold"}
    out.console().print(Text(text, style=styles.get(style, ""), no_wrap=True, overflow="crop"))
