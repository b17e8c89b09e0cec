"""`warpdojo ladder ID`: the reference solutions, what each teaches, and how fast they are."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from trainer.bank.library import Library
from trainer.bank.model import Question, Rung, localized
from trainer.cli.grading import exit_code, kernel_question
from trainer.cli.output import Output
from trainer.cli.shut import refuse_if_shut
from trainer.errors import MissingToolError, UsageError
from trainer.grade.backend import Timing
from trainer.grade.ladder import Ladder, place, recorded_times, rung_times
from trainer.grade.measure import Measured, measure
from trainer.grade.result import ladder_json
from trainer.grade.submission import read_submission
from trainer.grade.verdict import Verdict
from trainer.text import language
from trainer.worker.backends import open_backends


def run(args: Namespace, out: Output) -> int:
    library = Library.open(args.banks)
    question = kernel_question(library, args.id, "have a ladder")
    refuse_if_shut(question.id, out)
    rungs = library.rungs(question)
    if not rungs:
        raise UsageError(f"{question.id} has no reference solutions yet")
    measured = Measured("")
    if args.measure or args.against:
        measured = _measure(question, rungs, args.against, out)
    ladder = _place(library, question, rungs, measured)
    out.emit(_json(question, rungs, ladder, measured.own))
    if not out.as_json:
        _print(rungs, ladder, measured.own, out)
    if measured.verdict is not Verdict.ACCEPTED:
        out.warn(f"your file has no time: {measured.verdict.value.replace('_', ' ')}: {measured.message}")
    return exit_code(measured.verdict)


def _measure(question: Question, rungs: tuple[Rung, ...], against: str | None, out: Output) -> Measured:
    source = read_submission(Path(against)) if against else None
    try:
        with open_backends("gpu", out.warn) as backends:
            return measure(question, rungs, source, backends.primary)
    except MissingToolError as problem:
        raise MissingToolError(
            f"times need a GPU: {problem.message}",
            hint="Without one, `warpdojo explain` tells what a file does to memory; "
            "`warpdojo doctor` says what is missing.",
        ) from problem


def _place(library: Library, question: Question, rungs: tuple[Rung, ...], measured: Measured) -> Ladder:
    recorded = recorded_times(library.recordings(question), question.id, measured.device)
    now = {name: timing.median_us for name, timing in measured.rungs.items()}
    times = rung_times(rungs, language(), now, recorded.times_us, recorded.device)
    size = question.task.timed.name if question.task else ""
    return place(measured.own.median_us if measured.own else None, times, size)


def _json(question: Question, rungs: tuple[Rung, ...], ladder: Ladder, own: Timing | None) -> dict[str, Any]:
    ideas = [
        {
            "id": rung.id,
            "idea": localized(rung.idea, language()),
            "removes": localized(rung.removes, language()),
            "watch": localized(rung.watch, language()),
            "file": str(rung.source),
        }
        for rung in rungs
    ]
    return {
        "schema": 1,
        "task": question.id,
        "ladder": ladder_json(ladder),
        "ideas": ideas,
        "median_us": own.median_us if own else None,
    }


def _print(rungs: tuple[Rung, ...], ladder: Ladder, own: Timing | None, out: Output) -> None:
    from rich.text import Text

    from trainer.cli.render import render_ladder
    from trainer.cli.text import body

    console = out.console()
    render_ladder(console, ladder, own)
    for rung in rungs:
        console.print(Text.assemble("\n", (rung.id, "bold"), f"  {localized(rung.title, language())}"))
        for heading, text in (("", rung.idea), ("removes: ", rung.removes), ("watch: ", rung.watch)):
            body(console, heading + " ".join(localized(text, language()).split()))
        body(console, str(rung.source), "dim")
