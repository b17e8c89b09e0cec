"""`warpdojo export`: every attempt and give-up, for other tools. Goes to standard output."""

from __future__ import annotations

from argparse import Namespace

from trainer.cli.output import Output
from trainer.store.export import export
from trainer.store.history import EventKind, History


def run(args: Namespace, out: Output) -> int:
    with History.existing() as history:
        attempts = history.attempts() if history else ()
        give_ups = history.events(kind=EventKind.GAVE_UP) if history else ()
    form = "json" if out.as_json else args.format
    print(export(attempts, form, give_ups, indent=None if out.as_json else 2), end="")
    return 0
