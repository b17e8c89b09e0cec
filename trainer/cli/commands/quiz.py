"""`warpdojo quiz`: several quizzes at the prompt, until all are right.

Where nobody can type - standard input is closed or no terminal - and with --json the questions are
printed instead, with --json their solutions as well.
"""

from __future__ import annotations

import random
import sys
import time
from argparse import Namespace

from trainer.bank.library import Library
from trainer.bank.model import Kind
from trainer.bank.quiz import Analysis
from trainer.cli.output import Output, can_type
from trainer.cli.shut import open_entries
from trainer.errors import StoreError, UsageError, WarpDojoError
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import Judgement, parse_answer
from trainer.quiz.session import Session, choose
from trainer.text import language
from trainer.worker.backends import open_backends, start_early, stop_unused

SKIP = ("s", "skip")
QUIT = ("q", "quit")


def run(args: Namespace, out: Output) -> int:
    library = Library.open(args.banks)
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    there = open_entries(library, out)
    entries = choose(there, args.count, seed, args.topic)
    if not entries:
        topics = sorted({e.topic for e in there if e.kind is Kind.QUIZ})
        raise UsageError(f"there are no quizzes about {args.topic!r}", hint=f"topics: {', '.join(topics)}")
    questions = [draw(library.question(entry.id), seed) for entry in entries]
    if out.as_json:
        from trainer.quiz.as_json import drawn_json

        out.emit({"schema": 1, "seed": seed, "questions": [drawn_json(d, language()) for d in questions]})
    elif can_type():
        _ask(Session(questions), out)
    else:
        _print(questions, out)
    return 0


def _print(questions: list[Drawn], out: Output) -> None:
    from trainer.cli.render_quiz import render_question

    for number, drawn in enumerate(questions, 1):
        render_question(out.console(), drawn, language(), f"{number}. ")
    print("\nTo answer, run `warpdojo quiz` in a terminal.", file=sys.stderr)


def _ask(session: Session, out: Output) -> None:
    from trainer.cli.render_quiz import render_outcomes, render_question

    if any(drawn.quiz.analysis is not None for drawn in session.questions):
        start_early("sim")  # for pictures, in good time
    try:
        out.say("Type your answer; s skips a question, q ends the quiz. What you miss comes back.")
        while (drawn := session.current) is not None:
            again = "again: " if session.is_back else ""
            remark = f"{session.number}/{len(session.questions)}  {again}"
            render_question(out.console(), drawn, language(), remark)
            _one_answer(session, drawn, out)
    finally:
        stop_unused()
    render_outcomes(out.console(), session, language())


def _one_answer(session: Session, drawn: Drawn, out: Output) -> None:
    """Asks until there is an answer, a skip or an end."""
    from trainer.cli.render_quiz import render_judgement

    started = time.monotonic()
    while True:
        try:
            typed = input("\n> ").strip()
        except EOFError:
            session.end()
            return
        if typed.lower() in QUIT:
            session.end()
            return
        if typed.lower() in SKIP:
            session.skip()
            return
        try:
            answer = parse_answer(drawn, typed)
        except UsageError as problem:
            out.say(problem.hint or problem.message)
            continue
        judgement = session.answer(answer)
        render_judgement(out.console(), drawn, judgement, language())
        if drawn.quiz.analysis is not None:
            _draw(drawn.quiz.analysis, out)
        _remember(drawn, typed, judgement, time.monotonic() - started, out)
        return


def _draw(analysis: Analysis, out: Output) -> None:
    """What the simulator counts at each marked line; that it cannot is no reason to end the quiz."""
    from trainer.cli.render_quiz import render_marked
    from trainer.quiz.run import marked_lines

    try:
        with open_backends("sim", out.warn) as backends:
            render_marked(out.console(), marked_lines(analysis, backends.primary))
    except WarpDojoError as problem:
        out.warn(f"there is no picture: {problem}")


def _remember(drawn: Drawn, typed: str, judgement: Judgement, elapsed_s: float, out: Output) -> None:
    from trainer.quiz.record import record

    try:
        record(drawn, typed, judgement, elapsed_s)
    except StoreError as problem:
        out.warn(f"this answer is not in your history: {problem}")
