"""Draw the pictures of the README: `python scripts/screenshots.py`. Everything in them really ran."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from trainer.tui.app import WarpDojo
from trainer.tui.services import Services

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SIZE = (112, 32)


async def screen(pilot: Pilot[int], name: str) -> None:
    while type(pilot.app.screen).__name__ != name:
        await pilot.pause(0.05)
    await pilot.pause(0.5)


async def task(pilot: Pilot[int]) -> None:
    app = pilot.app
    assert isinstance(app, WarpDojo)
    app.open_question("matrix-transpose")
    await screen(pilot, "TaskScreen")


async def memory(pilot: Pilot[int]) -> None:
    await task(pilot)
    await pilot.press("g")
    await screen(pilot, "ResultScreen")
    await pilot.press("2")
    await pilot.pause(0.5)


async def ladder(pilot: Pilot[int]) -> None:
    await task(pilot)
    await pilot.press("l")
    await screen(pilot, "LadderScreen")
    await pilot.press("down", "down", "down")
    await pilot.pause(0.5)


async def quiz(pilot: Pilot[int]) -> None:
    app = pilot.app
    assert isinstance(app, WarpDojo)
    app.open_question("strided-loads")
    await screen(pilot, "QuizScreen")
    await pilot.press("b")
    await pilot.pause(0.5)


async def interview(pilot: Pilot[int]) -> None:
    """A kernel in the middle of an interview."""
    from datetime import UTC, datetime

    from trainer.interview.blueprint import find_blueprint
    from trainer.interview.plan import draw_plan

    app = pilot.app
    assert isinstance(app, WarpDojo)
    blueprint = find_blueprint(app.services.library.roots, "first-round")
    entries = app.services.entries
    app.open_interviews(draw_plan(blueprint, entries, seed=1, now=datetime.now(UTC), last_seen={}))
    await screen(pilot, "InterviewScreen")
    await pilot.press("S", "y")
    await pilot.pause(1.5)


async def draw(name: str, steps: Callable[[Pilot[int]], Awaitable[None]]) -> None:
    app = WarpDojo(Services.open())
    async with app.run_test(size=SIZE) as pilot:
        await screen(pilot, "Home")
        await steps(pilot)
        (IMAGES / f"{name}.svg").write_text(app.export_screenshot(title="Warp Dojo"), encoding="utf-8")
        app.action_leave()
    print(IMAGES / f"{name}.svg")


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "WARPDOJO_HOME": f"{folder}/data"}
        os.environ.pop("WARPDOJO_WORKSPACE", None)
        Path(folder, "warpdojo").mkdir()
        rung = ROOT / "solutions" / "matrix-transpose" / "03-shared-tile.cu"
        shutil.copy(rung, Path(folder, "warpdojo", "matrix-transpose.cu"))
        for steps in (task, memory, ladder, quiz, interview):
            asyncio.run(draw(steps.__name__, steps))


if __name__ == "__main__":
    main()
