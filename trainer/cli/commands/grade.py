"""`warpdojo grade ID FILE`: the verdict."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from trainer.cli.backends import Backends, open_backends
from trainer.cli.output import Output


def run(args: Namespace, out: Output) -> int:
    with ExitStack() as stack:
        opened: list[Backends] = []

        def backends() -> Backends:
            return opened[0]

        # The worker gets ready while this process imports what it needs itself.
        if Path(args.file).is_file():
            opened.append(stack.enter_context(open_backends(args.backend, out)))

        from trainer.bank.library import Library
        from trainer.cli.grading import exit_code, grade_file, kernel_question, options_of
        from trainer.cli.progress import LiveLine
        from trainer.grade.result import grade_json

        library = Library.open(args.banks)
        question = kernel_question(library, args.id)
        line = LiveLine()
        try:
            result, source = grade_file(
                library, question, Path(args.file), options_of(args), backends, line, out
            )
        finally:
            line.clear()
    out.emit(grade_json(result))
    if not out.as_json:
        from trainer.cli.render import render_grade

        render_grade(out.console(), result, source)
    return exit_code(result.verdict)
