"""Dispatch, and the promise that no command ends in a traceback."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from contextlib import suppress

from trainer.cli.output import Output, prepare_streams
from trainer.cli.parser import build
from trainer.cli.settings import settle
from trainer.errors import WarpDojoError

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def run(argv: list[str] | None = None) -> int:
    """Run one command; the exit code (DESIGN section 5)."""
    prepare_streams()
    try:
        return _answer(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain once more while exiting.
        _discard_output()
        return 0
    except OSError as problem:
        if not _is_of_the_output(problem):
            raise
        _discard_output()
        print(f"warpdojo: the output cannot be written: {problem.strerror}", file=sys.stderr)
        return EXIT_USAGE


def _answer(words: list[str]) -> int:
    """Run one command. Raises OSError only where standard output cannot be written."""
    out = Output(as_json="--json" in words)  # until the words are understood
    try:
        args = build().parse_args(words)
        args.banks = args.first_banks + getattr(args, "banks", [])
        out = Output(as_json=args.first_json or getattr(args, "json", False))
        settle(args, out)
        module = importlib.import_module(f"trainer.cli.commands.{args.command or 'welcome'}")
        return _flushed(module.run(args, out))
    except WarpDojoError as problem:
        with suppress(BrokenPipeError):
            out.error(problem)
        return _flushed(problem.exit_code)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as problem:
        if isinstance(problem, OSError) and _is_of_the_output(problem):
            raise
        from trainer.crash import report

        print(report(problem), file=sys.stderr)
        error = {"message": f"internal error: {problem}", "where": None, "hint": None}
        out.emit({"schema": 1, "error": error})
        return 1


def _flushed(code: int) -> int:
    """`code`, with everything written: a reader that has left by now changes nothing."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    return code


def _is_of_the_output(problem: OSError) -> bool:
    """Whether it comes from writing to standard output: files of ours have names, and errors of their own."""
    return isinstance(problem, BrokenPipeError) or (problem.errno in _NO_ROOM and problem.filename is None)


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
