"""Start a child process. Imports next to nothing, so that a command can do it before anything else:
the child gets ready while the parent still loads what it needs itself."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_SOURCE_ROOT = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class Started:
    """A running child: our end of the channel, and the memory file that takes its stderr."""

    popen: subprocess.Popen[bytes]
    channel: socket.socket
    stderr: int


_early: dict[str, Started] = {}


def start_early(backend: str) -> None:
    """Start a child that the next `take` of the same backend gets. Failing is left to that one."""
    if backend not in _early:
        try:
            _early[backend] = start(backend)
        except OSError:
            return


def take(backend: str) -> Started:
    """The child that was started early, or a new one. Raises OSError."""
    return _early.pop(backend, None) or start(backend)


def start(backend: str) -> Started:
    """`python -m trainer.worker` in a session of its own: a terminal's Ctrl-C does not reach it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    stderr = os.memfd_create("warpdojo-stderr")
    try:
        return Started(_spawn(backend, theirs.fileno(), stderr), ours, stderr)
    except OSError:
        ours.close()
        os.close(stderr)
        raise
    finally:
        theirs.close()


def _spawn(backend: str, channel: int, stderr: int) -> subprocess.Popen[bytes]:
    # -P and an explicit path: a file `numpy.py` beside the submission must not be imported.
    path = os.pathsep.join(p for p in (_SOURCE_ROOT, os.environ.get("PYTHONPATH", "")) if p)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "trainer.worker", "--backend", backend, "--fd", str(channel)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        pass_fds=(channel,),
        cwd="/",
        # numpy is only there to hold arrays: threads for its linear algebra would cost start-up time.
        env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        start_new_session=True,
    )


@atexit.register
def kill_unused() -> None:
    """End the children that were started early and never taken."""
    for started in _early.values():
        with contextlib.suppress(Exception, KeyboardInterrupt):  # at exit nobody wants a traceback
            if started.popen.poll() is None:
                os.killpg(started.popen.pid, signal.SIGKILL)
            started.popen.wait()
    _early.clear()
