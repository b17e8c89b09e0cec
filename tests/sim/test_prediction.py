from __future__ import annotations

from dataclasses import replace

import pytest

from trainer.sim import devices
from trainer.sim.prediction import Demand, Residency, demand_of, predict, predict_from, residency_of
from trainer.sim.report import Access, LaunchRecord, Model, SimReport, Space

H200 = devices.find("H200")
NOTHING = Demand(0, 0, 0, 0, 0, 0, 0, 0)
FULL = Residency(blocks=132 * 8, warps_per_block=8, occupancy=1.0)


def access(space: Space, op: str, requests: int, *, sectors: int | None = None, wavefronts: int | None = None,
           ideal: int = 0) -> Access:  # fmt: skip
    return Access("k", 1, "", space, op, 4, requests, sectors, ideal, wavefronts, requests)


def report(*rows: Access, dram_bytes: int = 0, mix: dict[str, int] | None = None) -> SimReport:
    return SimReport(
        launches=(LaunchRecord("k", (1056, 1, 1), (256, 1, 1), 0, 1.0),),
        access=rows,
        model=Model("H200", dram_bytes, 0, 1.0, "memory"),
        instruction_mix=mix or {},
    )


def us(demand: Demand, residency: Residency = FULL) -> float:
    return predict_from(demand, residency, 1, H200).predicted_us


def test_a_copy_takes_its_bytes_over_the_bandwidth_that_copies_reach() -> None:
    predicted = predict_from(replace(NOTHING, dram_bytes=4.25e9), FULL, 1, H200)
    assert predicted.predicted_us == pytest.approx(1000, rel=0.01)
    assert predicted.limiter == "DRAM"


@pytest.mark.parametrize("part", list(vars(NOTHING)))
def test_whatever_is_asked_for_costs_time(part: str) -> None:
    assert us(replace(NOTHING, **{part: 1e9})) > us(NOTHING) * 1.5


def test_a_part_that_has_little_to_do_hardly_adds_to_the_slowest() -> None:
    alone = us(replace(NOTHING, dram_bytes=4e9))
    assert us(replace(NOTHING, dram_bytes=4e9, wavefronts=1e7)) < alone * 1.02


def test_one_block_leaves_the_other_multiprocessors_idle() -> None:
    work = replace(NOTHING, warp_instructions=1e7)
    assert us(work, Residency(1, 8, 1.0)) > 50 * us(work)


def test_few_resident_warps_wait_longer() -> None:
    work = replace(NOTHING, load_requests=1e7)
    assert us(work, replace(FULL, occupancy=0.125)) > 6 * us(work)


def test_bank_conflicts_and_scattered_accesses_are_in_the_demand() -> None:
    free = demand_of(report(access(Space.SHARED, "load", 100, wavefronts=100)))
    conflicting = demand_of(report(access(Space.SHARED, "load", 100, wavefronts=3200)))
    assert (free.wavefronts, conflicting.wavefronts) == (100, 3200)
    scattered = demand_of(report(access(Space.GLOBAL, "load", 100, sectors=3200, ideal=400)))
    assert scattered.l2_sectors == 2800 and scattered.wavefronts == 1600


def test_moves_cost_nothing_and_barriers_are_waited_for() -> None:
    demand = demand_of(report(mix={"mov": 1000, "fma": 10, "bar": 3}))
    assert (demand.warp_instructions, demand.barriers) == (13, 3)


def test_the_launch_with_most_work_says_how_full_the_gpu_is() -> None:
    small = LaunchRecord("a", (1, 1, 1), (32, 1, 1), 0, 0.25, thread_instructions=10)
    large = LaunchRecord("b", (10, 10, 1), (32, 8, 1), 0, None, thread_instructions=1000)
    assert residency_of((small, large)) == Residency(100, 8, 1.0)


def test_what_was_not_counted_is_not_predicted() -> None:
    assert predict(replace(report(), model=None), H200) is None
    assert predict(report(dram_bytes=1), H200) is not None
