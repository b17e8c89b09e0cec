"""From the command line's arguments to a grade: what `grade`, `watch`, `explain` and `ladder` share."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.cli.output import Output
from trainer.errors import StoreError, UsageError
from trainer.grade.grader import Options
from trainer.grade.reporter import Reporter
from trainer.grade.result import Grade
from trainer.grade.verdict import Verdict
from trainer.text import language
from trainer.worker import attempt
from trainer.worker.backends import Backends

EXIT_CODES = {Verdict.ACCEPTED: 0, Verdict.TIMED_OUT: 4}


def exit_code(verdict: Verdict) -> int:
    return EXIT_CODES.get(verdict, 1)


def kernel_question(library: Library, question_id: str, only: str = "take a file") -> Question:
    """`only`: what kernel tasks alone do, for the message of the UsageError that it raises for others."""
    question = library.question(question_id)
    if question.task is None:
        raise UsageError(f"{question_id} is a {question.kind.value} question; only kernel tasks {only}")
    return question


def options_of(args: Namespace) -> Options:
    """Raises UsageError for a GPU model nobody knows."""
    from trainer.sim.devices import find

    find(args.device)
    seed = attempt.draw_seed() if args.seed is None else args.seed
    return Options(
        seed=seed, speed=getattr(args, "speed", True), device_model=args.device, language=language()
    )


def grade_file(
    library: Library,
    question: Question,
    path: Path,
    options: Options,
    backends: Callable[[], Backends],
    reporter: Reporter,
    out: Output,
) -> tuple[Grade, str]:
    """Grade the file and remember the attempt; also returns the text. Raises UsageError if there is
    no such file. A history that cannot be written costs a warning."""
    result, source = attempt.grade_file(library, question, path, options, backends, reporter)
    try:
        attempt.remember(result, source)
    except StoreError as problem:
        out.warn(f"this attempt is not in your history: {problem}")
    return result, source
