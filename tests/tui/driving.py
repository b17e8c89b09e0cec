"""Drive the app in tests: wait for what should happen, read the screen as text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from textual.pilot import Pilot

from tests.grade.fakes import Call, FakeBackend
from trainer.bank.library import Library
from trainer.gpu.probe import GpuProbe
from trainer.sim.report import (
    Access,
    Divergence,
    Hazard,
    HazardKind,
    LaunchRecord,
    Model,
    SimReport,
    Space,
    WorstRequest,
)
from trainer.store.config import Config
from trainer.store.history import Attempt, History, fingerprint
from trainer.store.workspace import place_starter
from trainer.tui.app import WarpDojo
from trainer.tui.services import Services
from trainer.worker.backends import Backends

NARROW, WIDE = (80, 24), (140, 40)
SIZES = [NARROW, WIDE]
HOSTILE = "smem[TILE][TILE+1] [/ [/red] [T=float] [link=http://x]"
LIBRARY = Library.open()  # read once: it does not change
Scenario = Callable[[Pilot[int]], Awaitable[None]]

WORST = WorstRequest((0, 0, 0), 0, 2**32 - 1, tuple(128 * lane for lane in range(32)), 32)
REPORT = SimReport(
    launches=(LaunchRecord("relu_kernel", (1024, 1, 1), (256, 1, 1), 0, 0.75),),
    access=(
        Access("k", 2, "float v = input[i];", Space.GLOBAL, "load", 4, 100, 400, 400, None, None),
        Access("k", 3, "output[i * 8] = v;", Space.GLOBAL, "store", 4, 100, 3200, 400, None, None,
               worst=WORST),
        Access("k", 4, f"tile[t * 32] = v; // {HOSTILE}", Space.SHARED, "store", 4, 10, None, None, 320, 10,
               worst=WORST),
    ),
    hazards=(
        Hazard(
            HazardKind.SHARED_RACE, 3, "k", (0, 0, 0), (3, 0, 0), "shared+0x10", f"3 writes {HOSTILE}",
            other_line=4, other_thread=(4, 0, 0), other_block=(0, 0, 0), fatal=False,
        ),
    ),
    divergence=(Divergence("k", 2, "if (i < N)", 100, 3100, 4),),
    model=Model("H200", 2_000_000, 1_000_000, 0.42, "memory"),
)  # fmt: skip
SOURCE = f"// {HOSTILE}\nfloat v = input[i];\noutput[i * 8] = v;\ntile[t * 32] = v;\n"


def relu(call: Call) -> None:
    call["output"][:] = np.maximum(call["input"], 0)


class FakeRemote(FakeBackend):
    """A fake with what the app needs beside the protocol."""

    def __init__(self, solve: Callable[[Call], None] = relu) -> None:
        super().__init__(solve, report=REPORT)
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


def make_services(backend: Any, now: datetime, **fields: Any) -> Services:
    values: dict[str, Any] = {
        "config": Config(),
        "open_backends": lambda choice, warn: Backends(backend),
        "probe": lambda: GpuProbe(False, "The NVIDIA driver is not installed."),
        "now": lambda: now,
        "environ": {},
        **fields,
    }
    return Services(LIBRARY, **values)


def drive(services: Services, scenario: Scenario, size: tuple[int, int] = NARROW) -> WarpDojo:
    """Run `scenario` with the app on its home screen."""

    async def run() -> WarpDojo:
        app = WarpDojo(services)
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: type(app.screen).__name__ == "Home")
            await scenario(pilot)
        return app

    return asyncio.run(run())


async def until(pilot: Pilot[int], holds: Callable[[], object], timeout_s: float = 15.0) -> None:
    """Wait for a condition, not for a time."""
    end = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < end, f"never happened; the screen:\n{text_of(pilot.app)}"
        await pilot.pause(0.01)
    await pilot.pause()


async def until_text(pilot: Pilot[int], *wanted: str) -> str:
    """Wait until all of `wanted` is on the screen; the whole screen."""
    await until(pilot, lambda: all(words in text_of(pilot.app) for words in wanted))
    return text_of(pilot.app)


async def until_screen(pilot: Pilot[int], name: str) -> Any:
    await until(pilot, lambda: type(pilot.app.screen).__name__ == name)
    return pilot.app.screen


def text_of(app: Any) -> str:
    """What is on the screen, without colours. Textual has no public way to ask."""
    rows = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in row).rstrip() for row in rows)


def told(app: Any) -> str:
    """All notices so far."""
    return "\n".join(notice.message for notice in app._notifications)


async def open_task(pilot: Pilot[int], question: str = "relu") -> Any:
    app: Any = pilot.app
    app.open_question(question)
    return await until_screen(pilot, "TaskScreen")


def put_file(services: Services, question: str = "relu") -> Path:
    """The starter as the user's file."""
    return place_starter(services.library.question(question), services.workspace)


async def graded(pilot: Pilot[int]) -> Any:
    """Press g and wait for the result; a file is made where there is none."""
    screen: Any = pilot.app.screen
    if not screen.path.exists():
        put_file(screen.services, screen.question.id)
    await pilot.press("g")
    return await until_screen(pilot, "ResultScreen")


def add_attempt(at: datetime, task: str = "relu", verdict: str = "accepted", **fields: Any) -> None:
    values: dict[str, Any] = {
        "language": "cuda",
        "backend": "sim",
        "device": "a fake",
        "message": HOSTILE,
        "seed": 7,
        "score": 90.0,
        "median_us": None,
        "rung": None,
        "elapsed_s": 0.5,
        **fields,
    }
    with History.open() as history:
        history.add(
            Attempt(task=task, verdict=verdict, at=at, source_sha256=fingerprint(SOURCE), **values), SOURCE
        )
