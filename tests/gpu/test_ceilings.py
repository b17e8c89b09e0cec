from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.gpu.fake_driver import ABOUT, FakeDriver
from trainer.gpu import ceilings
from trainer.gpu.ceilings import Ceilings
from trainer.gpu.yardsticks import Yardsticks


class FakeYardsticks(Yardsticks):
    """2 TB/s of copying and 10 TFLOP/s, once the clock is up."""

    def __init__(self) -> None:
        self.runs = 0
        self.swept: list[int] = []

    def copy_us(self, source: int, target: int, nbytes: int) -> float:
        return 2 * nbytes / 2e6

    def driver_copy_us(self, source: int, target: int, nbytes: int) -> float:
        return 2 * nbytes / 1e6

    def read_us(self, source: int, nbytes: int) -> float:
        return nbytes / 2.2e6

    def sweep(self, source: int, nbytes: int) -> None:
        self.swept.append(nbytes)

    def spin(self, rounds: int) -> None:
        pass

    def fma_us(self, rounds: int) -> float:
        self.runs += 1
        return 1000.0 if self.runs > 5 else 6000.0 - 1000 * self.runs

    def fma_flops(self, rounds: int) -> int:
        return 10**10


@pytest.fixture(autouse=True)
def small_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "COPY_BYTES", (1 << 20, 1 << 21, 1 << 30))


def test_the_floor_is_the_longer_of_moving_and_computing() -> None:
    limits = Ceilings(1.9e12, 2e12, 10e12)
    assert limits.floor_us(2_000_000, 0) == pytest.approx(1.0)
    assert limits.floor_us(2_000_000, 20_000_000) == pytest.approx(2.0)


def test_tensor_cores_have_a_ceiling_of_their_own() -> None:
    """989 TFLOP/s at 1830 MHz is what the H100's whitepaper says."""
    h100 = replace(ABOUT, compute_capability=(9, 0), multiprocessors=132, clock_khz=1_830_000)
    peak = ceilings.tensor_flops_per_s(h100)
    assert peak == pytest.approx(989.4e12, rel=1e-3)
    assert Ceilings(1e12, 2e12, 10e12).floor_us(0, 989_400_000, peak) == pytest.approx(1.0, rel=1e-3)
    unknown = ceilings.tensor_flops_per_s(replace(h100, compute_capability=(99, 0)))
    assert Ceilings(1e12, 2e12, 10e12).floor_us(2_000_000, 10**15, unknown) == pytest.approx(1.0)


def test_sizes_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    yardsticks = FakeYardsticks()
    ceilings.settle_clock(yardsticks)
    driver = FakeDriver()
    measured = ceilings.measure(driver, yardsticks)
    assert (measured.copy_bytes_per_s, measured.read_bytes_per_s) == pytest.approx((2e12, 2.2e12))
    assert sum(driver.live.values()) <= 1 << 30


def test_the_clock_is_settled_when_three_runs_agree() -> None:
    yardsticks = FakeYardsticks()
    assert ceilings.settle_clock(yardsticks) == pytest.approx(5000 + 4000 + 3000 + 2000 + 1000 + 3000 - 1000)
    assert yardsticks.runs == 7


def test_ceilings_are_measured_once_and_read_back(tmp_path: Path) -> None:
    first = FakeYardsticks()
    measured = ceilings.load_or_measure(FakeDriver(), first, tmp_path)
    again = FakeYardsticks()
    assert ceilings.load_or_measure(FakeDriver(), again, tmp_path) == measured
    assert again.runs == 0 and [p.name for p in tmp_path.iterdir()] == ["ceilings.json"]


@pytest.mark.parametrize("content", ["", "[]", '{"GPU-fake driver 13.0": {"unknown": 1}}', "{"])
def test_a_damaged_cache_is_measured_again(tmp_path: Path, content: str) -> None:
    (tmp_path / "ceilings.json").write_text(content)
    assert ceilings.load_or_measure(FakeDriver(), FakeYardsticks(), tmp_path).copy_bytes_per_s > 0


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ceilings.load_or_measure(FakeDriver(), FakeYardsticks(), tmp_path / "file" / "below")
