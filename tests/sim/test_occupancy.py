"""Expected numbers from the rules of NVIDIA's occupancy calculator, worked out by hand, and from a driver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trainer.errors import UsageError
from trainer.sim import devices
from trainer.sim.occupancy import occupancy

HARDWARE = Path(__file__).parent.parent / "data" / "hardware"


@pytest.mark.parametrize(
    ("gpu", "threads", "registers", "shared", "blocks", "fraction", "limiter"),
    [
        ("A100", 256, 32, 0, 8, 1.0, "threads"),
        ("H100", 1024, 64, 0, 1, 0.5, "registers"),
        ("H100", 256, 40, 0, 6, 0.75, "registers"),
        ("H100", 256, 255, 0, 1, 0.125, "registers"),
        ("H100", 96, 33, 0, 16, 0.75, "registers"),
        ("H200", 1, 16, 0, 32, 0.5, "blocks"),
        ("V100", 256, 32, 48 * 1024, 2, 0.25, "shared memory"),
        ("A100", 256, 32, 48 * 1024, 3, 0.375, "shared memory"),
        ("H100", 128, 32, 227 * 1024, 1, 0.0625, "shared memory"),
        ("T4", 1024, 32, 0, 1, 1.0, "threads"),
        ("RTX 3090", 1024, 32, 0, 1, 2 / 3, "threads"),
        ("RTX 3090", 32, 32, 0, 16, 1 / 3, "blocks"),
        ("RTX 4090", 32, 32, 0, 24, 0.5, "blocks"),
        ("B200", 512, 128, 0, 1, 0.25, "registers"),
    ],
)
def test_blocks_per_multiprocessor_follow_the_calculator(
    gpu: str, threads: int, registers: int, shared: int, blocks: int, fraction: float, limiter: str
) -> None:
    got = occupancy(devices.find(gpu), threads, registers, shared)
    assert (got.blocks, got.limiter) == (blocks, limiter)
    assert got.fraction == pytest.approx(fraction)


def test_the_driver_of_an_h200_counts_the_same_blocks() -> None:
    """`python -m benchmarks.occupancy` asked it."""
    measured = json.loads((HARDWARE / "occupancy_h200.json").read_text(encoding="utf-8"))
    h200 = devices.find("H200")
    wrong = [
        row
        for row in measured["rows"]
        if occupancy(h200, threads=row[1], registers=row[0], shared_bytes=row[2] * 1024).blocks != row[3]
    ]
    assert wrong == []
    assert len(measured["rows"]) > 1000


def test_a_block_that_does_not_fit_cannot_start() -> None:
    assert occupancy(devices.find("H100"), 1024, 128, 0).limiter == "launch"
    assert occupancy(devices.find("H100"), 128, 32, 228 * 1024).limiter == "launch"


def test_a_model_is_found_by_any_spelling() -> None:
    assert devices.find("rtx4090") is devices.find("RTX 4090")
    with pytest.raises(UsageError, match="RTX 9999") as caught:
        devices.find("RTX 9999")
    assert "H200" in caught.value.hint
