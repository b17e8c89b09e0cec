"""`grade`, `watch` and `explain` over a backend made of NumPy: what they say, not what CUDA does."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.grade.fakes import Call, FakeBackend
from trainer.cli.commands import watch as watch_module
from trainer.cuda.model import KernelResources, Signature
from trainer.errors import CancelledError
from trainer.grade.verdict import Verdict
from trainer.sim.report import Access, Divergence, Hazard, HazardKind, LaunchRecord, Model, SimReport, Space
from trainer.store.history import History
from trainer.worker.backends import Backends

Run = Callable[..., Any]

SIGNATURE = Signature("solve", ())
UNKNOWN = KernelResources("k", "k", 1, None, None, None)
REPORT = SimReport(
    launches=(LaunchRecord("relu_kernel", (1024, 1, 1), (256, 1, 1), 0, 0.75),),
    access=(
        Access("k", 2, "float v = input[i]; // [red]", Space.GLOBAL, "load", 4, 100, 400, 400, None, None),
        Access("k", 3, "output[i * 8] = v;", Space.GLOBAL, "store", 4, 100, 3200, 400, None, None),
        Access("k", 4, "tile[t * 32] = v;", Space.SHARED, "store", 4, 10, None, None, 320, 10),
    ),
    hazards=(
        Hazard(
            HazardKind.SHARED_RACE, 3, "k", (0, 0, 0), (3, 0, 0), "shared+0x10", "3 writes what 4 reads",
            other_line=4, other_thread=(4, 0, 0), other_block=(0, 0, 0), fatal=False,
        ),
    ),
    divergence=(Divergence("k", 2, "if (i < N)", 100, 3100, 4),),
    model=Model("H200", 2_000_000, 1_000_000, 0.42, "memory"),
)  # fmt: skip


def relu(call: Call) -> None:
    call["output"][:] = np.maximum(call["input"], 0)


class Remote(FakeBackend):
    """A fake with what the command line needs beside the protocol."""

    def cancel(self) -> None: ...


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Remote:
    fake = Remote(relu, report=REPORT)

    def open_backends(*_: object, **__: object) -> Backends:
        return Backends(fake)  # type: ignore[arg-type]

    for module in ("grade", "watch", "explain"):
        monkeypatch.setattr(f"trainer.cli.commands.{module}.open_backends", open_backends)
    return fake


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "relu.cu"
    path.write_text("first\nfloat v = input[i]; // [red]\noutput[i * 8] = v;\ntile[t * 32] = v;\n")
    return path


def test_the_verdict_comes_first_and_everything_fits_eighty_columns(
    warpdojo: Run, backend: Remote, file: Path
) -> None:
    ran = warpdojo("grade", "relu", file, "--seed", "5")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == "accepted  relu"
    assert "a fake, seed 5" in ran.out
    assert max(map(len, lines)) <= 80
    text = ran.out
    for part in ("Kernels", "Cases", "Hazards", "Launches", "Global memory", "Shared memory", "Model"):
        assert part in text
    assert "modelled for H200, not measured" in text
    assert "relu_kernel <<<1024, 256>>>, occupancy 75%" in text
    assert "[red]" in text  # a source line is no markup
    assert text.index("output[i * 8]", text.index("Global")) < text.index("input[i]", text.index("Global"))
    assert "against block (0, 0, 0), thread (4, 0, 0)" in text


@pytest.mark.parametrize("columns", [60, 40])
@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ("grade relu FILE", (r" +3  store of 4.* 8\.0 x$", r" +4  store .* 32\.0 x$", r" +01-.*\d\.\d\d$")),
        ("ladder relu", (r" +01-.*\d\.\d\d$",)),
        ("history", (r"\d{4}-\d\d-\d\d.*  relu  accepted",)),
        ("stats", (r"elementwise .* \d+%$",)),
        ("list --topic elementwise", (r"  relu\b",)),
    ],
)  # fmt: skip
def test_on_a_narrow_terminal_a_row_of_a_table_stays_one_line(
    warpdojo: Run, backend: Remote, file: Path, monkeypatch: pytest.MonkeyPatch,
    columns: int, command: str, rows: tuple[str, ...],
) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", str(columns))
    warpdojo("grade", "relu", file)
    out = warpdojo(*command.replace("FILE", str(file)).split()).out
    assert max(map(len, out.splitlines())) <= columns
    for row in rows:
        assert re.search(f"^{row}", out, re.MULTILINE), out


def test_numbers_that_the_compiler_did_not_tell_are_left_out(
    warpdojo: Run, backend: Remote, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = replace(backend.compile("", SIGNATURE), kernels=(UNKNOWN,))
    monkeypatch.setattr(backend, "compile", lambda source, signature: compiled)
    kernels = warpdojo("grade", "relu", file, "--json").json["compile"]["kernels"]
    assert kernels == [{"name": "k", "registers": None, "shared_bytes": None, "spill_bytes": None}]
    ran = warpdojo("grade", "relu", file)
    row = next(line for line in ran.out.splitlines() if line.strip().startswith("k"))
    assert "Kernels" in ran.out and "None" not in ran.out and " 0 B" not in row


def test_json_is_one_object_on_standard_output(warpdojo: Run, backend: Remote, file: Path) -> None:
    ran = warpdojo("grade", "relu", file, "--json", "--seed", "5")
    assert ran.json["verdict"] == "accepted" and ran.json["seed"] == 5 and ran.err == ""


def test_every_grade_is_remembered_with_its_text(warpdojo: Run, backend: Remote, file: Path) -> None:
    warpdojo("grade", "relu", file, "--seed", "5")
    with History.open() as history:
        attempt = history.attempts()[0]
        assert (attempt.task, attempt.verdict, attempt.seed) == ("relu", "accepted", 5)
        assert history.source(attempt.source_sha256) == file.read_text()


def test_seeds_are_random_unless_given(warpdojo: Run, backend: Remote, file: Path) -> None:
    seeds = {warpdojo("grade", "relu", file, "--json").json["seed"] for _ in range(3)}
    assert len(seeds) == 3


def test_a_grade_is_shown_even_if_it_cannot_be_remembered(
    warpdojo: Run, backend: Remote, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WARPDOJO_HOME", str(file / "no folder"))
    ran = warpdojo("grade", "relu", file)
    assert ran.code == 0 and "accepted" in ran.out and "not in your history" in ran.err


@pytest.mark.parametrize(
    ("verdict", "code"), [("wrong_answer", 1), ("hazard", 1), ("unsupported", 1), ("timed_out", 4)]
)
def test_exit_codes_follow_the_verdict(
    warpdojo: Run, backend: Remote, file: Path, verdict: str, code: int
) -> None:
    def fail(call: Call) -> None:
        call.outcome.update(outputs={}, verdict=Verdict(verdict), message="because", line=3)

    backend._solve = fail
    ran = warpdojo("grade", "relu", file)
    assert ran.code == code and ran.out.startswith(verdict.replace("_", " "))
    assert "because" in ran.out and "    3 | output[i * 8] = v;" in ran.out


def test_a_compiler_message_points_into_the_users_line(warpdojo: Run, backend: Remote, file: Path) -> None:
    file.write_text("int error here;\n")
    ran = warpdojo("grade", "relu", file)
    assert ran.code == 1 and ran.out.startswith("compile error")
    assert 'line 1: error: identifier "error" is undefined' in ran.out
    assert "    1 | int error here;\n        |     ^" in ran.out


def test_control_characters_of_a_file_do_not_reach_the_terminal(
    warpdojo: Run, backend: Remote, file: Path
) -> None:
    file.write_text("int \x1b[2Jerror;\n")
    assert "\x1b[2J" not in warpdojo("grade", "relu", file).out


def test_files_that_cannot_be_graded(warpdojo: Run, backend: Remote, tmp_path: Path) -> None:
    assert warpdojo("grade", "relu", tmp_path / "missing.cu").code == 2
    assert warpdojo("grade", "relu", tmp_path).code == 2
    empty = tmp_path / "empty.cu"
    empty.write_text("")
    ran = warpdojo("grade", "relu", empty, "--json")
    assert ran.code == 1 and ran.json["verdict"] == "compile_error" and ran.json["compile"] is None
    latin = tmp_path / "latin.cu"
    latin.write_bytes(b"// caf\xc3\xa9\n// caf\xe9\n")
    assert "line 2: the file is not UTF-8" in warpdojo("grade", "relu", latin).out
    assert warpdojo("grade", "relu", empty, "--device", "H9000").code == 2


def test_explain_shows_accesses_divergence_and_the_model(warpdojo: Run, backend: Remote, file: Path) -> None:
    ran = warpdojo("explain", "relu", file)
    assert ran.code == 0 and "Divergence" in ran.out and "Global memory" in ran.out
    assert "one run, N=" in ran.out and "`warpdojo grade` checks" in ran.out
    data = warpdojo("explain", "relu", file, "--json").json
    assert list(data) == ["schema", "task", "launches", "access", "hazards", "divergence", "model"]
    with contextlib.suppress(FileNotFoundError), History.open() as history:
        assert history.attempts() == ()


def test_explain_of_what_does_not_compile(warpdojo: Run, backend: Remote, file: Path) -> None:
    file.write_text("error\n")
    assert warpdojo("explain", "relu", file).code == 1


# watch


@pytest.fixture
def watching(
    warpdojo: Run, backend: Remote, file: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], list[str]]]:
    """`watch` in a thread; yields a function that tells the verdicts so far."""
    stop = threading.Event()
    seen: list[str] = []
    monkeypatch.setattr(watch_module, "POLL_S", 0.01)
    monkeypatch.setattr(watch_module, "SETTLE_S", 0.01)
    real_sleep = time.sleep

    def sleep(seconds: float) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        real_sleep(seconds)

    monkeypatch.setattr(watch_module.time, "sleep", sleep)
    monkeypatch.setattr("trainer.cli.commands.watch.grade_json", lambda g: seen.append(g.verdict) or {})
    thread = threading.Thread(target=lambda: warpdojo("watch", "relu", file))
    thread.start()
    yield lambda: list(seen)
    stop.set()
    thread.join(10)
    assert not thread.is_alive()


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        threading.Event().wait(0.01)


def test_watch_grades_at_once_and_on_every_save(watching: Callable[[], list[str]], file: Path) -> None:
    wait_for(lambda: len(watching()) == 1)
    file.write_text("int error;\n")
    wait_for(lambda: len(watching()) == 2)
    fresh = file.with_suffix(".tmp")  # the way editors save: write beside, rename over
    fresh.write_text("fine again\n")
    os.replace(fresh, file)
    wait_for(lambda: len(watching()) == 3)
    assert watching() == ["accepted", "compile_error", "accepted"]


def test_watch_survives_a_file_that_goes_and_comes_back(
    watching: Callable[[], list[str]], file: Path
) -> None:
    wait_for(lambda: len(watching()) == 1)
    file.unlink()
    threading.Event().wait(0.1)
    file.write_text("back\n")
    wait_for(lambda: len(watching()) == 2)


def test_a_save_during_a_grade_starts_over(
    watching: Callable[[], list[str]], backend: Remote, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for(lambda: len(watching()) == 1)
    cancelled = threading.Event()

    def slow(call: Call) -> None:
        cancelled.wait(20)
        raise CancelledError

    def cancel() -> None:
        backend._solve = relu
        cancelled.set()

    monkeypatch.setattr(backend, "cancel", cancel)
    backend._solve = slow
    file.write_text("slow\n")
    threading.Event().wait(0.2)
    file.write_text("quick\n")
    wait_for(lambda: len(watching()) == 2)
    assert cancelled.is_set()


def test_watch_of_a_missing_file_is_misuse(warpdojo: Run, backend: Remote, tmp_path: Path) -> None:
    ran = warpdojo("watch", "relu", tmp_path / "missing.cu")
    assert ran.code == 2 and "warpdojo start relu" in ran.err
