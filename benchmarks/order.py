"""Whether the model puts the rungs in the order in which a GPU did: `python -m benchmarks.order [--save]`.

Every rung is simulated at two sizes; what it asks of the GPU is carried on to the timed size, and the
predicted time compared with the recorded one (solutions/measured/). Needs no GPU.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from statistics import median

from benchmarks import machine
from benchmarks.plan_only import planned
from benchmarks.table import table
from trainer.bank.expressions import evaluate
from trainer.bank.library import Library
from trainer.bank.model import CaseSpec, KernelTask, Question, Recording, Rung
from trainer.errors import WarpDojoError
from trainer.grade.backend import RunRequest
from trainer.grade.cases import build_case
from trainer.sim import devices
from trainer.sim.backend import SimBackend
from trainer.sim.prediction import Demand, Prediction, demand_of, predict_from, residency_of
from trainer.sim.report import LaunchRecord, SimReport

ROOT = Path(__file__).resolve().parent.parent
SHRINK = 4  # how much less work the smaller of the two runs has
SAME = 0.03  # as trainer.grade.ladder.SAME_WITHIN
ALIKE = 0.1  # blocks that grow like the work, give or take


@dataclass(frozen=True)
class Compared:
    task: str
    rung: str
    predicted: Prediction
    measured_us: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    parser.add_argument("--save", action="store_true", help="keep the output in benchmarks/results/")
    options = parser.parse_args()
    library = Library.open(environ={})
    compared: list[Compared] = []
    for entry in library.index.entries:
        if entry.kind == "kernel" and (not options.task or entry.id in options.task):
            question = library.question(entry.id)
            recording = library.recordings(question)[0]
            gpu = devices.find(recording.device.removeprefix("NVIDIA "))
            compared += _ladder(question, library.rungs(question), recording, gpu)
    text = machine.heading("Order of rungs: predicted and measured") + "\n" + _report(compared, recording)
    print(text)
    if options.save:
        path = ROOT / "benchmarks" / "results" / f"order-{machine.today()}.md"
        path.write_text(text, encoding="utf-8")
    return 0


def _ladder(
    question: Question, rungs: Sequence[Rung], recording: Recording, gpu: devices.Model
) -> Iterator[Compared]:
    for rung in rungs:
        recorded = recording.times.get(question.id, {}).get(rung.id)
        if recorded is None or question.task is None:
            continue
        try:
            predicted = _predict(question.task, rung, gpu)
        except WarpDojoError as problem:  # wgmma and TMA are beyond the simulator
            print(f"{question.id}/{rung.id}: {problem.message}", file=sys.stderr)
            continue
        yield Compared(question.id, rung.id, predicted, recorded.median_us)


def _predict(task: KernelTask, rung: Rung, gpu: devices.Model) -> Prediction:
    """Raises WarpDojoError for what the simulator cannot run."""
    source = rung.source.read_text(encoding="utf-8")
    specs = (_smaller(task), task.modelled)
    reports = [_simulate(task, source, spec) for spec in specs]
    work = [_work(task, spec) for spec in (*specs, task.timed)]
    launches = planned(task, source) or reports[1].launches
    blocks = [_blocks(one) for one in (reports[0].launches, reports[1].launches, launches)]
    demand = _carried_on([demand_of(report) for report in reports], blocks, work)
    largest = residency_of(reports[1].launches)
    heaviest = max(reports[1].launches, key=lambda launch: launch.thread_instructions)
    same = [one for one in launches if one.kernel == heaviest.kernel] or list(launches)
    big = residency_of([max(same, key=lambda launch: math.prod(launch.grid) * math.prod(launch.block))])
    residency = type(big)(big.blocks, big.warps_per_block, largest.occupancy)
    return predict_from(demand, residency, len(launches), gpu)


def _simulate(task: KernelTask, source: str, spec: CaseSpec) -> SimReport:
    backend = SimBackend()
    compiled = backend.compile(source, task.signature)
    if not compiled.ok:
        raise WarpDojoError(compiled.message)
    outcome = backend.run(RunRequest(build_case(task, spec, 1).arguments, seed=1, observe=True))
    if outcome.verdict is not None or outcome.report is None or outcome.report.model is None:
        raise WarpDojoError(outcome.message)
    return outcome.report


def _smaller(task: KernelTask) -> CaseSpec:
    """About a quarter of the modelled work, in the sizes that grow towards the timed case."""
    sizes = dict(task.modelled.sizes)
    growing = [name for name in sizes if task.timed.sizes[name] != sizes[name]]
    for name in growing:
        least = task.limits[name][0]
        shrunk = int(sizes[name] / SHRINK ** (1 / len(growing)))
        sizes[name] = max(least, shrunk // 4 * 4 or shrunk)
    return CaseSpec("smaller", sizes, task.modelled.values)


def _work(task: KernelTask, spec: CaseSpec) -> float:
    """How much there is to do, relative to the modelled case: by bytes or flops, whichever grows more."""
    costs = (task.cost.dram_bytes, task.cost.flops)
    return max(evaluate(c, spec.sizes) / max(1, evaluate(c, task.modelled.sizes)) for c in costs)


def _blocks(launches: Sequence[LaunchRecord]) -> int:
    return sum(math.prod(launch.grid) for launch in launches)


def _carried_on(demands: Sequence[Demand], blocks: Sequence[int], work: Sequence[float]) -> Demand:
    """Each count as a share per block plus a share per unit of work, both found from the two runs.

    Where blocks grow as the work does, the two cannot be told apart, and need not be.
    """
    small, large = demands
    if abs(blocks[0] / blocks[1] - work[0] / work[1]) <= ALIKE * work[0] / work[1]:
        return large.scaled(work[2] / work[1])
    counts = ((getattr(small, field.name), getattr(large, field.name)) for field in fields(Demand))
    return Demand(*(_line(count, blocks, work) for count in counts))


def _line(count: tuple[float, float], blocks: Sequence[int], work: Sequence[float]) -> float:
    determinant = blocks[0] * work[1] - blocks[1] * work[0]
    per_block = (count[0] * work[1] - count[1] * work[0]) / determinant
    per_work = (count[1] * blocks[0] - count[0] * blocks[1]) / determinant
    if per_block < 0:
        per_block, per_work = 0.0, count[1] / work[1]
    if per_work < 0:
        per_block, per_work = count[1] / blocks[1], 0.0
    return per_block * blocks[2] + per_work * work[2]


def _report(compared: Sequence[Compared], recording: Recording) -> str:
    pairs = [(a, b) for a, b in pairwise(compared) if a.task == b.task]
    odd = [(a, b) for a, b in pairs if not _agrees(a, b)]
    factors = [math.exp(abs(math.log(c.predicted.predicted_us / c.measured_us))) for c in compared]
    share = 100 * (len(pairs) - len(odd)) / max(1, len(pairs))
    rows = [
        (
            c.task,
            c.rung,
            f"{c.measured_us:.1f}",
            f"{c.predicted.predicted_us:.1f}",
            c.predicted.limiter,
            "" if not any(c is b for _, b in odd) else "other order than the rung before",
        )
        for c in compared
    ]
    return (
        f"Recorded on {recording.device}, {recording.date}. {len(pairs) - len(odd)} of {len(pairs)} pairs of "
        f"neighbouring rungs ({share:.0f} %) are predicted in the measured order, or measured within "
        f"{100 * SAME:.0f} % of each other. Half of the predictions are within a factor of "
        f"{median(factors):.2f}.\n\n"
        + table(("task", "rung", "measured us", "predicted us", "limited by", ""), rows)
    )


def _agrees(a: Compared, b: Compared) -> bool:
    if abs(a.measured_us / b.measured_us - 1) < SAME:
        return True
    return (a.predicted.predicted_us > b.predicted.predicted_us) == (a.measured_us > b.measured_us)


if __name__ == "__main__":
    sys.exit(main())
