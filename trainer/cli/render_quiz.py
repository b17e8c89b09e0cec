"""A quiz for people: the question, its options, and what there is to say about an answer."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trainer.bank.model import localized
from trainer.bank.quiz import Form
from trainer.cli.text import body
from trainer.quiz.draw import LETTERS, Drawn
from trainer.quiz.judge import Judgement
from trainer.quiz.picture import draw_marked, draw_picture
from trainer.quiz.run import Marked
from trainer.quiz.session import Session
from trainer.text import clean

_HOW = {Form.MULTIPLE: "every right letter, such as ac", Form.ORDERING: "all letters, in the right order"}


def render_question(console: Console, drawn: Drawn, language: str, remark: str = "") -> None:
    question, quiz = drawn.question, drawn.quiz
    about = [question.id, question.topic, question.level, *([quiz.gpu] if quiz.gpu else [])]
    console.print(Text(f"\n{remark}{localized(question.title, language)}", style="bold"))
    console.print(Text(f"{' · '.join(about)}\n", style="dim"))
    console.print(Markdown(clean(localized(quiz.prompt, language))))
    console.print()
    for letter, option in zip(LETTERS, drawn.options, strict=False):
        _labelled(console, letter, localized(option.text, language))
    if quiz.form in _HOW:
        console.print(Text(f"  {_HOW[quiz.form]}", style="dim"))
    if quiz.analysis is not None:
        console.print(Text(f"  {len(quiz.analysis.costs)} numbers, line by line", style="dim"))
    if quiz.numeric is not None:
        unit = localized(quiz.numeric.unit, language)
        console.print(Text(f"  a number{f', in {unit}' if unit else ''}", style="dim"))


def render_judgement(console: Console, drawn: Drawn, judgement: Judgement, language: str) -> None:
    verdict = ("right", "bold green") if judgement.right else ("wrong", "bold red")
    console.print(Text.assemble(verdict, (f"   the answer is {judgement.solution}", "dim")))
    for remark in judgement.remarks:
        style = "green" if remark.correct else "red"
        _labelled(console, remark.letter, localized(remark.text, language), style)
    console.print()
    console.print(Markdown(clean(localized(judgement.explanation, language))))
    if drawn.quiz.picture is not None:
        console.print()
        body(console, draw_picture(drawn.quiz.picture, unicode=not console.options.ascii_only))


def render_marked(console: Console, lines: Iterable[Marked]) -> None:
    """Below each marked line what was counted there, and its picture."""
    for line in lines:
        console.print(Text.assemble("\n", (f"{line.mark}  ", "bold"), clean(line.code)))
        body(console, line.told, "dim")
        body(console, draw_marked(line, unicode=not console.options.ascii_only))


def render_outcomes(console: Console, session: Session, language: str) -> None:
    outcomes = session.outcomes()
    first = sum(outcome.first_try is True for outcome in outcomes)
    later = sum(outcome.right_now and outcome.first_try is not True for outcome in outcomes)
    console.print(Text(f"\n{first} of {len(outcomes)} right at once, {later} later", style="bold"))
    for outcome in outcomes:
        if outcome.first_try is not True:
            done = (
                "right later"
                if outcome.right_now
                else "missed"
                if outcome.first_try is False
                else "not answered"
            )
            title = localized(outcome.drawn.question.title, language)
            console.print(Text(f"  {done:<13}{title}  ({outcome.drawn.question.id})"))


def _labelled(console: Console, label: str, text: str, style: str = "") -> None:
    """A letter and its text, whose further lines stand below the first."""
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_row(*([Text(label, style="bold")] if label else []), Text(clean(text), style=style))
    console.print(Padding(row, (0, 0, 0, 2), expand=False))
