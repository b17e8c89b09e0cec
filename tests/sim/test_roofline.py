from __future__ import annotations

import pytest

from trainer.sim import devices
from trainer.sim.roofline import LaunchWork, estimate

H200 = devices.find("H200")
GIGABYTE = 10**9


def test_a_streaming_kernel_is_bound_by_memory() -> None:
    model = estimate([LaunchWork(3 * GIGABYTE, GIGABYTE, flops=GIGABYTE)], H200)
    assert (model.bound, model.dram_bytes) == ("memory", 4 * GIGABYTE)
    assert model.floor_us == pytest.approx(4e9 / 4.8e12 * 1e6)


def test_a_large_gemm_is_bound_by_compute() -> None:
    model = estimate([LaunchWork(10**6, 10**6, flops=669 * 10**9)], H200)
    assert model.bound == "compute"
    assert model.floor_us == pytest.approx(10_000, rel=1e-3)


def test_a_tiny_launch_is_bound_by_latency() -> None:
    model = estimate([LaunchWork(1024, 1024)] * 3, H200)
    assert (model.bound, model.floor_us) == ("latency", 3.0)


def test_what_the_previous_launch_left_in_l2_is_not_read_again() -> None:
    first = LaunchWork(32 * 10**6, 0)
    again = LaunchWork(32 * 10**6, 0, resident_bytes=32 * 10**6)
    assert estimate([first, again], H200).dram_bytes == 32 * 10**6
    assert estimate([first, again], devices.find("V100")).dram_bytes == 64 * 10**6
