"""Home: what was open, topics, recent attempts, the machine."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import NOW
from tests.tui.driving import (
    SIZES,
    add_attempt,
    drive,
    make_services,
    open_task,
    text_of,
    told,
    until,
    until_screen,
    until_text,
)
from trainer.gpu.probe import GpuProbe
from trainer.tui.services import Services


@pytest.mark.parametrize("size", SIZES)
def test_home_shows_topics_and_attempts(services: Services, size: tuple[int, int]) -> None:
    add_attempt(NOW - timedelta(minutes=5))
    add_attempt(NOW - timedelta(hours=3), "reduction", "wrong_answer")

    count = sum(entry.topic == "elementwise" for entry in services.entries)

    async def scenario(pilot: Pilot[int]) -> None:
        text = text_of(pilot.app)
        for words in (
            "elementwise",
            f"1/{count}",
            "reduction",
            "✓ accepted",
            "5 min",
            "✗ wrong answer",
            "3 h",
        ):
            assert words in text

    drive(services, scenario, size)


def test_an_empty_history_welcomes(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        assert "Welcome" in text_of(pilot.app) and "nothing yet" in text_of(pilot.app)

    drive(services, scenario)


def test_the_first_frame_does_not_wait_for_the_driver(services: Services) -> None:
    gate = threading.Event()

    def slow() -> GpuProbe:
        gate.wait(20)
        return GpuProbe(True, name="NVIDIA H200", driver_version="580.1")

    async def scenario(pilot: Pilot[int]) -> None:
        assert "Topics" in text_of(pilot.app) and "NVIDIA" not in text_of(pilot.app)
        gate.set()
        await until(pilot, lambda: "NVIDIA H200, driver 580.1, 1980 MHz" in text_of(pilot.app))

    services.probe, services.clock_mhz = slow, lambda uuid: 1980
    drive(services, scenario)


def test_without_a_gpu_home_says_what_runs_instead(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: "driver is not installed: simulating H200" in text_of(pilot.app))

    drive(services, scenario)


def test_a_question_that_was_open_is_offered_again(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await open_task(pilot, "softmax")
        await until(pilot, lambda: services.last_opened() is not None)
        await pilot.press("escape")
        await until(pilot, lambda: "Resume  Softmax" in text_of(pilot.app))
        await pilot.press("r")
        assert (await until_screen(pilot, "TaskScreen")).question.id == "softmax"

    drive(services, scenario)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_due_waits_on_home_and_is_asked_in_a_row(services: Services, size: tuple[int, int]) -> None:
    for name in ("what-a-bank-conflict-is", "strided-loads"):
        add_attempt(NOW - timedelta(days=30), name, "wrong_answer", language="quiz")

    async def scenario(pilot: Pilot[int]) -> None:
        await until_text(pilot, "Review today  2", "Sectors of a strided access", "29 d late")
        await pilot.press("d")
        screen = await until_screen(pilot, "QuizScreen")
        assert {drawn.question.id for drawn in screen.session.questions} == {
            "what-a-bank-conflict-is", "strided-loads",
        }  # fmt: skip

    drive(services, scenario, size)


def test_where_nothing_is_due_n_finds_something_new(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await until_text(pilot, "nothing is due")
        await pilot.press("d")
        await until(pilot, lambda: "nothing is due today" in told(pilot.app))
        await pilot.press("n")
        await until(pilot, lambda: type(pilot.app.screen).__name__ != "Home")

    drive(services, scenario)


def test_an_old_attempt_opens_with_its_source(services: Services) -> None:
    add_attempt(NOW)

    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("tab", "tab", "enter")
        await until_screen(pilot, "AttemptScreen")
        text = text_of(pilot.app)
        assert "✓ accepted" in text and "output[i * 8] = v;" in text and "smem[TILE][TILE+1]" in text

    drive(services, scenario)


def test_a_mouse_opens_a_topic(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.click("#topics", offset=(3, 1))
        second = sorted({entry.topic for entry in services.entries})[1]
        assert (await until_screen(pilot, "TopicScreen")).topic == second

    drive(services, scenario)


def test_a_broken_history_costs_a_notice_not_the_app(services: Services) -> None:
    add_attempt(NOW)
    from trainer.store.paths import history_file

    for path in history_file().parent.glob("history*"):
        path.write_bytes(b"this is not a database, and long enough to be looked at" * 100)

    async def scenario(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: "the history is damaged" in told(pilot.app))
        assert "elementwise" in text_of(pilot.app)

    drive(services, scenario)


def test_a_broken_settings_file_means_the_defaults(own_home: Any) -> None:
    from trainer.store.paths import config_file

    config_file().parent.mkdir(parents=True)
    config_file().write_text("[settings]\nbackend = 'tpu'\n")
    opened = Services.open()
    assert opened.config.backend == "auto" and "tpu" in opened.trouble[0]
    opened.probe = make_services(None, NOW).probe

    async def scenario(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: "tpu" in told(pilot.app))

    drive(opened, scenario)
