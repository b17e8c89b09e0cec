"""`warpdojo export`: every attempt, for other tools. Goes to standard output."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from trainer.cli.commands.history import attempt_json
from trainer.cli.output import Output
from trainer.store.history import History

_MARKDOWN = ("at", "task", "verdict", "score", "median_us", "device")


def run(args: Namespace, out: Output) -> int:
    history = History.open_existing()
    rows: list[dict[str, Any]] = []
    if history is not None:
        with history:
            rows = [attempt_json(attempt) for attempt in reversed(history.attempts())]
    if out.as_json or args.format == "json":
        indent = None if out.as_json else 2
        print(json.dumps({"schema": 1, "attempts": rows}, ensure_ascii=False, indent=indent))
    elif args.format == "csv":
        _csv(rows)
    else:
        _markdown(rows)
    return 0


def _csv(rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _markdown(rows: Sequence[dict[str, Any]]) -> None:
    print(f"| {' | '.join(_MARKDOWN)} |")
    print(f"|{' --- |' * len(_MARKDOWN)}")
    for row in rows:
        cells = ("" if row[key] is None else str(row[key]).replace("|", "\\|") for key in _MARKDOWN)
        print(f"| {' | '.join(cells)} |")
