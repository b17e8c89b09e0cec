"""Read the file that a user hands in. What is no text is a compile error; what is no file, misuse."""

from __future__ import annotations

from pathlib import Path

from trainer.errors import CompileError, Location, UsageError

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
MAX_BYTES = 1_000_000
"""The longest public solution known to us has 40 kB; a compiler takes minutes for tens of megabytes."""


def read_submission(path: Path) -> str:
    """The text of a CUDA file, without a byte order mark.

    Raises UsageError where there is no such file to read, CompileError where it cannot be CUDA.
    """
    if path.suffix.lower() == ".py":
        raise UsageError(
            "Python files cannot be graded, only CUDA ones",
            where=Location(path),
            hint="put the kernel and its `solve` into a .cu file; `warpdojo start` gives you one",
        )
    if path.is_dir():
        raise UsageError("this is a folder, not a file", where=Location(path), hint="name the .cu file in it")
    try:
        if not path.is_file():
            if path.exists():
                raise UsageError("this is not a regular file", where=Location(path))
            hint = "`warpdojo start` gives you a file to begin with"
            raise UsageError("there is no such file", where=Location(path), hint=hint)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"cannot be read: {problem.strerror or problem}", where=Location(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise UsageError(f"this is no file name: {problem}") from problem
    return _decode(data, path)


def _decode(data: bytes, path: Path) -> str:
    if len(data) > MAX_BYTES:
        raise CompileError(
            f"the file is larger than {MAX_BYTES // 1000} kB",
            where=Location(path),
            hint="a submission is one source file; generated tables should be computed instead",
        )
    if data.startswith(_UTF_16):
        raise CompileError("the file is UTF-16, not UTF-8", where=Location(path), hint="save it as UTF-8")
    if b"\0" in data:
        raise CompileError(
            "this is a binary file, not CUDA source",
            where=Location(path),
            hint="hand in the .cu file itself, not what was compiled from it",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise CompileError(
            f"the file is not UTF-8: byte 0x{data[problem.start]:02x}",
            where=Location(path, line),
            hint="save it as UTF-8",
        ) from problem
    if not text.strip():
        raise CompileError(
            "the file is empty", where=Location(path), hint="the starter of the task is a file to begin with"
        )
    return text
