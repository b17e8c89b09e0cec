"""The level of a submission without a GPU: what the simulator counted, carried on to the timed size.

What a run asks of a GPU grows with the arithmetic, its least traffic with the matrices; the prediction
for that is compared with the recorded times of the rungs. The model does not see how many independent
instructions a large thread tile has in flight: of those it predicts up to three times the time, so that a
level of the model is the least that the submission reaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask
from trainer.grade.ladder import Reached, RungTime, level_of
from trainer.sim import devices
from trainer.sim.prediction import demand_of, predict_from, residency_of
from trainer.sim.report import SimReport

WITHIN = 0.1
"""The model tells no two times closer than this apart."""


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
    """The highest level among the rungs that are no faster, give or take `WITHIN`."""
    timed = sorted((r for r in rungs if r.median_us), key=lambda rung: -(rung.median_us or 0.0))
    reached = [r for r in timed if predicted <= (r.median_us or 0.0) * (1 + WITHIN)]
    return level_of(reached or timed[:1], rungs, "model")
