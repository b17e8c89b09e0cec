"""`warpdojo start ID`: a file to begin with."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from trainer.bank.library import Library
from trainer.cli.output import Output
from trainer.errors import UsageError
from trainer.store.workspace import place_starter, workspace


def run(args: Namespace, out: Output) -> int:
    question = Library.open(args.banks).question(args.id)
    folder = Path(args.dir).expanduser() if args.dir else workspace(args.workspace)
    try:
        path = place_starter(question, folder, force=args.force)
    except UsageError as problem:
        raise _with_options(problem) from problem
    out.emit({"schema": 1, "task": question.id, "path": str(path)})
    out.say(str(path))
    if not out.as_json:
        print(f"Next: warpdojo watch {question.id} {path}", file=sys.stderr)
    return 0


def _with_options(problem: UsageError) -> UsageError:
    """The same, with the options that help."""
    hint = problem.hint
    if isinstance(problem.__cause__, FileExistsError):
        hint = "--force overwrites it, --dir D puts the starter elsewhere"
    elif isinstance(problem.__cause__, OSError):
        hint = "--dir D puts it elsewhere, so does WARPDOJO_WORKSPACE"
    return UsageError(problem.message, where=problem.where, hint=hint)
