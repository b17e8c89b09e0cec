"""How fast Warp Dojo itself is: `python -m benchmarks.speed [--save] [--only PART] [--task ID]`.

Parts: list (start-up), sim (cold grades by simulator), throughput (naive 256³ GEMM in the
simulator) and, where there is a GPU, gpu (warm submit to verdict, spread and repeatability of times).
Prints Markdown; --save also keeps it in benchmarks/results/.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import machine
from benchmarks.table import table
from trainer.bank.library import Library
from trainer.bank.model import Question, Role, Rung
from trainer.gpu.probe import probe
from trainer.grade.backend import ArgumentValue, RunRequest

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("list", "throughput", "sim", "gpu")
SEED = 1

# What the project promises on two cores: of the first twelve tasks more than of the others.
LIST_S, COLD_S, COLD_FIRST_S, COLD_VECTOR_ADDITION_S = 0.25, 5.0, 3.0, 1.2
FIRST_TASKS = frozenset({
    "vector-addition", "matrix-addition", "relu", "matrix-transpose", "matrix-multiplication", "reduction",
    "dot-product", "softmax", "layer-normalization", "gaussian-blur", "histogramming", "prefix-sum",
})  # fmt: skip
THROUGHPUT = 200e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part (repeatable)")
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    parser.add_argument("--save", action="store_true", help="keep the output in benchmarks/results/")
    options = parser.parse_args()
    parts = options.only or [part for part in PARTS if part != "gpu" or probe().usable]
    text = [machine.heading("Speed of Warp Dojo")]
    print(text[0], flush=True)
    for part in parts:
        section = _PARTS[part](options.task)
        print(section, flush=True)
        text.append(section)
    if options.save:
        path = ROOT / "benchmarks" / "results" / f"{machine.slug()}-{machine.today()}.md"
        path.write_text("\n".join(text), encoding="utf-8")
    return 0


def ladders(tasks: list[str] | None) -> Iterator[tuple[Question, tuple[Rung, ...]]]:
    library = Library.open(environ={})
    for entry in library.index.entries:
        if entry.kind == "kernel" and (not tasks or entry.id in tasks):
            question = library.question(entry.id)
            yield question, library.rungs(question)


def bench_list(tasks: list[str] | None) -> str:
    """Wall time of `warpdojo list`, median of seven."""
    times = [_command("list")[0] for _ in range(7)]
    rows = [_row("warpdojo list", statistics.median(times), LIST_S, "s", 3)]
    return "## Start-up\n\n" + table(("what", "took", "promised", "kept"), rows)


def bench_sim(tasks: list[str] | None) -> str:
    """`warpdojo grade --backend sim` of every rung, each in a process of its own."""
    rows = []
    for question, rungs in ladders(tasks):
        limit = COLD_FIRST_S if question.id in FIRST_TASKS else COLD_S
        limit = COLD_VECTOR_ADDITION_S if question.id == "vector-addition" else limit
        for rung in rungs:
            took, code = _command("grade", question.id, str(rung.source), "--backend", "sim")
            what, seconds, promised, kept = _row(rung.id, took, limit, "s", 2)
            accepted = "yes"
            if rung.needs:
                accepted = f"needs {rung.needs}"
            elif code != 0:  # a refusal is quick, and keeps no promise
                accepted, kept = f"exit {code}", _kept(False)
            rows.append((question.id, what, seconds, promised, kept, accepted))
    head = ("task", "rung", "took", "promised", "kept", "accepted")
    return "## Cold grade by simulator\n\n" + table(head, rows)


def bench_throughput(tasks: list[str] | None) -> str:
    """Thread-instructions a second of the naive GEMM at 256³, counting and hazards on, compiled before."""
    from trainer.sim.backend import SimBackend

    library = Library.open(environ={})
    question = library.question("matrix-multiplication")
    assert question.task is not None
    naive = next(rung for rung in library.rungs(question) if rung.id.startswith("02"))
    backend = SimBackend()
    compiled = backend.compile(naive.source.read_text(encoding="utf-8"), question.task.signature)
    assert compiled.ok, compiled.message
    a, b = np.random.default_rng(SEED).random((2, 256, 256), dtype=np.float32)
    numbers = {"M": 256, "N": 256, "K": 256}
    arguments = tuple(
        ArgumentValue(x.name, x.ctype, x.role, x.dtype, shape=(256, 256))
        if x.role is Role.OUTPUT
        else ArgumentValue(x.name, x.ctype, x.role, x.dtype, {"A": a, "B": b, **numbers}[x.name])
        for x in question.task.arguments
    )
    request = RunRequest(arguments, seed=SEED, observe=True, hazards=True)
    backend.run(request)
    times, count = [], 0
    for _ in range(3):
        started = time.perf_counter()
        outcome = backend.run(request)
        times.append(time.perf_counter() - started)
        assert outcome.report is not None, outcome.message
        count = sum(record.thread_instructions for record in outcome.report.launches)
    rate = count / min(times)
    rows = [
        (
            f"{naive.id} at 256 x 256 x 256",
            f"{count / 1e6:.1f} million",
            f"{min(times):.3f} s",
            f"{rate / 1e6:.0f} million/s",
            f">= {THROUGHPUT / 1e6:.0f} million/s",
            _kept(rate >= THROUGHPUT),
        )
    ]
    head = ("kernel", "thread-instructions", "took", "rate", "promised", "kept")
    return "## Simulator throughput, counting and hazards on\n\n" + table(head, rows)


def bench_gpu(tasks: list[str] | None) -> str:
    from benchmarks.gpu import bench

    return bench(ladders(tasks))


def _command(*arguments: str) -> tuple[float, int]:
    """Wall time and exit code of the command line in a fresh process, with a fresh home."""
    with tempfile.TemporaryDirectory() as home:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "WARPDOJO_HOME": home, "PYTHONPATH": path}
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "trainer.cli", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return time.perf_counter() - started, done.returncode


def _row(what: str, took: float, limit: float, unit: str, digits: int) -> tuple[str, str, str, str]:
    return what, f"{took:.{digits}f} {unit}", f"<= {limit} {unit}", _kept(took <= limit)


def _kept(kept: bool) -> str:
    return "yes" if kept else "NO"


_PARTS = {"list": bench_list, "throughput": bench_throughput, "sim": bench_sim, "gpu": bench_gpu}

if __name__ == "__main__":
    sys.exit(main())
