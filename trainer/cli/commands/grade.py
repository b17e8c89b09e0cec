"""`warpdojo grade ID FILE`: the verdict."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from trainer.cli.output import Output
from trainer.worker.backends import Backends, open_backends, start_early, stop_unused


def run(args: Namespace, out: Output) -> int:
    # The worker gets ready while this process imports what it needs itself: nothing heavy above.
    if Path(args.file).is_file():
        start_early(args.backend)
    try:
        return _grade(args, out)
    finally:
        stop_unused()


def _grade(args: Namespace, out: Output) -> int:
    from trainer.bank.library import Library
    from trainer.cli.grading import exit_code, grade_file, kernel_question, options_of
    from trainer.cli.progress import LiveLine
    from trainer.cli.shut import refuse_if_shut
    from trainer.grade.result import grade_json

    if not out.as_json:
        from trainer.cli.render import render_grade  # now, while the worker is still starting

    library = Library.open(args.banks)
    question = kernel_question(library, args.id)
    refuse_if_shut(question.id, out)
    line = LiveLine()
    with ExitStack() as stack:

        def backends() -> Backends:
            return stack.enter_context(open_backends(args.backend, out.warn))

        try:
            result, source = grade_file(
                library, question, Path(args.file), options_of(args), backends, line, out
            )
        finally:
            line.clear()
    out.emit(grade_json(result))
    if not out.as_json:
        render_grade(out.console(), result, source)
    return exit_code(result.verdict)
