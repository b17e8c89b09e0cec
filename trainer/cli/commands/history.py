"""`warpdojo history [ID]`: your attempts, newest first."""

from __future__ import annotations

from argparse import Namespace

from trainer.bank.library import Library
from trainer.cli.output import Output
from trainer.store.export import attempt_json
from trainer.store.history import Attempt, History


def run(args: Namespace, out: Output) -> int:
    if args.id:
        Library.open(args.banks).entry(args.id)
    history = History.open_existing()
    attempts: tuple[Attempt, ...] = ()
    if history is not None:
        with history:
            attempts = history.attempts(args.id, args.limit)
    out.emit({"schema": 1, "attempts": [attempt_json(a) for a in attempts]})
    if not out.as_json:
        _print(attempts, out)
    return 0


def _print(attempts: tuple[Attempt, ...], out: Output) -> None:
    from rich.table import Table

    if not attempts:
        out.say("no attempts yet; `warpdojo start vector-addition` makes a file to begin with")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("when", "task", "verdict", "score", "us", "backend"):
        table.add_column(heading, overflow="fold", justify="right" if heading in ("score", "us") else "left")
    for attempt in attempts:
        table.add_row(
            f"{attempt.at.astimezone():%Y-%m-%d %H:%M}",
            attempt.task,
            attempt.verdict.replace("_", " "),
            "" if attempt.score is None else f"{attempt.score:.3g}",
            "" if attempt.median_us is None else f"{attempt.median_us:.2f}",
            attempt.backend,
            style="green" if attempt.verdict == "accepted" else None,
        )
    out.console().print(table)
