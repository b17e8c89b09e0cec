"""The GPU part of `benchmarks.speed`: warm submit to verdict, spread and repeatability of times."""

from __future__ import annotations

import time
from collections.abc import Iterable

from benchmarks.measure_ladders import time_ladder
from benchmarks.table import table
from trainer.bank.model import Question, Rung
from trainer.grade.backend import Timing
from trainer.grade.grader import Options, Ranks, grade
from trainer.worker.client import RemoteBackend

# What the project promises on an H200.
WARM_S, COMPILE_S, SPREAD, REPEAT = 1.0, 0.2, 0.02, 0.02

# Shorter kernels are measured too, but no spread is promised for them.
SPREAD_FROM_US = 20.0


def bench(ladders: Iterable[tuple[Question, tuple[Rung, ...]]]) -> str:
    known = list(ladders)
    return _warm(known) + "\n" + _repeatability(known)


def _warm(ladders: list[tuple[Question, tuple[Rung, ...]]]) -> str:
    """The best rung of each task, graded as a user's file; the second time, when all is warm."""
    rows = []
    with RemoteBackend("gpu") as gpu, RemoteBackend("sim") as sim:
        for question, rungs in ladders:
            source = rungs[-1].source.read_text(encoding="utf-8")
            for _ in range(2):
                started = time.perf_counter()
                result = grade(
                    question,
                    source,
                    gpu,
                    options=Options(seed=1),
                    ranks=Ranks(rungs, measure=True),
                    observer=sim,
                )
                took = time.perf_counter() - started
            compile_s = result.compiled.compile_s if result.compiled else 0.0
            promised = f"<= {WARM_S} s" if question.id == "vector-addition" else "-"
            kept = "-" if promised == "-" else "yes" if took <= WARM_S and compile_s <= COMPILE_S else "NO"
            rows.append(
                (
                    question.id,
                    rungs[-1].id,
                    result.verdict.value,
                    f"{took:.2f} s",
                    f"{compile_s:.3f} s",
                    promised,
                    kept,
                )
            )
    head = ("task", "file", "verdict", "submit to verdict", "of which compile", "promised", "kept")
    return "## Warm submit to verdict\n\n" + table(head, rows)


def _repeatability(ladders: list[tuple[Question, tuple[Rung, ...]]]) -> str:
    """Every rung timed in two sessions, each a process of its own."""
    sessions: list[dict[tuple[str, str], Timing]] = []
    for _ in range(2):
        with RemoteBackend("gpu") as gpu:
            times = {
                (question.id, rung): timing
                for question, rungs in ladders
                for rung, timing in time_ladder(gpu, question, rungs).items()
            }
        sessions.append(times)
    rows = []
    for key, first in sessions[0].items():
        second = sessions[1][key]
        spread = max((t.p95_us - t.p5_us) / t.median_us for t in (first, second))
        apart = abs(first.median_us - second.median_us) / min(first.median_us, second.median_us)
        long = first.median_us >= SPREAD_FROM_US
        kept = "yes" if (spread <= SPREAD or not long) and apart <= REPEAT else "NO"
        rows.append(
            (
                *key,
                f"{first.median_us:.2f}",
                f"{second.median_us:.2f}",
                f"{100 * apart:.2f}",
                f"{100 * spread:.2f}",
                str(first.samples),
                f"{100 * first.floor_fraction:.0f}",
                kept,
            )
        )
    head = ("task", "rung", "median us", "again us", "apart %", "p5-p95 %", "samples", "of floor %", "kept")
    promise = f"Promised: medians {100 * REPEAT:.0f} %, spread {100 * SPREAD:.0f} % from 20 us on.\n\n"
    return "## Times of the rungs, in two sessions\n\n" + promise + table(head, rows)
