"""The parent's backend: every way a child can end has its verdict, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.errors import CancelledError, MissingToolError, UnsupportedError, WorkerError
from trainer.grade.backend import ArgumentValue, RunRequest, TimeRequest
from trainer.grade.verdict import Verdict
from trainer.sim.report import HazardKind
from trainer.worker.client import RemoteBackend
from trainer.worker.limits import Limits

FAKE = "tests.worker.fake_backend:FakeBackend"
SIGNATURE = Signature("solve", (Parameter("a", "float*"),))
QUICK = Limits(compile_s=0.4, run_grace_s=0.0, time_grace_s=0.2, poll_s=0.02)


def request(array: np.ndarray | None = None, budget_s: float = 5.0) -> RunRequest:
    value = np.arange(4, dtype=np.float32) if array is None else array
    arguments = (
        ArgumentValue("a", "float*", Role.INPUT, "float32", value),
        ArgumentValue("n", "int", Role.SCALAR, "int32", 4),
        ArgumentValue("out", "float*", Role.OUTPUT, "float32", shape=(2, 2)),
    )
    return RunRequest(arguments, seed=1, budget_s=budget_s)


@pytest.fixture
def backend() -> Iterator[RemoteBackend]:
    with RemoteBackend(FAKE) as remote:
        yield remote


def pid_of(backend: RemoteBackend) -> int:
    return backend._process.pid


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_answers_arrive_as_the_dataclasses_they_were(backend: RemoteBackend) -> None:
    compiled = backend.compile("fine", SIGNATURE)
    assert compiled.ok and compiled.kernels[0].name == "k<256>" and compiled.diagnostics[0].line == 2
    outcome = backend.run(request())
    assert outcome.verdict is None and outcome.outputs["a"].tolist() == [0, 2, 4, 6]
    assert outcome.outputs["a"].dtype == np.float32
    assert outcome.report is not None
    assert outcome.report.hazards[0].kind is HazardKind.SHARED_RACE
    assert outcome.report.hazards[0].block == (0, 1, 2)
    timed = backend.time(TimeRequest(((request().arguments),), {"rung": "fine"}, 100, 10))
    assert timed.timing is not None and timed.timing.tflops == 1.5 and timed.baselines["rung"].p5_us == 9.0


def test_a_large_array_goes_there_and_back_unchanged(backend: RemoteBackend) -> None:
    backend.compile("fine", SIGNATURE)
    array = np.random.default_rng(0).random((1000, 777), dtype=np.float32)
    before = len(os.listdir("/proc/self/fd"))
    doubled = backend.run(request(array)).outputs["a"]
    assert doubled.shape == array.shape and np.array_equal(doubled, array * 2)
    del doubled
    assert len(os.listdir("/proc/self/fd")) == before


def test_name_and_device_are_the_childs(backend: RemoteBackend) -> None:
    assert (backend.name, backend.device) == ("fake", "fake device")


def test_a_refused_file_keeps_the_process(backend: RemoteBackend) -> None:
    compiled = backend.compile("refuse", SIGNATURE)
    assert not compiled.ok and compiled.verdict is Verdict.COMPILE_ERROR
    pid = pid_of(backend)
    assert backend.compile("fine", SIGNATURE).log == str(pid)


@pytest.mark.parametrize(("deed", "reason"), [("segfault", "SIGSEGV"), ("abort", "out of registers")])
def test_a_crash_of_the_compiler_is_a_compile_error_that_says_so(
    backend: RemoteBackend, deed: str, reason: str
) -> None:
    compiled = backend.compile(f"compile-{deed}", SIGNATURE)
    assert compiled.verdict is Verdict.COMPILE_ERROR and "crashed on this file" in compiled.message
    assert reason in compiled.message
    assert backend.compile("fine", SIGNATURE).ok


@pytest.mark.parametrize("deed", ["segfault", "abort", "exit"])
def test_a_crash_while_running_is_a_runtime_error_and_the_next_run_works(
    backend: RemoteBackend, deed: str
) -> None:
    backend.compile(deed, SIGNATURE)
    pid = pid_of(backend)
    outcome = backend.run(request())
    assert outcome.verdict is Verdict.RUNTIME_ERROR and "crashed" in outcome.message
    assert not alive(pid)
    assert backend.compile("fine", SIGNATURE).ok and backend.run(request()).verdict is None


@pytest.mark.parametrize("deed", ["sleep", "busy-in-c"])
def test_a_run_that_never_ends_is_killed_at_its_deadline(deed: str) -> None:
    with RemoteBackend(FAKE, limits=QUICK) as backend:
        backend.compile(deed, SIGNATURE)
        pid, started = pid_of(backend), time.monotonic()
        outcome = backend.run(request(budget_s=0.3))
        assert outcome.verdict is Verdict.TIMED_OUT and "0.3 s" in outcome.message
        assert time.monotonic() - started < 2 and not alive(pid)


def test_a_compile_that_never_ends_is_killed_at_its_deadline() -> None:
    with RemoteBackend(FAKE, limits=QUICK) as backend:
        compiled = backend.compile("compile-sleep", SIGNATURE)
        assert compiled.verdict is Verdict.TIMED_OUT and "did not finish" in compiled.message


def test_a_compiler_that_eats_the_memory_is_killed() -> None:
    limits = Limits(memory_bytes=500 << 20, poll_s=0.01)
    with RemoteBackend(FAKE, limits=limits) as backend:
        compiled = backend.compile("compile-eat", SIGNATURE)
        assert compiled.verdict is Verdict.COMPILE_ERROR and "0.5 GB" in compiled.message


def test_after_a_dead_context_the_submission_is_compiled_again_in_a_new_process(
    backend: RemoteBackend,
) -> None:
    backend.compile("spend", SIGNATURE)
    pid = pid_of(backend)
    assert backend.run(request()).message == "illegal address in k"
    assert backend.run(request()).message == "illegal address in k"
    assert pid_of(backend) != pid and not alive(pid)


def test_cancel_from_another_thread_ends_the_call(backend: RemoteBackend) -> None:
    backend.compile("sleep", SIGNATURE)
    pid = pid_of(backend)
    threading.Timer(0.2, backend.cancel).start()
    started = time.monotonic()
    with pytest.raises(CancelledError):
        backend.run(request(budget_s=30))
    assert time.monotonic() - started < 2 and not alive(pid)
    backend.cancel()
    assert backend.compile("fine", SIGNATURE).ok


def test_cancel_while_the_process_still_starts(tmp_path: Path) -> None:
    with RemoteBackend(FAKE) as backend:
        threading.Timer(0.02, backend.cancel).start()
        with pytest.raises(CancelledError):
            while True:
                backend.compile("compile-sleep", SIGNATURE)


def test_ctrl_c_kills_the_child_and_is_passed_on(backend: RemoteBackend) -> None:
    backend.compile("sleep", SIGNATURE)
    pid = pid_of(backend)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        backend.run(request(budget_s=30))
    assert not alive(pid)


def test_close_during_a_call_ends_it() -> None:
    backend = RemoteBackend(FAKE)
    backend.compile("sleep", SIGNATURE)
    threading.Timer(0.2, backend.close).start()
    with pytest.raises(CancelledError):
        backend.run(request(budget_s=30))
    with pytest.raises(WorkerError, match="closed"):
        backend.run(request())


def test_children_of_the_child_die_with_it(tmp_path: Path) -> None:
    with RemoteBackend(FAKE, limits=QUICK) as backend:
        backend.compile("grandchild", SIGNATURE)
        pid = pid_of(backend)
        group = subprocess.Popen(["true"])
        group.wait()
        backend.run(request(budget_s=0.3))
        left = subprocess.run(["pgrep", "-g", str(pid)], capture_output=True, text=True).stdout
        states = [Path(f"/proc/{p}/stat").read_text().split()[2] for p in left.split()]
        assert all(state == "Z" for state in states)


def test_the_child_dies_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "from tests.worker.test_client import *\n"
        "backend = RemoteBackend(FAKE); backend.compile('busy-in-c', SIGNATURE)\n"
        "print(pid_of(backend), flush=True); backend.run(request(budget_s=30))\n"
    )
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    time.sleep(0.1)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(100):
        if not alive(pid) or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.02)
    pytest.fail("the child outlived its parent")


def test_workers_that_were_killed_while_idle_cost_nothing() -> None:
    with RemoteBackend(FAKE, spare=True) as backend:
        backend.compile("fine", SIGNATURE)
        assert backend._spare is not None
        for process in (backend._process, backend._spare):
            process.hello()
            os.kill(process.pid, signal.SIGKILL)
            process._popen.wait()
        assert backend.compile("fine", SIGNATURE).ok


def test_a_warm_spare_takes_over_at_once() -> None:
    with RemoteBackend(FAKE, spare=True) as backend:
        backend.compile("exit", SIGNATURE)
        assert backend._spare is not None
        spare = backend._spare.pid
        backend._spare.hello()
        backend.run(request())
        started = time.monotonic()
        assert backend.compile("fine", SIGNATURE).log == str(spare)
        assert time.monotonic() - started < 0.2
    assert not alive(spare)


def test_printing_does_not_disturb_the_protocol(backend: RemoteBackend) -> None:
    backend.compile("print", SIGNATURE)
    assert backend.run(request()).printed == "compiled 1 timeshello from a kernel\n"


def test_a_printf_flood_is_cut_and_graded(backend: RemoteBackend) -> None:
    backend.compile("flood", SIGNATURE)
    printed = backend.run(request()).printed
    assert len(printed) < 70_000 and "more bytes were printed" in printed


def test_a_fault_of_ours_is_a_worker_error_without_a_traceback(backend: RemoteBackend) -> None:
    backend.compile("raise", SIGNATURE)
    with pytest.raises(WorkerError, match="internal error: ZeroDivisionError: oops") as caught:
        backend.run(request())
    assert "fake_backend.py:" in caught.value.hint


def test_our_own_errors_keep_their_class(backend: RemoteBackend) -> None:
    backend.compile("unsupported", SIGNATURE)
    with pytest.raises(UnsupportedError) as caught:
        backend.run(request())
    assert (caught.value.message, caught.value.hint) == ("no textures", "use plain loads")


def test_a_backend_that_cannot_start_says_why() -> None:
    broken = RemoteBackend("tests.worker.fake_backend:BrokenBackend")
    with broken, pytest.raises(MissingToolError, match="no GPU here"):
        broken.compile("fine", SIGNATURE)


def test_failing_to_warm_up_is_left_to_the_request() -> None:
    with RemoteBackend("tests.worker.fake_backend:UnpreparedBackend") as backend:
        assert backend.compile("fine", SIGNATURE).ok


def test_running_before_compiling_is_refused(backend: RemoteBackend) -> None:
    with pytest.raises(WorkerError, match="nothing was compiled"):
        backend.run(request())


def test_a_python_file_beside_the_submission_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('hijacked')")
    monkeypatch.chdir(tmp_path)
    with RemoteBackend(FAKE) as backend:
        assert backend.compile("fine", SIGNATURE).ok


def test_nothing_is_left_behind_after_many_deaths() -> None:
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with RemoteBackend(FAKE, spare=True) as backend:
            backend.compile("exit", SIGNATURE)
            backend.run(request())
    assert set(os.listdir("/proc/self/fd")) == before
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    assert not [p for p in children if "trainer.worker" in Path(f"/proc/{p}/cmdline").read_text()]
