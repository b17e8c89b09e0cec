"""A strategy question for people: what is asked, and afterwards what a good answer says."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from trainer.bank.model import Question, localized
from trainer.bank.model import Text as Words
from trainer.bank.strategy import Aspect, NumberAsked, Strategy
from trainer.cli.text import body, heading
from trainer.strategy.judge import Judgement, Level, NumberResult
from trainer.strategy.record import summary
from trainer.text import clean

_STYLES = {Level.A: "bold green", Level.B: "green", Level.C: "yellow", Level.D: "red"}
_MEANINGS = {
    Level.A: "the principle, with numbers and how to measure them",
    Level.B: "the principle; numbers or measurements are missing",
    Level.C: "parts of it, or not two follow-ups deep",
    Level.D: "no answer",
}


def render_strategy(console: Console, question: Question, strategy: Strategy, language: str) -> None:
    """The question and the numbers it asks for, without answers."""
    gpu = [strategy.gpu] if strategy.gpu else []
    about = [question.id, question.topic, question.level, f"{strategy.minutes} minutes", *gpu]
    console.print(Text(f"\n{localized(question.title, language)}", style="bold"))
    console.print(Text(f"{' · '.join(about)}\n", style="dim"))
    console.print(Markdown(clean(localized(strategy.prompt, language))))
    if strategy.numbers:
        heading(console, "Numbers")
    for number, asked in enumerate(strategy.numbers, 1):
        render_number(console, asked, language, f"{number}. ")


def render_number(console: Console, asked: NumberAsked, language: str, label: str = "") -> None:
    unit = localized(asked.answer.unit, language)
    body(console, f"{label}{localized(asked.ask, language)}{f'  [{unit}]' if unit else ''}")


def render_result(
    console: Console, asked: NumberAsked, result: NumberResult, language: str, label: str = ""
) -> None:
    answer = asked.answer
    unit = localized(answer.unit, language)
    verdict = ("right", "green") if result.right else ("wrong", "red")
    verdict = ("no answer", "red") if result.value is None else verdict
    console.print(
        Text.assemble(f"  {label}", verdict, (f"   {_figure(answer.value)} {unit}".rstrip(), "bold"))
    )
    if result.remark:
        body(console, localized(result.remark, language), "yellow")
    body(console, localized(asked.why, language), "dim")


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() or abs(value) >= 1e4 else f"{value:.4g}"


def render_model_answer(console: Console, answer: Words, language: str) -> None:
    heading(console, "A good answer")
    console.print(Markdown(clean(localized(answer, language))))


def render_points(console: Console, points: Sequence[tuple[Aspect | None, Words]], language: str) -> None:
    """Numbered, for the learner to tick; a point of the whole question with what it belongs to."""
    heading(console, "Points")
    for number, (aspect, text) in enumerate(points, 1):
        label = f"{aspect.value}: " if aspect else ""
        body(console, f"{number}. {label}{localized(text, language)}")


def render_level(console: Console, judgement: Judgement) -> None:
    level = judgement.level
    console.print(Text.assemble("\n", (f"{level.value}", _STYLES[level]), f"  {_MEANINGS[level]}"))
    console.print(Text(f"  {summary(judgement)}, score {judgement.score:.0f}", style="dim"))
