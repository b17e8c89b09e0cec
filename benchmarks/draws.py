"""Drawn questions about sectors and wavefronts on a GPU: `python -m benchmarks.draws`.

Runs the kernel of every draw under Nsight Compute (ncu), once for each kind of request, and writes what it
counted into tests/data/hardware/draws_h200.json. The tests draw the same questions again and compare.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.counters import compiler, profiled
from trainer.bank.library import Library
from trainer.bank.quiz import Sample
from trainer.errors import WarpDojoError
from trainer.grade.backend import Backend, RunRequest
from trainer.quiz.draw import draw
from trainer.quiz.run import SIGNATURE, sample_arguments

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "hardware" / "draws_h200.json"
SEEDS = 20

SASS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"
METRICS = {
    "global": {
        ("load", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        ("load", "cost"): "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        ("store", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        ("store", "cost"): "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    },
    "shared": {
        ("load", "requests"): "smsp__sass_inst_executed_op_shared_ld.sum",
        ("load", "cost"): f"{SASS}_op_ld.sum",
        ("store", "requests"): "smsp__sass_inst_executed_op_shared_st.sum",
        ("store", "cost"): f"{SASS}_op_st.sum",
    },
    "special": {
        ("atomic", "requests"): "smsp__inst_executed_op_shared_atom.sum",
        ("atomic", "cost"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
        ("ldmatrix", "requests"): "smsp__inst_executed_op_ldsm.sum",
        ("ldmatrix", "cost"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    },
}


@dataclass(frozen=True)
class Measured:
    """One draw of a template, by its seed, and the kernel that answers it."""

    template: str
    seed: int
    sample: Sample


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--launch", choices=METRICS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.launch:
            from trainer.gpu.backend import GpuBackend

            run_kernels(kernels_of(draws(), options.launch), GpuBackend())
        else:
            write(measure())
    except WarpDojoError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    return 0


def draws() -> list[Measured]:
    """The first SEEDS draws of every template whose draws have a kernel, in the order of the bank."""
    library = Library.open(environ={})
    found = []
    for entry in library.index.entries:
        question = library.question(entry.id)
        if question.quiz is None or question.quiz.template is None:
            continue
        for seed in range(SEEDS):
            sample = draw(question, seed).quiz.sample
            if sample is not None:
                found.append(Measured(question.id, seed, sample))
    return found


def kind_of(sample: Sample) -> str:
    """Which of METRICS count it."""
    return "special" if sample.op not in ("load", "store") else sample.space


def kernels_of(drawn: Sequence[Measured], kind: str) -> list[Sample]:
    """Every different kernel of a kind once, in order."""
    return list({one.sample.digest: one.sample for one in drawn if kind_of(one.sample) == kind}.values())


def run_kernels(samples: Sequence[Sample], backend: Backend) -> None:
    """Launches all of them, in order, from one submission."""
    names = [f"sample_{number}" for number in range(len(samples))]
    kernels = "\n".join(sample.renamed(name) for name, sample in zip(names, samples, strict=True))
    calls = "\n    ".join(sample.call(name) for name, sample in zip(names, samples, strict=True))
    floats = max(sample.floats for sample in samples)
    compiled = backend.compile(f"{kernels}\n{Sample.host(calls)}", SIGNATURE)
    if not compiled.ok:
        raise WarpDojoError(f"the kernels do not compile: {compiled.message}")
    outcome = backend.run(RunRequest(sample_arguments(floats, floats), seed=1, budget_s=300))
    if outcome.verdict is not None:
        raise WarpDojoError(f"the kernels fail: {outcome.message}")
    if [launch.kernel for launch in outcome.launches] != names:
        raise WarpDojoError("the kernels were not launched one by one")


def measure() -> dict[str, Any]:
    """What ncu counts of each draw, as the data file holds it."""
    drawn = draws()
    counted: dict[str, tuple[int, int]] = {}
    for kind, metrics in METRICS.items():
        samples = kernels_of(drawn, kind)
        command = [sys.executable, "-m", "benchmarks.draws", "--launch", kind]
        launches = list(profiled(metrics.values(), command))
        if len(launches) != len(samples):
            raise WarpDojoError(f"ncu saw {len(launches)} launches of {len(samples)}")
        for sample, (_grid, values) in zip(samples, launches, strict=True):
            requests, cost = (values[metrics[sample.op, what]] for what in ("requests", "cost"))
            counted[sample.digest] = requests, cost
    rows = [[one.template, one.seed, one.sample.digest, *counted[one.sample.digest]] for one in drawn]
    return {"meta": meta(), "columns": ["template", "seed", "digest", "requests", "cost"], "draws": rows}


def meta() -> dict[str, Any]:
    return {
        "device": machine.gpu(),
        "compiler": compiler(),
        "tool": "Nsight Compute (ncu), clock control off",
        "date": machine.today(),
        "command": "python -m benchmarks.draws",
        "metrics": {
            f"{kind} {op} {what}": metric
            for kind, metrics in METRICS.items()
            for (op, what), metric in metrics.items()
        },
        "note": "cost: sectors of a global request, wavefronts of a shared one; digest: of the kernel",
    }


def write(data: dict[str, Any]) -> None:
    """One row a line."""
    rows = ",\n  ".join(json.dumps(row) for row in data["draws"])
    head = json.dumps({**data, "draws": []}, indent=1)
    DATA.write_text(head.replace('"draws": []', f'"draws": [\n  {rows}\n ]') + "\n", encoding="utf-8")
    wrong = list(mismatches(data))
    for line in wrong:
        print(line)
    print(f"{DATA}: {len(data['draws'])} draws, {len(wrong)} differ")


def mismatches(data: dict[str, Any]) -> Iterator[str]:
    """Draws whose answer is not what was counted, or that are no longer what was measured."""
    now = {(one.template, one.seed): one.sample for one in draws()}
    for template, seed, digest, requests, cost in data["draws"]:
        sample = now.get((template, seed))
        if sample is None or sample.digest != digest:
            yield f"{template} {seed}: not measured as it is now"
        elif (requests, cost) != (1, sample.cost):
            found = f"{requests} requests cost {cost} on the GPU"
            yield f"{template} {seed}: {found}, the answer is {sample.cost}"


if __name__ == "__main__":
    sys.exit(main())
