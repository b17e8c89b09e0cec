"""The user's own files: a starter to begin with, and how to see that one was saved."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from trainer.bank.model import Question
from trainer.errors import Location, UsageError
from trainer.store.paths import data_dir, workspace_dir

Stamp = tuple[int, int, int]


def stamp(path: Path) -> Stamp | None:
    """What changes with a save, also one that renames a new file over the old: None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def workspace(setting: str = "") -> Path:
    """The folder of the user's files: the one in the settings, else $WARPDOJO_WORKSPACE, else ~/warpdojo."""
    return Path(setting).expanduser() if setting else workspace_dir()


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
        ) from problem
    except OSError as problem:
        message = f"cannot be written: {problem.strerror or problem}"
        hint = "the settings can name another folder for your files"
        raise UsageError(message, where=Location(path), hint=hint) from problem
    return path


def _write(path: Path, data: bytes, force: bool) -> None:
    """Without `force` a file that appears at the last moment is safe, too."""
    if force:
        _overwrite(path, data)
        return
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError:
        path.unlink(missing_ok=True)  # an empty file would be in the way of the next try
        raise


def _overwrite(path: Path, data: bytes) -> None:
    """Write in place, as editors do: links and permissions stay. What was there is put back when the
    disk has no room for more."""
    old = path.read_bytes() if path.is_file() else None
    try:
        path.write_bytes(data)
    except OSError:
        with contextlib.suppress(OSError):
            if old is not None:
                path.write_bytes(old)
            elif path.is_file():
                path.unlink()
        raise


def read_source(path: Path) -> str:
    """The text of a file of the user. Raises UsageError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise UsageError(f"cannot be read: {problem.strerror or problem}", where=Location(path)) from problem


def write_file(path: Path, data: bytes) -> None:
    """Write in place; after a failure the file is as it was. Raises UsageError."""
    with _told_where(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _overwrite(path, data)


def put_beside(path: Path, ending: str, data: bytes) -> Path:
    """Another version of `path`, in a new file next to it. Raises UsageError."""
    beside = free_beside(path, ending)
    with _told_where(beside):
        _write(beside, data, force=False)
    return beside


def free_beside(path: Path, ending: str) -> Path:
    """The first that is not there yet of a.cu.theirs, a.cu.theirs2, … Raises UsageError."""
    names = (f"{path.name}.{ending}{number}" for number in ("", *range(2, 1000)))
    beside = next((one for one in map(path.with_name, names) if not os.path.lexists(one)), None)
    if beside is None:
        raise UsageError(f"there are too many files with the ending .{ending}", where=Location(path.parent))
    return beside


@contextlib.contextmanager
def _told_where(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        message = f"cannot be written: {problem.strerror or problem}"
        raise UsageError(message, where=Location(path)) from problem


class Draft:
    """Edits that were not saved yet, kept where a crash does not lose them."""

    def __init__(self, path: Path) -> None:
        name = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._path = path
        self._draft = data_dir() / "drafts" / f"{name}.json"
        self._lock: int | None = None

    def keep(self, text: str, begun_from: str = "") -> None:
        """`begun_from` tells the file apart that the edits began with. Raises UsageError."""
        kept = {"of": str(self._path), "begun_from": begun_from, "text": text}
        with _told_where(self._draft):
            self._draft.parent.mkdir(parents=True, exist_ok=True)
            new = self._draft.with_suffix(f".{os.getpid()}")
            try:
                new.write_text(json.dumps(kept), encoding="utf-8")
                os.replace(new, self._draft)
            except OSError:
                new.unlink(missing_ok=True)
                raise

    def read(self) -> str | None:
        return self._read()[0]

    def begun_from(self) -> str:
        return self._read()[1]

    def _read(self) -> tuple[str | None, str]:
        try:
            kept = json.loads(self._draft.read_text(encoding="utf-8"))
            return str(kept["text"]), str(kept["begun_from"])
        except (OSError, ValueError, KeyError, TypeError):
            return None, ""

    def drop(self) -> None:
        with contextlib.suppress(OSError):
            self._draft.unlink(missing_ok=True)

    def claim(self) -> bool:
        """Until `release` no other process, and no other Draft in this one, may write here. False where one
        does. A process that is killed lets go; where a folder knows no locks, everybody may."""
        if self._lock is not None:
            return True
        try:
            self._draft.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._draft.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:
            return True
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        except OSError:
            os.close(handle)
            return True
        self._lock = handle
        return True

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
