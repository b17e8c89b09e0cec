"""`warpdojo show ID`: what is asked."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from trainer.bank.examples import example_text
from trainer.bank.library import Library
from trainer.bank.model import Question, localized
from trainer.bank.strategy import Strategy
from trainer.cli.output import Output
from trainer.cli.shut import refuse_if_shut
from trainer.text import language


def run(args: Namespace, out: Output) -> int:
    question = Library.open(args.banks).question(args.id)
    tells_all = out.as_json and question.task is None
    if args.hint or tells_all:
        refuse_if_shut(question.id, out)
    if args.hint > len(question.hints):
        count = len(question.hints)
        out.warn(f"{question.id} has {f'only {count}' if count else 'no'} hint{'s' * (count != 1)}")
    hints = [localized(hint, language()).strip() for hint in question.hints[: args.hint]]
    if question.quiz:
        _show_quiz(question, out)
        return 0
    if question.strategy:
        _show_strategy(question, question.strategy, out)
        return 0
    out.emit(_json(question, hints))
    if not out.as_json:
        _print(question, hints, out)
    return 0


def _show_quiz(question: Question, out: Output) -> None:
    """One draw of it, always the same; with --json the solution as well."""
    from trainer.quiz.draw import draw

    drawn = draw(question, 0)
    if out.as_json:
        from trainer.quiz.as_json import drawn_json

        out.emit({"schema": 1, "kind": question.kind.value, **drawn_json(drawn, language())})
        return
    from trainer.cli.render_quiz import render_question

    render_question(out.console(), drawn, language())
    out.say(f"\nTo answer: warpdojo quiz --topic {question.topic}")


def _show_strategy(question: Question, strategy: Strategy, out: Output) -> None:
    """What is asked; with --json all of it."""
    if out.as_json:
        from trainer.strategy.as_json import strategy_json

        out.emit({"schema": 1, "kind": question.kind.value, **strategy_json(question, language())})
        return
    from trainer.cli.render_strategy import render_strategy

    render_strategy(out.console(), question, strategy, language())
    out.say(f"\nTo answer: warpdojo strategy {question.id}")


def _json(question: Question, hints: list[str]) -> dict[str, Any]:
    task = question.task
    return {
        "schema": 1,
        "id": question.id,
        "kind": question.kind.value,
        "topic": question.topic,
        "level": question.level,
        "title": localized(question.title, language()),
        "statement": localized(question.statement, language()),
        "signature": str(task.signature) if task else None,
        "limits": {name: list(span) for name, span in task.limits.items()} if task else None,
        "examples": [{"inputs": e.inputs, "outputs": e.outputs} for e in task.examples] if task else None,
        "hints": hints,
        "hints_available": len(question.hints),
    }


def _print(question: Question, hints: list[str], out: Output) -> None:
    from rich.markdown import Markdown
    from rich.text import Text

    console = out.console()
    console.print(Text(localized(question.title, language()), style="bold"))
    console.print(Text(f"{question.id} · {question.topic} · {question.level}\n", style="dim"))
    console.print(Markdown(localized(question.statement, language())))
    if question.task:
        console.print()
        console.print(Text(f"{question.task.signature};"))
        for name, (least, largest) in question.task.limits.items():
            console.print(Text(f"  {least:,} <= {name} <= {largest:,}"))
        for example in question.task.examples:
            console.print(Text(f"\nExample\n{example_text(example)}"))
    for number, hint in enumerate(hints, 1):
        console.print(Text(f"\nHint {number}", style="bold"))
        console.print(Markdown(hint))
    left = len(question.hints) - len(hints)
    if left:
        more = f"warpdojo show {question.id} --hint {len(hints) + 1}"
        console.print(Text(f"\n{left} more hint{'s' * (left != 1)}: {more}", style="dim"))
