"""Times all rungs of all tasks on this GPU: `python -m benchmarks.measure_ladders [--task ID] [--out FILE]`.

Writes solutions/measured/<gpu>.json, which `warpdojo ladder` shows where there is no such GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import machine
from trainer.bank.ladder import fingerprint
from trainer.bank.library import Library
from trainer.bank.model import Question, Rung
from trainer.errors import WarpDojoError
from trainer.gpu.probe import require
from trainer.grade.backend import Backend, Timing
from trainer.grade.cases import Case, build_case
from trainer.grade.compare import compare
from trainer.grade.timed import time_request, timed_seeds
from trainer.worker.client import RemoteBackend

ROOT = Path(__file__).resolve().parent.parent
SEED = 1
AHEAD = 2  # questions whose arrays, up to some gigabytes, wait for their turn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    parser.add_argument("--out", type=Path, help="where to write (default: solutions/measured/<gpu>.json)")
    options = parser.parse_args()
    try:
        gpu = require()
        library = Library.open(environ={})
        questions = [
            library.question(entry.id)
            for entry in library.index.entries
            if entry.kind == "kernel" and (not options.task or entry.id in options.task)
        ]
        recording: dict[str, Any] = {
            "device": gpu.name,
            "driver": gpu.driver_version or "{}.{}".format(*(gpu.cuda_version or (0, 0))),
            "date": machine.today(),
            "command": "python -m benchmarks.measure_ladders",
            "tasks": {},
        }
        path = options.out or ROOT / "solutions" / "measured" / f"{machine.slug()}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        failed = 0
        with RemoteBackend("gpu") as backend:
            for question, cases in with_cases(questions):
                try:
                    times = time_ladder(backend, question, library.rungs(question), cases)
                except WarpDojoError as problem:  # the other ladders are still worth having
                    print(problem, file=sys.stderr)
                    failed += 1
                    continue
                recording["tasks"][question.id] = _records(question, library.rungs(question), times)
                path.write_text(json.dumps(recording, indent=1) + "\n", encoding="utf-8")
                best = min(timing.median_us for timing in times.values())
                print(f"{question.id}: {len(times)} rungs, best {best:.2f} us", file=sys.stderr)
    except WarpDojoError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    print(path)
    return 1 if failed else 0


def with_cases(questions: Sequence[Question]) -> Iterator[tuple[Question, list[Case]]]:
    """Each question with its timed cases, which are drawn while the one before is on the GPU."""

    def draw(question: Question, seed: int) -> Case:
        assert question.task is not None
        return build_case(question.task, question.task.timed, seed)

    with ThreadPoolExecutor(AHEAD * len(timed_seeds(SEED))) as pool:
        waiting: deque[list[Future[Case]]] = deque()
        ahead = iter(questions)
        for question in questions:
            for coming in islice(ahead, 1 + AHEAD - len(waiting)):
                waiting.append([pool.submit(draw, coming, seed) for seed in timed_seeds(SEED)])
            yield question, [one.result() for one in waiting.popleft()]


def time_ladder(
    backend: Backend, question: Question, rungs: Sequence[Rung], cases: Sequence[Case] = ()
) -> dict[str, Timing]:
    """All rungs of a task, interleaved in one session. Raises WarpDojoError when one of them fails."""
    task = question.task
    assert task is not None and rungs
    cases = cases or [build_case(task, task.timed, seed) for seed in timed_seeds(SEED)]
    source = rungs[0].source.read_text(encoding="utf-8")
    compiled = backend.compile(source, task.signature)
    if not compiled.ok:
        raise WarpDojoError(f"{rungs[0].source}: {compiled.message}")
    outcome = backend.time(time_request(task, [case.arguments for case in cases], rungs[1:], record=True))
    if outcome.timing is None:
        raise WarpDojoError(f"{question.id}: {outcome.message}")
    for case, outputs in zip(cases, outcome.outputs, strict=True):
        if not compare(outputs, case.expected, task.tolerance, case.terms).ok:
            raise WarpDojoError(f"{rungs[0].source}: wrong when timed")
    return {rungs[0].id: outcome.timing, **outcome.baselines}


def _records(
    question: Question, rungs: Sequence[Rung], times: Mapping[str, Timing]
) -> dict[str, dict[str, object]]:
    assert question.task is not None
    sizes = question.task.timed.sizes
    return {rung.id: _record(times[rung.id]) | {"fingerprint": fingerprint(rung, sizes)} for rung in rungs}


def _record(timing: Timing) -> dict[str, object]:
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(timing).items()}
    return {key: value for key, value in rounded.items() if value is not None}


if __name__ == "__main__":
    sys.exit(main())
