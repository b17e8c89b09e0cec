"""From a question and a file to a grade and its place in the history: what every front end does."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.errors import CompileError
from trainer.grade.grader import Options, Ranks, grade
from trainer.grade.ladder import recorded_times
from trainer.grade.reporter import Reporter
from trainer.grade.result import Grade
from trainer.grade.score import Score
from trainer.grade.submission import read_submission
from trainer.grade.verdict import Verdict
from trainer.store.history import Attempt, History, fingerprint
from trainer.text import clean
from trainer.worker.backends import Backends


def draw_seed() -> int:
    """A seed for inputs that nobody can have prepared for."""
    return random.SystemRandom().randrange(2**32)


def grade_file(
    library: Library,
    question: Question,
    path: Path,
    options: Options,
    backends: Callable[[], Backends],
    reporter: Reporter,
) -> tuple[Grade, str]:
    """Grade the file; also returns its text. Raises UsageError if there is no such file.

    A file that cannot be source text gets its verdict without a backend.
    """
    started = time.monotonic()
    try:
        source = read_submission(path)
    except CompileError as problem:
        result = _unreadable(question, options, problem)
        return replace(result, elapsed_s=time.monotonic() - started), ""
    return grade_source(library, question, source, options, backends, reporter), source


def grade_source(
    library: Library,
    question: Question,
    source: str,
    options: Options,
    backends: Callable[[], Backends],
    reporter: Reporter,
) -> Grade:
    """Grade a text, which is CUDA as far as `read_submission` can tell."""
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
    return replace(result, printed=clean(result.printed))


def ranks_of(library: Library, question: Question, device: str, *, timed: bool) -> Ranks:
    """Rungs are timed beside the submission only where no times of this GPU are on record: it takes
    several times as long as the grade. `warpdojo ladder --measure` always does it."""
    rungs = library.rungs(question)
    recorded = recorded_times(library.recordings(question), question.id, device)
    return Ranks(rungs, recorded, measure=timed and recorded.device != device)


def remember(result: Grade, source: str) -> None:
    """Append the grade to the history. Raises StoreError."""
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
    with History.open() as history:
        history.add(attempt, source)


def _unreadable(question: Question, options: Options, problem: CompileError) -> Grade:
    line = (problem.where.line or 0) if problem.where else 0
    return Grade(
        task=question.id,
        language="cuda",
        backend="none",
        device="none",
        seed=options.seed,
        verdict=Verdict.COMPILE_ERROR,
        message=f"line {line}: {problem.message}" if line else problem.message,
        hint=problem.hint,
        line=line,
        score=Score(0.0, {"correct": 0.0, "clean": None, "speed": None, "memory": None}),
        elapsed_s=0.0,
    )
