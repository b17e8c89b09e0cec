"""`warpdojo start ID`: a file to begin with."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from trainer.bank.library import Library
from trainer.cli.output import Output
from trainer.errors import Location, UsageError
from trainer.store.paths import workspace_dir


def run(args: Namespace, out: Output) -> int:
    question = Library.open(args.banks).question(args.id)
    if question.task is None:
        raise UsageError(f"{question.id} is no kernel task, there is nothing to start")
    folder = Path(args.dir).expanduser() if args.dir else workspace_dir()
    path = folder / f"{question.id}.cu"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, question.task.starter.read_bytes(), args.force)
    except FileExistsError as problem:
        if not path.exists() and not path.is_symlink():
            raise UsageError("this is not a folder", where=Location(folder)) from problem
        raise UsageError(
            "there is a file already; it was left as it is",
            where=Location(path),
            hint="--force overwrites it, --dir D puts the starter elsewhere",
        ) from problem
    except OSError as problem:
        message = f"cannot be written: {problem.strerror or problem}"
        raise UsageError(message, where=Location(path)) from problem
    out.emit({"schema": 1, "task": question.id, "path": str(path)})
    out.say(str(path))
    if not out.as_json:
        print(f"Next: warpdojo watch {question.id} {path}", file=sys.stderr)
    return 0


def _write(path: Path, data: bytes, force: bool) -> None:
    """Without `force` a file that appears at the last moment is safe, too."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(data)
