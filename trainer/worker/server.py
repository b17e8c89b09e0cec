"""The child's side: load a backend, answer requests until the parent is gone."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from trainer.errors import WarpDojoError
from trainer.grade.backend import Backend, RunOutcome
from trainer.worker import wire
from trainer.worker.channel import Channel, ChannelClosed
from trainer.worker.limits import DEFAULT_LIMITS, MAX_PRINTED_BYTES, Limits
from trainer.worker.messages import OPERATIONS, Hello, Problem

NICENESS = 5
BACKENDS = {"sim": "trainer.sim.backend:SimBackend", "gpu": "trainer.gpu.backend:GpuBackend"}


def main(argv: list[str]) -> int:
    """`--backend sim|gpu|module:Class --fd N`, where N is the inherited end of a socket pair."""
    options = dict(zip(argv[::2], argv[1::2], strict=True))  # argparse would cost 15 ms of every start
    kind = options["--backend"]
    channel = Channel(socket.socket(fileno=int(options["--fd"])))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _exit_with_parent(channel)
    _limit_resources(kind, DEFAULT_LIMITS)
    if kind != "gpu":
        _yield_to_others()
    output = Output()
    try:
        backend = _load(kind)
    except Exception as error:
        channel.send(*wire.encode(Hello(problem=describe(error))))
        return 1
    channel.send(*wire.encode(Hello(backend.name, backend.device)))
    # Libraries load while the parent is still reading the task; a request just waits its turn.
    # What is missing here will be missing then, and told as the answer.
    with contextlib.suppress(Exception):
        getattr(backend, "warm_up", lambda: None)()
    gc.collect()
    gc.freeze()
    with contextlib.suppress(ChannelClosed):
        serve(channel, backend, output)
    return 0


def serve(channel: Channel, backend: Backend, output: Output) -> None:
    """Answers requests until the channel closes or the backend is spent (its CUDA context is dead)."""
    while True:
        request = wire.decode(*channel.receive())
        _renew_cpu_limit(DEFAULT_LIMITS)
        reply = _answer(backend, request, output)
        spent = bool(getattr(backend, "spent", False))
        channel.send(*wire.encode({**reply, "spent": spent}))
        if spent:
            return
        # A run's device memory (gigabytes of address space) may hang in reference cycles. The parent is
        # busy comparing now, and what was there before the first request is frozen: 1 ms.
        del request, reply
        gc.collect()


def _answer(backend: Backend, request: dict[str, Any], output: Output) -> dict[str, object]:
    try:
        hints, _kind = OPERATIONS[request["op"]]
        arguments = [wire.build(hint, value) for hint, value in zip(hints, request["args"], strict=True)]
        return {"answer": output.add_to(getattr(backend, request["op"])(*arguments))}
    except Exception as error:
        return {"problem": describe(error)}


def describe(error: Exception) -> Problem:
    """Our own errors keep their class; anything else is a bug of ours, told with its place."""
    if isinstance(error, WarpDojoError):
        return Problem(type(error).__name__, str(error).split("\n  ")[0], error.hint)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    traceback.print_exception(error)
    return Problem(
        "WorkerError",
        f"internal error: {type(error).__name__}: {error}",
        f"This is a fault of Warp Dojo, not of your file ({place}); please report it.",
    )


class Output:
    """What C code prints: kernels' printf goes to descriptor 1, which here is a memory file."""

    def __init__(self) -> None:
        self._fd = os.memfd_create("warpdojo-stdout")
        os.dup2(self._fd, 1)
        sys.stdout = sys.stderr
        self._flush = ctypes.CDLL(None).fflush

    def take(self) -> str:
        """What was printed since the last call, cut at MAX_PRINTED_BYTES."""
        self._flush(None)
        size = os.lseek(1, 0, os.SEEK_END)
        if size == 0:
            return ""
        text = os.pread(self._fd, MAX_PRINTED_BYTES, 0).decode("utf-8", "replace")
        os.ftruncate(self._fd, 0)
        os.lseek(1, 0, os.SEEK_SET)
        if size > MAX_PRINTED_BYTES:
            text += f"\n[{size - MAX_PRINTED_BYTES} more bytes were printed]"
        return text

    def add_to(self, answer: object) -> object:
        """The answer, with what was printed meanwhile if it is the answer to a run."""
        printed = self.take()
        if printed and isinstance(answer, RunOutcome):
            return RunOutcome(**{**vars(answer), "printed": answer.printed + printed})
        return answer


def _load(backend: str) -> Backend:
    module, _, name = BACKENDS.get(backend, backend).partition(":")
    loaded: Backend = getattr(importlib.import_module(module), name)()
    return loaded


def _exit_with_parent(channel: Channel) -> None:
    """A thread that ends this process group as soon as the parent's end of the channel closes.

    Not PR_SET_PDEATHSIG: that follows the parent's *thread*, and the TUI starts workers from
    threads that end.
    """
    poll = select.poll()
    poll.register(channel.fileno(), select.POLLRDHUP | select.POLLHUP)

    def watch() -> None:
        poll.poll()
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)  # started by hand, in a group of others

    threading.Thread(target=watch, name="exit-with-parent", daemon=True).start()


def _yield_to_others() -> None:
    """Keys that are pressed in the app while the simulator computes come first. Not on a GPU: there the
    processor must keep up with the device that is timed.

    A process in a session of its own competes as a group, where Linux makes such groups: the group has
    a niceness, too.
    """
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def _limit_resources(backend: str, limits: Limits) -> None:
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits.file_bytes)
    if backend != "gpu":
        _lower(resource.RLIMIT_AS, limits.address_bytes)


def _renew_cpu_limit(limits: Limits) -> None:
    """A worker lives for many requests; each may use this much more."""
    _lower(resource.RLIMIT_CPU, int(time.process_time()) + limits.cpu_s)


def _lower(which: int, soft: int) -> None:
    _soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
