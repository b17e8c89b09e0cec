"""A limit for code of a content file that may never return."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 60.0
"""For one case of a task or one draw of a template: a hundred times what the slowest built-in one takes."""


@contextmanager
def at_most() -> Iterator[None]:
    """Raises TimeoutError inside the block, at the line that is running, after SECONDS.

    Only the main thread of a system with timers can be interrupted; elsewhere the block just runs.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError(f"takes longer than {SECONDS:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
