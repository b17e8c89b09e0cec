"""The user's own files: a starter to begin with, and how to see that one was saved."""

from __future__ import annotations

import os
from pathlib import Path

from trainer.bank.model import Question
from trainer.errors import Location, UsageError

Stamp = tuple[int, int, int]


def stamp(path: Path) -> Stamp | None:
    """What changes with a save, also one that renames a new file over the old: None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def submission_path(question: Question, folder: Path) -> Path:
    """Where the user's answer to a kernel task lies."""
    return folder / f"{question.id}.cu"


def place_starter(question: Question, folder: Path, *, force: bool = False) -> Path:
    """Copy the starter into `folder`, which is made if need be; its path.

    Raises UsageError where the question has none, where a file is there already (unless `force`) and
    where the folder cannot be written.
    """
    if question.task is None:
        raise UsageError(f"{question.id} is no kernel task, there is nothing to start")
    path = submission_path(question, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, question.task.starter.read_bytes(), force)
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
    return path


def _write(path: Path, data: bytes, force: bool) -> None:
    """Without `force` a file that appears at the last moment is safe, too."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(data)
