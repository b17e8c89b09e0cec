"""`warpdojo history [ID]`: your attempts, newest first."""

from __future__ import annotations

from argparse import Namespace

from trainer.bank.library import Library
from trainer.cli.columns import Column, Step
from trainer.cli.output import Output
from trainer.store.export import attempt_json
from trainer.store.history import Attempt, History

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
    out.emit({"schema": 1, "attempts": [attempt_json(a) for a in attempts]})
    if not out.as_json:
        _print(attempts, out)
    return 0


def _print(attempts: tuple[Attempt, ...], out: Output) -> None:
    from trainer.cli.text import table

    if not attempts:
        out.say("no attempts yet; `warpdojo start vector-addition` makes a file to begin with")
        return
    rows = [
        (
            f"{attempt.at.astimezone():%Y-%m-%d %H:%M}",
            attempt.task,
            attempt.verdict.replace("_", " "),
            "" if attempt.score is None else f"{attempt.score:.3g}",
            "" if attempt.median_us is None else f"{attempt.median_us:.2f}",
            attempt.backend,
        )
        for attempt in attempts
    ]
    styles = ["green" if attempt.verdict == "accepted" else "" for attempt in attempts]
    table(out.console(), _COLUMNS, rows, _STEPS, styles=styles, indent=0)
