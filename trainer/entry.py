"""The program `warpdojo`, from the first line to the last: Ctrl-C never shows a traceback.

While commands run, they answer it. Before that, and after, there is nothing to clean up (a worker whose
command has gone ends by itself), so that the process just ends.
"""

from __future__ import annotations

import os

try:
    import signal
except KeyboardInterrupt:
    os._exit(130)

EXIT_INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process; returns the exit code."""
    answering = signal.getsignal(signal.SIGINT)
    # Where a shell had the signal ignored, for a job in the background, it stays so.
    heeded = answering is signal.default_int_handler
    if heeded:
        signal.signal(signal.SIGINT, _leave)
    try:
        from trainer.cli.main import run

        if heeded:
            signal.signal(signal.SIGINT, answering)
        return run()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    finally:
        if heeded:
            signal.signal(signal.SIGINT, _leave)


def _leave(_signal: int, _frame: object) -> None:
    os._exit(EXIT_INTERRUPTED)


