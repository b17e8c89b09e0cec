"""The level of a submission without a GPU: what the simulator counted, carried on to the timed size.

What a run asks of a GPU grows with the arithmetic, its least traffic with the matrices; the prediction
for that is compared with the recorded times of the rungs. Right within a factor of about 1.3, so
neighbouring levels can be taken for each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask
from trainer.grade.ladder import Reached, RungTime
from trainer.sim import devices
from trainer.sim.prediction import demand_of, predict_from, residency_of
from trainer.sim.report import SimReport


def predicted_us(task: KernelTask, report: SimReport, device_model: str) -> float | None:
    """At the timed size, from a run at the modelled one; None where nothing was counted."""
    if report.model is None or not report.launches:
        return None
    more_work, more_bytes = (
        evaluate(cost, task.timed.sizes) / max(1, evaluate(cost, task.modelled.sizes))
        for cost in (task.cost.flops, task.cost.dram_bytes)
    )
    demand, residency = demand_of(report), residency_of(report.launches)
    grown = replace(demand.scaled(more_work), dram_bytes=demand.dram_bytes * more_bytes)
    blocks = max(1, round(residency.blocks * more_work))
    gpu = devices.find(device_model)
    found = predict_from(grown, replace(residency, blocks=blocks), len(report.launches), gpu)
    return found.predicted_us


def level_by_model(predicted: float, rungs: Sequence[RungTime]) -> Reached | None:
    """The level of the rung whose time is nearest, as a factor."""
    timed = [r for r in rungs if r.median_us and r.level is not None]
    if not timed:
        return None
    nearest = min(timed, key=lambda rung: abs(math.log(predicted / (rung.median_us or 1.0))))
    highest = max(rung.level or 0 for rung in rungs)
    return Reached(nearest.level or 0, nearest.level_name, highest, "model")
