"""The top rungs against the libraries: `python -m benchmarks.libraries [--task ID] [--save]`.

Needs a GPU and torch. Rung and library call take turns in one session, on one stream, with the same
data, as graphs: the project's own timing, cold. Prints Markdown; --save also keeps it in
benchmarks/results/.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from benchmarks import machine
from benchmarks.library_rows import ROWS, Call, Row
from benchmarks.table import table
from trainer.bank.expressions import evaluate
from trainer.bank.library import Library
from trainer.bank.model import Argument, KernelTask, Role, Rung
from trainer.cuda.compile import compile_submission
from trainer.cuda.host import run_host
from trainer.gpu import ceilings, sampling
from trainer.gpu.device import GpuDevice, LoadedModule, properties
from trainer.gpu.driver import Driver
from trainer.gpu.memory import Allocation, Memory
from trainer.gpu.timing import Runner, Subject, measure
from trainer.gpu.yardsticks import Yardsticks

ROOT = Path(__file__).resolve().parent.parent
SETS = 2
BUDGET_S, LEAST = 3.0, 20
SWEEP_BYTES = 128 << 20
TORCH = {"int32": torch.int32, "float32": torch.float32, "uint8": torch.uint8, "bfloat16": torch.bfloat16}


@dataclass
class LibraryRunner:
    """Samples of a library call, captured as one graph over all sets. Like `trainer.gpu.timing.Runner`."""

    driver: Driver
    call: Call
    sets: Sequence[Mapping[str, Any]]
    before: Any
    batch: int
    subject: Subject = field(default_factory=lambda: Subject("library", ()))

    def prepare(self) -> None:
        for each in self.sets:
            self.result = self.call(each)
        self.events = self.driver.create_event(), self.driver.create_event()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=torch.cuda.current_stream()):
            for number in range(self.batch):
                self.call(self.sets[number % len(self.sets)])
        self.graph.replay()
        torch.cuda.synchronize()

    def sample(self) -> None:
        self.before()
        self.driver.record(self.events[0])
        self.graph.replay()
        self.driver.record(self.events[1])
        self.subject.samples_us.append(self.driver.elapsed_us(*self.events) / self.batch)


@dataclass(frozen=True)
class Measured:
    row: Row
    rung: str
    ours: sampling.Summary
    library: sampling.Summary | None
    dram_bytes: int
    flops: int
    floor_us: float
    copy_bytes_per_s: float
    error: float | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    parser.add_argument("--save", action="store_true", help="keep the output in benchmarks/results/")
    options = parser.parse_args()
    bench = Bench()
    found = []
    for row in ROWS:
        if not options.task or row.task in options.task:
            try:
                found.append(bench.measure(row))
                print(_cells(found[-1]), file=sys.stderr, flush=True)
            except Exception as problem:  # the other rows are still worth having
                print(f"{row.task} {row.sizes}: {problem!r}", file=sys.stderr, flush=True)
    text = machine.heading("Top rungs against libraries") + "\n" + f"torch {torch.__version__}\n\n"
    text += table(_HEAD, [_cells(each) for each in found])
    print(text)
    if options.save:
        path = ROOT / "benchmarks" / "results" / f"libraries-{machine.slug()}-{machine.today()}.md"
        path.write_text(text, encoding="utf-8")
    return 0


class Bench:
    def __init__(self) -> None:
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        self.driver = Driver()
        self.about = properties(self.driver)
        torch.cuda.set_stream(torch.cuda.ExternalStream(self.driver.stream))
        self.yardsticks = Yardsticks(self.driver)
        ceilings.settle_clock(self.yardsticks)
        self.ceilings = ceilings.measure(self.driver, self.yardsticks)
        self.swept = torch.empty(SWEEP_BYTES, dtype=torch.uint8, device="cuda")
        self.library = Library.open(environ={})

    def measure(self, row: Row) -> Measured:
        question = self.library.question(row.task)
        task = question.task
        assert task is not None
        rungs = self.library.rungs(question)
        rung = next((r for r in rungs if row.rung and r.id.startswith(row.rung)), rungs[-1])
        torch.cuda.empty_cache()
        sets = [_tensors(task, row.sizes, seed) for seed in range(SETS)]
        memory = Memory(self.driver, seed=1)
        runner = self._runner(task, rung, sets, memory)
        runner.prepare()
        runners: list[Any] = [runner]
        if row.call:
            runners.append(LibraryRunner(self.driver, row.call, sets, self._before, runner.batch))
            runners[1].prepare()
        ceilings.settle_clock(self.yardsticks)
        measure(runners, budget_s=BUDGET_S, least=LEAST)
        output = next(a.name for a in task.arguments if a.role is Role.OUTPUT)
        place = self.places[-1][output]
        self.driver.fill(place.address, 0, place.nbytes)
        runner.replay_round()
        self.driver.copy(sets[-1][output].data_ptr(), place.address, place.nbytes)
        error = _error(sets[-1][output], row.call(sets[-1])) if row.call else None
        runner.close()
        memory.close()
        times = [sampling.summarize(each.subject.samples_us) for each in runners]
        cost = [evaluate(x, row.sizes) for x in (task.cost.dram_bytes, task.cost.flops)]
        return Measured(
            row,
            rung.id,
            times[0],
            times[1] if row.call else None,
            *cost,
            self.ceilings.floor_us(*cost, self._peak(task)),
            self.ceilings.copy_bytes_per_s,
            error,
        )

    def _peak(self, task: KernelTask) -> float:
        """Flops per second of the units that the task may use."""
        tensor = task.cost.arithmetic == "tensor"
        return ceilings.tensor_flops_per_s(self.about) if tensor else self.ceilings.fp32_flops_per_s

    def _runner(
        self, task: KernelTask, rung: Rung, sets: Sequence[Mapping[str, Any]], memory: Memory
    ) -> Runner:
        arch = "compute_{}{}".format(*self.about.compute_capability)
        program = compile_submission(rung.source.read_text(encoding="utf-8"), task.signature, arch=arch)
        module = LoadedModule(self.driver, program)
        plans = []
        self.places = [self._placed(each, memory) for each in sets]
        for each, places in zip(sets, self.places, strict=True):
            device = GpuDevice(self.driver, self.about, module, memory)
            names = [a.name for a in task.arguments]
            run_host(program, device, tuple(places[n].address if n in places else each[n] for n in names))
            device.synchronize()
            plans.append(device.plan)
        return Runner(self.driver, Subject("ours", plans), self._before)

    def _placed(self, tensors: Mapping[str, Any], memory: Memory) -> dict[str, Allocation]:
        """A copy of each tensor where the host function may find it."""
        places = {}
        for name, tensor in tensors.items():
            if isinstance(tensor, torch.Tensor):
                places[name] = memory.allocate(name, tensor.nbytes)
                self.driver.copy(places[name].address, tensor.data_ptr(), tensor.nbytes)
        return places

    def _before(self) -> None:
        self.yardsticks.sweep(self.swept.data_ptr(), SWEEP_BYTES)
        self.yardsticks.spin(100)


def _tensors(task: KernelTask, sizes: Mapping[str, int], seed: int) -> dict[str, Any]:
    generator = torch.Generator("cuda").manual_seed(seed)
    return {a.name: _tensor(a, sizes, generator) for a in task.arguments}


def _tensor(argument: Argument, sizes: Mapping[str, int], generator: torch.Generator) -> Any:
    if argument.role is Role.SCALAR:
        return sizes.get(argument.name, 1e-5)
    shape = [evaluate(expression, sizes) for expression in argument.shape]
    dtype = TORCH[argument.dtype]
    if argument.role is Role.OUTPUT:
        return torch.zeros(shape, dtype=dtype, device="cuda")
    if dtype.is_floating_point:
        return torch.rand(shape, generator=generator, device="cuda").sub_(0.5).to(dtype)
    return torch.randint(0, 256, shape, generator=generator, device="cuda", dtype=dtype)


def _error(output: Any, expected: Any) -> float:
    """The largest difference relative to the largest value: no proof (`grade` has it), but a sign."""
    difference = (output.flatten().double() - expected.flatten().double()).abs().max()
    return float(difference / expected.double().abs().max())


_HEAD = (
    "task", "size", "rung", "us", "p5-p95 %", "TB/s", "TFLOP/s", "of copy %", "of floor %",
    "library", "us", "speed against it", "promised", "kept",
)  # fmt: skip


def _cells(m: Measured) -> tuple[str, ...]:
    row, us = m.row, m.ours.median
    tbps = m.dram_bytes / us / 1e6
    of_copy = tbps * 1e12 / m.copy_bytes_per_s
    ratio, of_floor = m.library.median / us if m.library else 0.0, m.floor_us / us
    promises = [(row.ratio, ratio, "x"), (row.ceiling, of_copy, "of copy"), (row.floor, of_floor, "of floor")]
    asked = [(f"{p:.2f} {word}", found >= p) for p, found, word in promises if p is not None]
    kept = "-" if not asked else "yes" if all(ok for _, ok in asked) else "NO"
    if m.error is not None and m.error > row.tolerance:
        kept = f"WRONG by {m.error:.1e}"
    return (
        row.task,
        " ".join(f"{name}={value}" for name, value in row.sizes.items()),
        m.rung,
        f"{us:.1f}",
        f"{100 * (m.ours.p95 - m.ours.p5) / us:.2f}",
        f"{tbps:.2f}",
        f"{m.flops / us / 1e6:.1f}",
        f"{100 * of_copy:.1f}",
        f"{100 * of_floor:.1f}",
        row.library,
        f"{m.library.median:.1f}" if m.library else "-",
        f"{ratio:.3f}" if m.library else "-",
        ", ".join(word for word, _ in asked) or "-",
        kept,
    )


if __name__ == "__main__":
    random.seed(1)
    sys.exit(main())
