"""A whole interview in a real terminal, by keyboard; and one that is killed in the middle."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_tmux import ROOT, TMUX, Terminal
from trainer.tui.interview.time_up import DEAF_S

pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")

BLUEPRINT = """\
title: Short round
about: Twenty minutes of everything.
sections:
  - title: Concepts
    minutes: 6
    weight: 30
    questions:
      - {ids: [float4-on-a-vector-add, what-float4-saves], count: 2}
  - title: Kernel
    minutes: 9
    weight: 50
    questions:
      - {ids: [vector-addition]}
  - title: Strategy
    minutes: 5
    weight: 20
    questions:
      - {ids: [video-preprocessing]}
"""


class Timed(Terminal):
    """A terminal whose program has a clock that is set from here."""

    def __init__(self, folder: Path, cache: Path, command: str) -> None:
        bank = folder / "bank"
        (bank / "questions").mkdir(parents=True)
        (bank / "blueprints").mkdir()
        (bank / "blueprints" / "short.yaml").write_text(BLUEPRINT)
        editor, solution = folder / "editor", ROOT / "solutions" / "vector-addition" / "02-coalesced.cu"
        editor.write_text(f'#!/bin/sh\ncp {shlex.quote(str(solution))} "$1"\n')
        editor.chmod(0o755)
        self.offset, self.folder = folder / "offset", folder
        self.set_clock(0)
        environment = {
            "WARPDOJO_HOME": str(folder / "data"),
            "WARPDOJO_WORKSPACE": str(folder / "work"),
            "WARPDOJO_BANK": str(bank),
            "XDG_CACHE_HOME": str(cache),
            "PYTHONPATH": str(ROOT),
            "VISUAL": str(editor),
            "TERM": "screen-256color",
            "LC_ALL": "C.UTF-8",
        }
        words = [sys.executable, "-m", "tests.e2e.timed_app", str(self.offset), *command.split()]
        super().__init__(folder, shlex.join(words), environment)

    def set_clock(self, seconds: float) -> None:
        """How far the program's clock is ahead."""
        fresh = self.offset.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self.offset)

    def left_s(self) -> int:
        """Seconds left in all, as the screen says."""
        shown = re.search(r"(\d+):(\d\d) left, ", self.wait_for(" left, "))
        assert shown is not None
        return int(shown[1]) * 60 + int(shown[2])


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def confirm(terminal: Timed, notice: str) -> None:
    """Enter counts only when the notice has been there for a while."""
    terminal.wait_for(notice)
    time.sleep(DEAF_S)
    terminal.press("Enter")


@pytest.mark.timeout(240)
def test_twenty_minutes_from_the_start_to_the_report(folder: Path, own_home: Path) -> None:
    terminal = Timed(folder, own_home / "cache", "mock short --seed 1")
    try:
        terminal.wait_for("strict")
        terminal.wait_for("a letter or a click answers")
        assert 1170 < terminal.left_s() <= 1200
        terminal.press("a")
        terminal.wait_for("● a")
        terminal.press("Enter")
        terminal.wait_for("▸· 1.2")
        terminal.press("b", "N")
        terminal.wait_for("─ Notes ─")
        terminal.press("-l", "look up float4")
        terminal.press("Escape")
        terminal.set_clock(6 * 60)  # the first section is over
        confirm(terminal, "Time for this section is up")
        terminal.wait_for("▸· 2.1 kernel")

        terminal.press("e")  # the editor writes a solution
        terminal.wait_for("▸◐ 2.1")
        terminal.press("g")
        terminal.wait_for("✓ accepted")
        terminal.press("b")
        terminal.wait_for("f1 Help")  # a field has the keys now
        terminal.press("-l", "memory")
        terminal.wait_for(" memory ")
        terminal.press("Escape")
        terminal.wait_for("H Hand in")
        terminal.press("H", "y")
        terminal.wait_for("Follow-up")
        terminal.press("Escape")
        terminal.wait_for("✓ handed in")
        terminal.press("S", "y")
        terminal.wait_for("▸· 3.1 strategy")

        terminal.press("-l", "3.1 MB")
        terminal.wait_for("◐ 3.1")
        terminal.set_clock(20 * 60)
        confirm(terminal, "Time is up")
        terminal.wait_for("tick what you said")
        terminal.press("1", "2", "Enter")
        terminal.wait_for("of 100", timeout_s=60)
        terminal.press("w")
        terminal.wait_for("written:")
        terminal.press("C-q")
        terminal.wait_for("left with 0")
    finally:
        terminal.close()
    (path,) = (folder / "work" / "interviews").glob("*/report.json")
    check(json.loads(path.read_text()))


def check(report: dict[str, object]) -> None:
    """What is known of this interview."""
    assert report["ended"] == "time up" and report["strict"] and report["notes"] == "look up float4"
    assert report["spent_s"] == 1200
    concepts, kernel, strategy = report["sections"]  # type: ignore[misc]
    assert all(question["answered"] for question in concepts["questions"])
    parts = {part["name"]: part["got"] for part in kernel["questions"][0]["parts"]}
    assert (parts["correct"], parts["boundary"], parts["access"], parts["explanation"]) == (40, 10, 10, 2.5)
    assert strategy["questions"][0]["parts"][0]["got"] == 1


@pytest.mark.timeout(120)
def test_a_kill_in_the_middle_loses_neither_answers_nor_seconds(folder: Path, own_home: Path) -> None:
    terminal = Timed(folder, own_home / "cache", "mock short --practice --seed 1")
    try:
        terminal.wait_for("a letter or a click answers")
        terminal.press("b")
        terminal.wait_for("● b")
        terminal.set_clock(100)
        terminal.wait_for("18:1")
        before = terminal.left_s()
        terminal.command = terminal.command.replace("mock short --practice --seed 1", "mock")
        terminal.set_clock(5000)  # so long the machine was off
        terminal.kill_and_start_again()
        terminal.wait_for("go on with")
        terminal.press("Enter")
        terminal.wait_for("● b")
        assert before - 15 <= terminal.left_s() <= before
    finally:
        terminal.close()
