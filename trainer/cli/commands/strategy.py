"""`warpdojo strategy [ID]`: one strategy question at the prompt.

Numbers first, then the answer in words; then a good answer and its points are shown and the learner says
which were made; then follow-ups, until one is failed. Where nobody can type the question is printed, with
--json everything about it.
"""

from __future__ import annotations

import random
import time
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime

from trainer.bank.library import Library
from trainer.bank.model import Entry, Kind, Question
from trainer.bank.strategy import Strategy
from trainer.cli.dialogue import Dialogue
from trainer.cli.output import Output, can_type
from trainer.cli.shut import open_entries, refuse_if_shut
from trainer.errors import StoreError, UsageError
from trainer.text import language


def run(args: Namespace, out: Output) -> int:
    library = Library.open(args.banks)
    question = library.question(args.id or _any(open_entries(library, out), args))
    refuse_if_shut(question.id, out)
    strategy = question.strategy
    if strategy is None:
        hint = "`warpdojo list --kind strategy` shows those that are."
        raise UsageError(f"{question.id} is no strategy question", hint=hint)
    if out.as_json:
        from trainer.strategy.as_json import strategy_json

        out.emit({"schema": 1, **strategy_json(question, language())})
        return 0
    from trainer.cli.render_strategy import render_strategy

    render_strategy(out.console(), question, strategy, language())
    if can_type():
        _answer(library, question, strategy, out)
    else:
        out.say(f"\nTo answer, run `warpdojo strategy {question.id}` in a terminal.")
    return 0


def _any(entries: Sequence[Entry], args: Namespace) -> str:
    """The id of one drawn at random, of a topic if one was given."""
    found = [e for e in entries if e.kind is Kind.STRATEGY and args.topic in (None, e.topic)]
    if not found:
        topics = sorted({e.topic for e in entries if e.kind is Kind.STRATEGY})
        message = f"there are no strategy questions about {args.topic!r}"
        raise UsageError(message, hint=f"topics: {', '.join(topics)}")
    return random.Random(args.seed).choice(found).id


def _answer(library: Library, question: Question, strategy: Strategy, out: Output) -> None:
    from trainer.cli.render_strategy import render_level
    from trainer.strategy.answer import Answer
    from trainer.strategy.judge import judge
    from trainer.strategy.record import record

    started = time.monotonic()
    out.say("\nFirst the numbers, an empty line for none; q leaves.")
    dialogue = Dialogue(library, out, language())
    numbers = [dialogue.number(asked, f"{n}. ") for n, asked in enumerate(strategy.numbers, 1)]
    text = dialogue.words()
    if not dialogue.left:
        dialogue.reveal(strategy, [value for _, value in numbers])
    ticked = dialogue.ticks([(point.aspect, point.text) for point in strategy.points])
    if dialogue.left:
        out.say("\nYou left before the points; nothing is kept.")
        return
    followups = dialogue.followups(strategy.followups)
    answer = Answer(text, tuple(typed for typed, _ in numbers), ticked, followups)
    judgement = judge(strategy, [value for _, value in numbers], ticked, answer.passed)
    render_level(out.console(), judgement)
    try:
        record(question, answer, judgement, time.monotonic() - started, datetime.now(UTC))
    except StoreError as problem:
        out.warn(f"this answer is not in your history: {problem}")
