"""From an id and a file to a grade: what `grade`, `watch`, `explain` and `ladder` share."""

from __future__ import annotations

import random
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.cli.backends import Backends
from trainer.cli.output import Output, clean, language
from trainer.cli.states import remember
from trainer.errors import CompileError, UsageError
from trainer.grade.grader import Options, Ranks, grade
from trainer.grade.ladder import recorded_times
from trainer.grade.reporter import Reporter
from trainer.grade.result import Grade
from trainer.grade.score import Score
from trainer.grade.submission import read_submission
from trainer.grade.verdict import Verdict
from trainer.store.history import Attempt, fingerprint

EXIT_CODES = {Verdict.ACCEPTED: 0, Verdict.TIMED_OUT: 4}


def exit_code(verdict: Verdict) -> int:
    return EXIT_CODES.get(verdict, 1)


def kernel_question(library: Library, question_id: str) -> Question:
    question = library.question(question_id)
    if question.task is None:
        raise UsageError(f"{question_id} is a {question.kind.value} question; only kernel tasks take a file")
    return question


def options_of(args: Namespace) -> Options:
    """Raises UsageError for a GPU model nobody knows."""
    from trainer.sim.devices import find

    find(args.device)
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    return Options(
        seed=seed, speed=getattr(args, "speed", True), device_model=args.device, language=language()
    )


def ranks_of(library: Library, question: Question, device: str, *, timed: bool) -> Ranks:
    """Rungs are timed beside the submission only where no times of this GPU are on record: it takes
    several times as long as the grade. `warpdojo ladder --measure` always does it."""
    rungs = library.rungs(question)
    recorded = recorded_times(library.recordings(), question.id, device)
    return Ranks(rungs, recorded, measure=timed and recorded.device != device)


def grade_file(
    library: Library,
    question: Question,
    path: Path,
    options: Options,
    backends: Callable[[], Backends],
    reporter: Reporter,
    out: Output,
) -> tuple[Grade, str]:
    """Grade the file and remember the attempt. Raises UsageError if there is no such file.

    A file that cannot be source text gets its verdict without a backend. Also returns the text.
    """
    started = time.monotonic()
    try:
        source = read_submission(path)
    except CompileError as problem:
        result = _unreadable(question, options, problem)
        _remember(replace(result, elapsed_s=time.monotonic() - started), "", out)
        return result, ""
    running = backends()
    on_gpu = running.observer is not None
    device = running.primary.device if on_gpu else ""
    result = grade(
        question,
        source,
        running.primary,
        options=options,
        ranks=ranks_of(library, question, device, timed=on_gpu and options.speed),
        observer=running.observer,
        reporter=reporter,
    )
    result = replace(result, printed=clean(result.printed))
    _remember(result, source, out)
    return result, source


def _unreadable(question: Question, options: Options, problem: CompileError) -> Grade:
    where = problem.where
    return Grade(
        task=question.id,
        language="cuda",
        backend="none",
        device="none",
        seed=options.seed,
        verdict=Verdict.COMPILE_ERROR,
        message=problem.message,
        hint=problem.hint,
        line=(where.line or 0) if where else 0,
        score=Score(0.0, {"correct": 0.0, "clean": None, "speed": None, "memory": None}),
        elapsed_s=0.0,
    )


def _remember(result: Grade, source: str, out: Output) -> None:
    attempt = Attempt(
        task=result.task,
        language=result.language,
        backend=result.backend,
        device=result.device,
        verdict=result.verdict.value,
        message=result.message,
        seed=result.seed,
        score=result.score.total,
        median_us=result.timing.median_us if result.timing else None,
        rung=result.ladder.rung if result.ladder else None,
        elapsed_s=result.elapsed_s,
        at=datetime.now(UTC),
        source_sha256=fingerprint(source),
    )
    remember(attempt, source, out)
