"""`warpdojo explain ID FILE`: what the file does to memory and warps, line by line."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from trainer.bank.library import Library
from trainer.cli.grading import exit_code, kernel_question, options_of
from trainer.cli.output import Output
from trainer.cli.shut import refuse_if_shut
from trainer.grade.explain import explain
from trainer.grade.result import Grade, explain_json
from trainer.grade.submission import read_submission
from trainer.grade.verdict import Verdict
from trainer.worker.backends import open_backends


def run(args: Namespace, out: Output) -> int:
    question = kernel_question(Library.open(args.banks), args.id)
    refuse_if_shut(question.id, out)
    source = read_submission(Path(args.file))
    with open_backends("sim", out.warn) as backends:
        result = explain(question, source, backends.primary, options_of(args))
    out.emit(explain_json(result))
    if not out.as_json:
        _print(result, source, question.task.modelled.name if question.task else "", out)
    elif result.verdict is not Verdict.ACCEPTED:
        out.say(f"{result.verdict.value}: {result.message}")
    return exit_code(result.verdict)


def _print(result: Grade, source: str, size: str, out: Output) -> None:
    """`size`: of the one run that this is; what goes wrong at another one does not show."""
    from rich.text import Text

    from trainer.cli import render
    from trainer.cli.render_access import render_access, render_divergence, render_worst

    console, lines = out.console(), source.splitlines()
    if result.verdict is not Verdict.ACCEPTED:
        render.render_grade(console, result, source)
        return
    render.render_launches(console, result.launches)
    render_access(console, result.access)
    render_worst(console, result.access)
    render_divergence(console, result.divergence)
    render.render_hazards(console, result.hazards, lines)
    render.render_model(console, result.model)
    note = f"one run, {size}; `warpdojo grade` checks answers and hazards at all sizes"
    console.print(Text(f"\n{note}", style="dim"))
