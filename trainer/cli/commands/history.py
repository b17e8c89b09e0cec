"""`warpdojo history [ID]`: your attempts and give-ups, newest first."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import datetime

from trainer.bank.library import Library
from trainer.cli.columns import Column, Step
from trainer.cli.output import Output
from trainer.store.export import attempt_json, gave_up_json
from trainer.store.giving_up import after_giving_up, given_up, timeline
from trainer.store.history import Attempt, Event, EventKind, History

_COLUMNS = (
    Column("when"), Column("task"), Column("verdict"), Column("score", right=True), Column("us", right=True),
    Column("backend"),
)  # fmt: skip
_STEPS = (
    Step("backend"), Step("when", 10, brief=True), Step("task", 16), Step("us"), Step("score"),
    Step("task", 10), Step("verdict", 8),
)  # fmt: skip


def run(args: Namespace, out: Output) -> int:
    if args.id:
        Library.open(args.banks).entry(args.id)
    with History.existing() as history:
        attempts = history.attempts(args.id, args.limit) if history else ()
        give_ups = history.events(args.id, kind=EventKind.GAVE_UP) if history else ()
    since = given_up(give_ups)
    shown = timeline(attempts, give_ups)[: args.limit]
    out.emit(
        {
            "schema": 1,
            "attempts": [attempt_json(one, since) for one in shown if isinstance(one, Attempt)],
            "gave_up": [gave_up_json(one) for one in shown if isinstance(one, Event)],
        }
    )
    if not out.as_json:
        _print(shown, since, out)
    return 0


def _print(shown: Sequence[Attempt | Event], since: Mapping[str, datetime], out: Output) -> None:
    from trainer.cli.text import table

    if not shown:
        out.say("no attempts yet; `warpdojo start vector-addition` makes a file to begin with")
        return
    rows = [(f"{one.at.astimezone():%Y-%m-%d %H:%M}", *_cells(one, since)) for one in shown]
    styles = ["green" if isinstance(o, Attempt) and o.verdict == "accepted" else "" for o in shown]
    table(out.console(), _COLUMNS, rows, _STEPS, styles=styles, indent=0)


def _cells(one: Attempt | Event, since: Mapping[str, datetime]) -> tuple[str, ...]:
    """What stands behind the time."""
    if isinstance(one, Event):
        return (one.question, "gave up", "", "", "")
    return (
        one.task,
        one.verdict.replace("_", " ") + (" after giving up" if after_giving_up(one, since) else ""),
        "" if one.score is None else f"{one.score:.3g}",
        "" if one.median_us is None else f"{one.median_us:.2f}",
        one.backend,
    )
