"""Stop the app as Ctrl-Z stops other programs, and go on where the shell says so."""

from __future__ import annotations

import os
import signal
import sys
import time

_DELIVERED_S = 0.05
"""Another thread may be the one that takes a signal; this long after it was sent all have stopped."""


def stop() -> bool:
    """Stops all processes of this job, `make` among them, and returns once `fg` has continued them. False
    where they were not stopped, since there is no shell that could continue them: the system sees to that
    for the default action of SIGTSTP, which therefore is used."""
    went_on: list[int] = []
    before = {
        signal.SIGTSTP: signal.signal(signal.SIGTSTP, signal.SIG_DFL),
        signal.SIGCONT: signal.signal(signal.SIGCONT, lambda number, _: went_on.append(number)),
    }
    try:
        _stop()
        while went_on and not _in_foreground():  # after `bg` there is no terminal to draw on
            _stop()
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    return bool(went_on)


def _stop() -> None:
    os.killpg(os.getpgrp(), signal.SIGTSTP)
    time.sleep(_DELIVERED_S)


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(sys.__stdin__.fileno()) == os.getpgrp() if sys.__stdin__ else True
    except OSError:
        return True
