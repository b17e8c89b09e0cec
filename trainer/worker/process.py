"""One child process as the parent sees it: start, ask, kill. Knows nothing of verdicts."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import subprocess
import threading
import time
import weakref
from enum import StrEnum
from pathlib import Path
from typing import Any

import trainer.errors
from trainer.errors import CancelledError, WarpDojoError, WorkerError
from trainer.worker import wire
from trainer.worker.channel import Channel, ChannelBroken, ChannelClosed
from trainer.worker.limits import STDERR_TAIL_BYTES, Limits
from trainer.worker.messages import Hello, Problem
from trainer.worker.start import take

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Death(StrEnum):
    DEADLINE = "deadline"
    MEMORY = "memory"
    CRASH = "crash"


class WorkerDied(Exception):
    """The child is gone and reaped. `reason` is for people: "SIGSEGV", "exit status 3: ..."."""

    def __init__(self, death: Death, reason: str) -> None:
        super().__init__(reason)
        self.death = death
        self.reason = reason


class WorkerProcess:
    """`python -m trainer.worker` in a session of its own: a terminal's Ctrl-C does not reach it."""

    def __init__(self, backend: str, limits: Limits) -> None:
        self._limits = limits
        self._hello: Hello | None = None
        self._cancelled = False
        self.spent = False
        try:
            started = take(backend)
        except OSError as error:
            raise WorkerError(f"cannot start a worker process: {error}") from error
        self._popen, self._stderr = started.popen, started.stderr
        self._closing = threading.Lock()
        self._channel = Channel(started.channel)
        _alive.add(self)

    def hello(self) -> Hello:
        """Waits until the child is ready. Raises what kept it from that."""
        if self._hello is None:
            try:
                self._hello = wire.build(Hello, self._receive(self._limits.start_s))
            except WorkerDied as died:
                raise WorkerError(
                    f"the worker process did not start: {died.reason}",
                    hint="`warpdojo doctor` checks what it needs.",
                ) from died
        if self._hello.problem is not None:
            self.kill()
            raise rebuild(self._hello.problem)
        return self._hello

    def ask(self, operation: str, arguments: tuple[object, ...], deadline_s: float) -> Any:
        """The answer as plain data. Raises WorkerDied, CancelledError, or the problem the child reports."""
        started = time.monotonic()
        message, descriptors = wire.encode({"op": operation, "args": arguments})
        try:
            self._channel.send(message, descriptors, timeout_s=deadline_s)
            reply = self._receive(deadline_s - (time.monotonic() - started))
        except TimeoutError as error:
            raise self._end(Death.DEADLINE, "it did not read the request in time") from error
        except ChannelClosed as error:
            raise self._end_of_channel() from error
        except BaseException:
            self.kill()
            raise
        self.spent = self.spent or reply["spent"]
        if "problem" in reply:
            raise rebuild(wire.build(Problem, reply["problem"]))
        return reply["answer"]

    def cancel(self) -> None:
        """From any thread: the call in flight raises CancelledError."""
        self._cancelled = True
        self._signal()

    def kill(self) -> None:
        """Ends the whole process group and reaps the child; nothing remains.

        Safe to repeat, and from several threads: closed twice, the descriptor could be another file's.
        """
        self._signal()
        self._popen.wait()
        with self._closing:
            self._channel.close()
            stderr, self._stderr = self._stderr, -1
            if stderr >= 0:
                os.close(stderr)
        self.spent = True
        _alive.discard(self)

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def gone(self) -> bool:
        """Whether the child has ended, whoever ended it."""
        return self._popen.poll() is not None

    def _signal(self) -> None:
        # Not reaped yet, so the number cannot have passed to another process.
        if self._popen.returncode is None:
            try:
                os.killpg(self._popen.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._popen.kill()

    def _receive(self, wait_s: float) -> Any:
        try:
            self._await_message(time.monotonic() + wait_s)
            return wire.decode(*self._channel.receive())
        except (ChannelClosed, ChannelBroken, ValueError) as error:
            raise self._end_of_channel() from error
        except BaseException:
            # Ctrl-C above all: the child may compute for minutes more, and nobody wants its answer.
            self.kill()
            raise

    def _await_message(self, deadline: float) -> None:
        while not select.select([self._channel], [], [], self._limits.poll_s)[0]:
            if time.monotonic() > deadline:
                raise self._end(Death.DEADLINE, "it took too long")
            if self._resident_bytes() > self._limits.memory_bytes:
                raise self._end(Death.MEMORY, "it used too much memory")

    def _resident_bytes(self) -> int:
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE_BYTES
        except (OSError, IndexError, ValueError):
            return 0  # no /proc, or the child has just died; the channel will tell

    def _end(self, death: Death, reason: str) -> Exception:
        self.kill()
        return CancelledError() if self._cancelled else WorkerDied(death, reason)

    def _end_of_channel(self) -> Exception:
        """The channel broke: say how the child ended."""
        if self._cancelled:
            self.kill()
            return CancelledError()
        try:
            status = self._popen.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            return self._end(Death.CRASH, "it stopped answering")
        tail = self._stderr_tail()
        reason = _name_of_signal(-status) if status < 0 else f"exit status {status}"
        return self._end(Death.CRASH, f"{reason}: {tail}" if tail else reason)

    def _stderr_tail(self) -> str:
        """The last line the child wrote to stderr, which is where libraries say why they abort."""
        with self._closing:
            if self._stderr < 0:
                return ""  # another thread has just ended it
            size = os.fstat(self._stderr).st_size
            tail = os.pread(self._stderr, STDERR_TAIL_BYTES, max(0, size - STDERR_TAIL_BYTES))
        lines = [line for line in tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""


def rebuild(problem: Problem) -> WarpDojoError:
    """The exception that a problem stands for, with its own class where we have it."""
    kind = getattr(trainer.errors, problem.kind, WorkerError)
    if not (isinstance(kind, type) and issubclass(kind, WarpDojoError)):
        kind = WorkerError
    return kind(problem.message, hint=problem.hint)


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_alive: weakref.WeakSet[WorkerProcess] = weakref.WeakSet()


@atexit.register
def _kill_all() -> None:
    for process in list(_alive):
        # The user is leaving: one that does not go is no news to them, and no reason to keep the others.
        with contextlib.suppress(Exception, KeyboardInterrupt):
            process.kill()
