"""Attempts as text for other tools: JSON, CSV or a Markdown table, oldest first."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from trainer.store.history import Attempt

FORMATS = ("json", "csv", "md")
_MARKDOWN = ("at", "task", "verdict", "score", "median_us", "device")


def attempt_json(attempt: Attempt) -> dict[str, Any]:
    fields = dict(vars(attempt))
    return {"at": fields.pop("at").isoformat(), **fields}


def export(attempts: Sequence[Attempt], form: str, *, indent: int | None = 2) -> str:
    """`attempts` as the history gives them, newest first; `form` is one of FORMATS."""
    rows = [attempt_json(attempt) for attempt in reversed(attempts)]
    if form == "csv":
        return _csv(rows)
    if form == "md":
        return _markdown(rows)
    return json.dumps({"schema": 1, "attempts": rows}, ensure_ascii=False, indent=indent) + "\n"


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _markdown(rows: Sequence[dict[str, Any]]) -> str:
    lines = [f"| {' | '.join(_MARKDOWN)} |", f"|{' --- |' * len(_MARKDOWN)}"]
    for row in rows:
        cells = (_cell(row[key]) for key in _MARKDOWN)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value).replace("|", "\\|")
