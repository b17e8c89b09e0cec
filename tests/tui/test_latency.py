"""Keys are answered while a grade runs: nothing holds the app's loop for long.

Measured in processor time of the app's own thread, which does not count what other programs take.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from textual.pilot import Pilot

from tests.tui.conftest import NOW
from tests.tui.driving import SOURCE, FakeRemote, drive, make_services, open_task, until_screen
from trainer.grade.backend import RunOutcome, RunRequest

HELD_S = 0.2
"""Four times the promise that `python -m benchmarks.app` holds on an idle machine: a core that is shared
runs at half its speed, and what this looks for takes longer still."""


class Slow(FakeRemote):
    """Takes as long as a simulator does."""

    def run(self, request: RunRequest) -> RunOutcome:
        time.sleep(0.02)
        return super().run(request)


async def beat(held: list[float]) -> None:
    """Note for how long the loop was busy between two of its turns."""
    last = time.thread_time()
    while True:
        await asyncio.sleep(0.002)
        now = time.thread_time()
        held.append(now - last)
        last = now


def test_no_turn_of_the_loop_is_long_while_a_grade_runs() -> None:
    services = make_services(Slow(), NOW)
    path: Path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    held: list[float] = []

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("question_mark", "escape", "down", "up")  # the first time styles are read
        measured = asyncio.create_task(beat(held))
        await pilot.press("g")
        while screen.running:
            await pilot.press("down", "up", "question_mark", "escape")
        measured.cancel()
        await until_screen(pilot, "ResultScreen")

    drive(services, scenario)
    assert len(held) > 20
    assert max(held) < HELD_S
