"""Ctrl-C at every stage: exit code 130, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bad_input.conftest import processes_with
from tests.bad_input.sources import BAD, host, kernel

SLOW = "    volatile int x = 1;\n    while (x) {}"

STAGES = {
    "compile": next(bad.source for bad in BAD if bad.name == "template bomb"),
    "plan": host(SLOW),
    "check, in solve": host(f"    if (N > 100) {{\n{SLOW}\n    }}"),
    "check, in a kernel": kernel(f"    if (N > 100) {{\n{SLOW}\n    }}"),
    "explain": kernel(f"    if (N > 200000) {{\n{SLOW}\n    }}"),
}


def start(source: str, tmp_path: Path, command: str = "grade") -> subprocess.Popen[str]:
    path = tmp_path / "submission.cu"
    path.write_text(source)
    words = [sys.executable, "-m", "trainer.cli", command, "relu", str(path), "--backend", "sim"]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str]:
    """As a terminal does it: the signal goes to the whole foreground group."""
    os.killpg(process.pid, signal.SIGINT)
    _out, err = process.communicate(timeout=10)
    return process.returncode, err


def interrupted(code: int) -> bool:
    """130 as a shell sees it: Python itself dies of SIGINT when that came in the middle of an import."""
    return code in (130, -signal.SIGINT)


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_ends_a_grade(stage: str, mark: str, tmp_path: Path) -> None:
    process = start(STAGES[stage], tmp_path)
    time.sleep(2.0)
    assert process.poll() is None, f"ended by itself: {process.communicate()}"
    assert len(processes_with(mark)) == 2  # the command and its worker
    code, err = interrupt(process)
    assert interrupted(code) and "Traceback" not in err, err


@pytest.mark.parametrize("after_s", [0.15, 0.3, 0.5])
def test_ctrl_c_while_starting(after_s: float, mark: str, tmp_path: Path) -> None:
    process = start(STAGES["plan"], tmp_path)
    time.sleep(after_s)
    code, err = interrupt(process)
    assert interrupted(code) and "Traceback" not in err, err


IMPORTED = """
import atexit, os, runpy, signal, sys
moment, sys.argv = sys.argv[1], ["warpdojo", "list"]
class Moment:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Moment())
if moment == "the end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
runpy.run_module("trainer.cli", run_name="__main__")
"""


@pytest.mark.parametrize(
    "moment",
    [
        "trainer.cli.main", "argparse", "trainer.cli.settings", "trainer.cli.commands.list",
        "trainer.bank.index", "sqlite3", "the end",
    ],
)  # fmt: skip
def test_ctrl_c_is_quiet_whatever_is_being_imported(moment: str) -> None:
    words = [sys.executable, "-c", IMPORTED, moment]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert (ran.returncode, ran.stderr.strip()) in ((130, ""), (130, "stopped")), ran.stderr


def test_a_signal_that_the_shell_has_ignored_for_a_job_in_the_background_stays_ignored() -> None:
    words = ["sh", "-c", f"trap '' INT; exec {sys.executable} -c '{IMPORTED}' argparse"]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0 and "vector-addition" in ran.stdout


def test_ctrl_c_ends_watch(mark: str, tmp_path: Path) -> None:
    process = start(kernel(""), tmp_path, "watch")
    time.sleep(2.5)
    code, err = interrupt(process)
    assert interrupted(code) and "Traceback" not in err, err


def test_a_killed_command_takes_its_worker_along(mark: str, tmp_path: Path) -> None:
    process = start(STAGES["plan"], tmp_path)
    time.sleep(1.5)
    process.kill()
    process.communicate(timeout=10)
    assert process.returncode == -signal.SIGKILL
