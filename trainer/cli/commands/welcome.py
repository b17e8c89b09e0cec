"""`warpdojo` alone: the terminal app; without a terminal what there is and how to start."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from trainer.bank.library import Library
from trainer.cli.output import Output


def run(args: Namespace, out: Output) -> int:
    if not out.as_json and _on_a_terminal():
        from trainer.tui import main

        return main(args.banks)
    index = Library.open(args.banks).index
    count, topics = len(index.entries), sorted({entry.topic for entry in index.entries})
    out.say(f"Warp Dojo: {count} questions on {', '.join(topics)}.")
    out.say()
    out.say("  warpdojo list                         what there is")
    out.say("  warpdojo show vector-addition         a statement")
    out.say("  warpdojo start vector-addition        a starter in your workspace")
    out.say("  warpdojo grade vector-addition FILE   the verdict, with or without a GPU")
    out.say("  warpdojo doctor                       what this machine can do")
    out.say()
    out.say("warpdojo --help names all commands.")
    out.emit({"schema": 1, "questions": count, "topics": topics})
    return 0


def _on_a_terminal() -> bool:
    return (
        sys.stdin is not None
        and sys.stdin.isatty()
        and sys.stdout.isatty()
        and os.environ.get("TERM") != "dumb"
    )
