"""Dispatch, and the promise that no command ends in a traceback."""

from __future__ import annotations

import importlib
import os
import sys

from trainer.cli.output import Output, prepare_streams
from trainer.cli.parser import build
from trainer.cli.settings import settle
from trainer.errors import WarpDojoError

EXIT_INTERRUPTED = 130


def run(argv: list[str] | None = None) -> int:
    """Run one command; the exit code (DESIGN section 5)."""
    prepare_streams()
    words = sys.argv[1:] if argv is None else argv
    out = Output(as_json="--json" in words)  # until the words are understood
    try:
        args = build().parse_args(words)
        args.banks = args.first_banks + getattr(args, "banks", [])
        out = Output(as_json=args.first_json or getattr(args, "json", False))
        settle(args, out)
        module = importlib.import_module(f"trainer.cli.commands.{args.command or 'welcome'}")
        code: int = module.run(args, out)
        try:
            sys.stdout.flush()
        except BrokenPipeError:  # the command is done: its code stands
            _discard_output()
        return code
    except WarpDojoError as problem:
        out.error(problem)
        return problem.exit_code
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain once more while exiting.
        _discard_output()
        return 0
    except Exception as problem:
        from trainer.crash import report

        print(report(problem), file=sys.stderr)
        error = {"message": f"internal error: {problem}", "where": None, "hint": None}
        out.emit({"schema": 1, "error": error})
        return 1


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
