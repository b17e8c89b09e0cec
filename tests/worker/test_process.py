"""A child process as the parent ends it: at any moment, from any thread, more than once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from trainer.worker.limits import DEFAULT_LIMITS
from trainer.worker.process import WorkerProcess
from trainer.worker.server import NICENESS

FAKE = "tests.worker.fake_backend:FakeBackend"

KILLED_TWICE_AT_EXIT = f"""
import os
from trainer.worker.limits import DEFAULT_LIMITS
from trainer.worker.process import WorkerProcess
process = WorkerProcess({FAKE!r}, DEFAULT_LIMITS)
os.close(process._stderr)  # as if somebody else had ended it
"""


def test_many_threads_may_end_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    process = WorkerProcess(FAKE, DEFAULT_LIMITS)
    descriptor = process._stderr
    closed: list[int] = []
    failures: list[OSError] = []
    together, close = threading.Barrier(8), os.close

    def slow_close(fd: int) -> None:
        closed.append(fd)
        time.sleep(0.02)  # lets the other threads come here, too
        close(fd)

    monkeypatch.setattr(os, "close", slow_close)

    def end() -> None:
        together.wait()
        try:
            process.kill()
        except OSError as error:
            failures.append(error)

    threads = [threading.Thread(target=end) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    process.kill()
    assert not failures and closed.count(descriptor) == 1


@pytest.mark.parametrize(
    ("backend", "niceness"), [("sim", NICENESS), pytest.param("gpu", 0, marks=pytest.mark.gpu)]
)
def test_a_simulator_gives_way_to_the_app(backend: str, niceness: int) -> None:
    process = WorkerProcess(backend, DEFAULT_LIMITS)
    process.hello()
    of_the_child = os.getpriority(os.PRIO_PROCESS, process.pid)
    process.kill()
    assert of_the_child == min(19, os.getpriority(os.PRIO_PROCESS, 0) + niceness)


def test_what_goes_wrong_at_exit_is_not_shown() -> None:
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", KILLED_TWICE_AT_EXIT], cwd=root, capture_output=True, text=True, timeout=20
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
