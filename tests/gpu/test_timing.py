"""Timing logic against a driver whose clock is virtual, so that every number can be foretold."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.gpu.fake_driver import ABOUT, FakeDriver, launch, program
from trainer.gpu.device import GpuDevice, LoadedModule
from trainer.gpu.memory import Memory
from trainer.gpu.timing import Runner, Subject, measure


@pytest.fixture
def driver() -> FakeDriver:
    driver = FakeDriver()
    driver.kernels["k"] = lambda driver, parameters: None
    return driver


def recorded(driver: FakeDriver, memory: Memory, *, launches: int = 1, read_between: bool = False) -> object:
    device = GpuDevice(driver, ABOUT, LoadedModule(driver, program("k")), memory)
    scratch = device.allocate(4)
    for number in range(launches):
        if read_between and number:
            device.read(scratch, 4)
        device.launch(launch("k", parameters=struct.pack("<Q", scratch)))
    return device.plan


def runner(driver: FakeDriver, sets: int, **options: object) -> Runner:
    memory = Memory(driver, 1)
    plans = [recorded(driver, memory, **options) for _ in range(sets)]  # type: ignore[arg-type]
    return Runner(driver, Subject("x", plans), lambda: None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("sets", "kernel_us"), [(1, 1.0), (3, 1.0), (3, 90.0), (6, 90.0), (2, 5000.0)])
def test_a_sample_is_the_time_of_one_iteration(driver: FakeDriver, sets: int, kernel_us: float) -> None:
    driver.kernel_us = kernel_us
    timed = runner(driver, sets)
    timed.prepare()
    before = driver.clock_us
    timed.sample()
    assert timed.subject.samples_us == [pytest.approx(kernel_us)]
    assert driver.clock_us - before >= min(500, sets * kernel_us)


def test_samples_take_turns_over_the_sets(driver: FakeDriver) -> None:
    used: list[bytes] = []
    driver.kernels["k"] = lambda driver, parameters: used.append(parameters)
    driver.kernel_us = 20_000.0
    timed = runner(driver, 4)
    timed.prepare()
    used.clear()
    for _ in range(4):
        timed.sample()
    assert len(used) == 4 and len(set(used)) == 4


def test_all_launches_of_a_plan_count(driver: FakeDriver) -> None:
    timed = runner(driver, 2, launches=5)
    timed.prepare()
    timed.sample()
    assert timed.subject.samples_us == [pytest.approx(50.0)]


def test_a_plan_that_waits_for_results_is_timed_step_by_step(driver: FakeDriver) -> None:
    timed = runner(driver, 2, launches=3, read_between=True)
    assert timed.subject.stepwise
    timed.prepare()
    driver.launched.clear()
    timed.sample()
    assert len(driver.launched) == 3 and timed.subject.samples_us[0] > 0


def test_subjects_are_interleaved_until_they_settle(driver: FakeDriver) -> None:
    runners = [runner(driver, 2), runner(driver, 2)]
    for each in runners:
        each.prepare()
    measure(runners, budget_s=5, least=20)
    assert [len(each.subject.samples_us) for each in runners] == [20, 20]


def test_noise_stops_at_the_budget(driver: FakeDriver) -> None:
    noise = np.random.default_rng(1)

    def jitter(driver: FakeDriver, parameters: bytes) -> None:
        driver.kernel_us = 1000 * noise.random()

    driver.kernels["k"] = jitter
    timed = runner(driver, 1)
    timed.prepare()
    measure([timed], budget_s=0.2, least=20)
    assert len(timed.subject.samples_us) > 20


def test_closing_frees_the_graphs(driver: FakeDriver) -> None:
    timed = runner(driver, 3)
    timed.prepare()
    timed.close()
    assert not any(driver.graphs.values())
