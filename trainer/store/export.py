"""Attempts as text for other tools: JSON, CSV or a Markdown table, oldest first. Tables have a row of its
own for each give-up."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from trainer.store.giving_up import after_giving_up, given_up, timeline
from trainer.store.history import Attempt, Event

FORMATS = ("json", "csv", "md")
_MARKDOWN = ("at", "task", "verdict", "score", "median_us", "device")
_COLUMNS = ("at", *(field.name for field in fields(Attempt) if field.name != "at"), "after_giving_up")


def attempt_json(attempt: Attempt, since: Mapping[str, datetime]) -> dict[str, Any]:
    """`since`: when tasks were given up."""
    values = {**vars(attempt), "at": attempt.at.isoformat()}
    values["after_giving_up"] = after_giving_up(attempt, since)
    return {name: values[name] for name in _COLUMNS}


def gave_up_json(event: Event) -> dict[str, Any]:
    return {"at": event.at.isoformat(), "task": event.question}


def export(
    attempts: Sequence[Attempt], form: str, give_ups: Sequence[Event] = (), *, indent: int | None = 2
) -> str:
    """Attempts and events as the history gives them, newest first; `form` is one of FORMATS."""
    since = given_up(give_ups)
    if form == "json":
        rows = [attempt_json(attempt, since) for attempt in reversed(attempts)]
        gave_up = [gave_up_json(event) for event in reversed(give_ups)]
        value = {"schema": 1, "attempts": rows, "gave_up": gave_up}
        return json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
    table = [_row(one, since) for one in reversed(timeline(attempts, give_ups))]
    return _csv(table) if form == "csv" else _markdown(table)


def _row(one: Attempt | Event, since: Mapping[str, datetime]) -> dict[str, Any]:
    if isinstance(one, Attempt):
        return attempt_json(one, since)
    return {**dict.fromkeys(_COLUMNS), **gave_up_json(one), "verdict": one.kind.value}


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _markdown(rows: Sequence[dict[str, Any]]) -> str:
    lines = [f"| {' | '.join(_MARKDOWN)} |", f"|{' --- |' * len(_MARKDOWN)}"]
    for row in rows:
        told = {**row, "verdict": f"{row['verdict']}{' after giving up' if row['after_giving_up'] else ''}"}
        cells = (_cell(told[key]) for key in _MARKDOWN)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value).replace("|", "\\|")
