"""A kernel task: read, write, grade, stop."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import NOW
from tests.tui.driving import (
    HOSTILE,
    SIZES,
    SOURCE,
    WIDE,
    FakeRemote,
    drive,
    graded,
    make_services,
    open_task,
    put_file,
    text_of,
    told,
    until,
    until_screen,
)
from trainer.errors import CancelledError, MissingToolError, WorkerError
from trainer.grade.backend import RunOutcome, RunRequest
from trainer.store.config import Config
from trainer.store.history import EventKind, History
from trainer.store.workspace import Draft
from trainer.tui.services import Services
from trainer.tui.widgets.code_pane import LOOK_S


@pytest.fixture
def file(services: Services) -> Path:
    path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    return path


class Stuck(FakeRemote):
    """Runs until it is killed."""

    def __init__(self) -> None:
        super().__init__()
        self.started = threading.Event()
        self.killed = threading.Event()

    def run(self, request: RunRequest) -> RunOutcome:
        self.started.set()
        assert self.killed.wait(30)
        raise CancelledError()

    def cancel(self) -> None:
        self.killed.set()


@pytest.mark.parametrize("size", SIZES)
def test_the_statement_is_there_with_signature_and_limits(services: Services, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot, "matrix-transpose")
        text = text_of(pilot.app)
        for words in ("output[c][r] =", 'extern "C" void solve(', "const float* input,", "8,192"):
            assert words in text
        for key in ("Grade", "Edit", "Here", "Watch", "Hint", "Ladder", "Search", "Help"):
            assert key in text

    drive(services, scenario, size)


def test_hints_come_one_by_one_and_are_recorded(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("h")
        await until(pilot, lambda: "Hint 1 of" in text_of(pilot.app))
        assert "Hint 2 of" not in text_of(pilot.app)
        await until(pilot, lambda: any(e.kind is EventKind.HINT for e in services.events("relu")))

    drive(services, scenario)


@pytest.mark.parametrize("size", SIZES)
def test_g_grades_and_the_result_comes_by_itself(
    services: Services, file: Path, size: tuple[int, int]
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await graded(pilot)
        assert "✓ accepted" in text_of(pilot.app)
        with History.open() as history:
            assert history.attempts()[0].verdict == "accepted"
        await pilot.press("escape")
        await until_screen(pilot, "TaskScreen")
        text = text_of(pilot.app)
        assert "✓ compile" in text and "✓ check" in text and "✓ accepted" in text

    drive(services, scenario, size)


def test_without_a_file_nothing_is_graded_and_what_makes_one_is_said(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("g")
        await until(pilot, lambda: "there is no file to grade" in told(pilot.app))
        assert "e or E makes it" in told(pilot.app)
        assert screen.job is None and not screen.path.exists() and services.attempts() == ()

    drive(services, scenario)


def test_a_grade_is_stopped_at_any_moment_and_leaves_no_attempt() -> None:
    stuck = Stuck()
    services = make_services(stuck, NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        put_file(services)
        await pilot.press("g")
        await until(pilot, stuck.started.is_set)
        assert "● plan" in text_of(pilot.app) or "plan" in text_of(pilot.app)
        await pilot.press("x")
        await until(pilot, lambda: stuck.killed.is_set() and stuck.closed)
        await until(pilot, lambda: "stopped" in text_of(pilot.app))
        assert services.attempts() == ()

    drive(services, scenario)


def test_leaving_the_app_never_waits_for_a_grade() -> None:
    stuck = Stuck()

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        put_file(pilot.app.services)
        await pilot.press("g")
        await until(pilot, stuck.started.is_set)
        await pilot.press("ctrl+q")
        await until(pilot, stuck.killed.is_set)

    drive(make_services(stuck, NOW), scenario)
    assert stuck.killed.is_set()


def test_keys_are_answered_while_a_grade_runs() -> None:
    stuck = Stuck()

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        put_file(pilot.app.services)
        await pilot.press("g")
        await until(pilot, stuck.started.is_set)
        await pilot.press("question_mark")
        await until_screen(pilot, "HelpScreen")
        await pilot.press("escape")
        await pilot.press("x")

    drive(make_services(stuck, NOW), scenario)


def test_watching_grades_a_save_also_one_by_renaming(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("w")
        assert screen.watching
        new = file.with_suffix(".tmp")
        new.write_text(SOURCE + "// saved\n")
        os.replace(new, file)
        result = await until_screen(pilot, "ResultScreen")
        assert "// saved" in result.source
        file.write_text(SOURCE + "// again\n")
        await until(pilot, lambda: "// again" in result.source)

    drive(services, scenario)


def test_a_file_that_vanishes_is_said(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        file.unlink()
        await until(pilot, lambda: "not there yet" in text_of(pilot.app))

    drive(services, scenario)


def test_a_workspace_that_cannot_be_written_is_said(services: Services, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    services.config = Config(workspace=str(tmp_path / "file" / "ws"))

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("e")
        await until(pilot, lambda: "cannot be written" in told(pilot.app))

    drive(services, scenario)


def test_without_an_editor_the_app_says_what_to_do(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("e")
        await until(pilot, lambda: "no editor is known" in told(pilot.app))

    drive(services, scenario)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/no/such/editor", "does not start"),
        ("/", "does not start"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "status 3"),
        ("unbalanced '", "cannot be read"),
    ],
    ids=["missing", "folder", "failing", "unbalanced"],
)
def test_an_editor_that_fails_costs_a_notice(
    services: Services, file: Path, command: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import contextlib

    from trainer.tui.app import WarpDojo

    lent = []

    @contextlib.contextmanager
    def suspend(app: WarpDojo) -> Iterator[None]:
        """As Textual's: what is raised within leaves the terminal with the editor."""
        lent.append(True)
        yield
        lent.pop()

    monkeypatch.setattr(WarpDojo, "suspend", suspend)
    services.config = Config(editor=command)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("e")
        await until(pilot, lambda: words in told(pilot.app))
        assert not lent

    drive(services, scenario, WIDE)


def test_a_terminal_that_cannot_be_lent_names_the_file(services: Services, file: Path) -> None:
    services.config = Config(editor="vi")

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("e")
        await until(pilot, lambda: "cannot be lent out" in told(pilot.app))

    drive(services, scenario)


@pytest.mark.parametrize("size", SIZES)
def test_editing_here_saves_and_grades(services: Services, file: Path, size: tuple[int, int]) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        await pilot.press("g", "tab", "[")
        assert "g   [// smem[TILE][TILE+1]" in text_of(pilot.app)
        await pilot.press("f5")
        await until(pilot, lambda: "F4 shows all of it" in text_of(pilot.app))
        assert pilot.app.screen is screen and type(screen.focused).__name__ == "CudaEditor"
        assert file.read_text().startswith("g   [// smem[TILE]")
        await pilot.press("v", "f4")
        await until_screen(pilot, "ResultScreen")
        await pilot.press("escape")
        assert screen.focused.text.startswith("g   [v//")

    drive(services, scenario, size)


def test_a_notice_leaves_the_line_that_tells_the_editors_keys_free(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: "a starter for you" in text_of(pilot.app))
        assert "Escape saves and closes, Ctrl+R leaves without saving" in text_of(pilot.app)

    drive(services, scenario)


def test_edits_that_were_not_saved_come_back(services: Services, file: Path) -> None:
    async def first(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        await pilot.press("Z")
        await until(pilot, lambda: Draft(file).read() is not None)  # and now the process dies

    async def second(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        assert "Z// smem" in text_of(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: file.read_text().startswith("Z//"))
        assert Draft(file).read() is None

    drive(services, first)
    assert file.read_text() == SOURCE
    drive(services, second)


def test_the_editor_follows_a_save_from_outside_and_never_loses_edits(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        file.write_text("// from outside\n")
        await until(pilot, lambda: "// from outside" in screen.focused.text)
        await pilot.press("Z")
        file.write_text("// once more\n")
        await until(pilot, lambda: "another program saved this file" in text_of(pilot.app))
        assert screen.focused.text.startswith("Z")

    drive(services, scenario)


def test_a_paste_of_two_hundred_columns_is_kept(services: Services, file: Path) -> None:
    from textual import events

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        screen.focused.post_message(events.Paste("x" * 200 + "\n"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: file.read_text().startswith("x" * 200))

    drive(services, scenario)


def full(path: Path, data: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_said_and_the_editor_keeps_the_text(
    services: Services, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        with monkeypatch.context() as patched:
            patched.setattr("trainer.store.workspace._overwrite", full)
            patched.setattr("os.replace", full)
            await pilot.press("Z", "ctrl+s")
            await until(pilot, lambda: f"{file.name}: cannot be written: No space left" in told(pilot.app))
            assert "nowhere but in this window" in text_of(pilot.app)
            assert "kept as a draft" not in told(pilot.app)
            await asyncio.sleep(3 * LOOK_S)
            assert "another program" not in text_of(pilot.app)
            await pilot.press("ctrl+q")
            assert "Leave Warp Dojo all the same?" in text_of(pilot.app)
            await pilot.press("n")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: file.read_text().startswith("Z//"))
        assert "nowhere but in this window" not in text_of(pilot.app)

    drive(services, scenario)


def test_quitting_keeps_what_was_typed_a_moment_ago(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        await pilot.press("Z", "ctrl+q")

    drive(services, scenario)
    assert (Draft(file).read() or "").startswith("Z//")


def test_a_worker_that_dies_costs_a_verdict_not_the_app(file: Path) -> None:
    class Dying(FakeRemote):
        def run(self, request: RunRequest) -> RunOutcome:
            raise WorkerError(f"the worker was killed {HOSTILE}")

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await graded(pilot)
        assert "✗" in text_of(pilot.app) and HOSTILE in text_of(pilot.app)

    drive(make_services(Dying(), NOW), scenario, WIDE)


def test_a_locked_history_does_not_cost_the_verdict(
    services: Services, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trainer.store.database.BUSY_TIMEOUT_S", 0.05)
    with History.open() as history:
        path = history.path
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await graded(pilot)
        assert "✓ accepted" in text_of(pilot.app)
        await until(pilot, lambda: "not in your history" in told(pilot.app))
        assert "locked" in told(pilot.app)

    drive(services, scenario)
    lock.close()


def test_a_missing_toolchain_is_said_word_for_word(file: Path) -> None:
    def none(choice: str, warn: Any) -> Any:
        raise MissingToolError(f"NVRTC is missing {HOSTILE}", hint="make run")

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("g")
        await until(pilot, lambda: HOSTILE in told(pilot.app))

    drive(make_services(None, NOW, open_backends=none), scenario)


def test_a_bug_of_ours_is_reported_and_the_app_lives(
    services: Services, backend: FakeRemote, file: Path
) -> None:
    def bug(call: Any) -> None:
        raise ZeroDivisionError("[/red] our fault")

    backend._solve = bug

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("g")
        await until(pilot, lambda: "internal error" in told(pilot.app))
        assert type(pilot.app.screen).__name__ == "TaskScreen"

    drive(services, scenario)


def test_the_terminal_may_change_its_size_at_any_time(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        for size in ((140, 40), (40, 10), (20, 5), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert "Grade" in text_of(pilot.app)

    drive(services, scenario)


def test_a_damaged_history_costs_what_is_said_and_nothing_else(services: Services, own_home: Path) -> None:
    path = own_home / "data" / "warpdojo" / "history.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database" * 100)

    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await until(pilot, lambda: "that you opened this question is not in your history" in told(pilot.app))
        assert "a new history begins with what comes next" in told(pilot.app)
        await graded(pilot)
        assert len(services.attempts()) == 1 and "this attempt is not" not in told(pilot.app)

    drive(services, scenario)
