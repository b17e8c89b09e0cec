"""From answers to results: quizzes and strategy questions by their judges, kernels by the rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trainer.bank.model import Question, localized
from trainer.bank.strategy import Followup, NumberAsked, Strategy
from trainer.errors import UsageError
from trainer.interview.facts import Facts, from_data
from trainer.interview.plan import Asked
from trainer.interview.result import Part, Result
from trainer.interview.state import Answer
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import Answer as Chosen
from trainer.quiz.judge import judge, parse_answer, solution
from trainer.strategy import judge as strategy_judge
from trainer.strategy.answer import Answer as SavedStrategy
from trainer.strategy.answer import FollowupAnswer
from trainer.strategy.judge import Judgement
from trainer.strategy.walk import Walk, walk

if TYPE_CHECKING:
    from collections.abc import Sequence


def went(followups: Sequence[Followup], answer: Answer) -> Walk:
    """How far the follow-ups of a question came."""
    return walk(followups, [followup["passed"] for followup in answer.followups])


def result_of_quiz(asked: Asked, question: Question, answer: Answer, language: str) -> Result:
    drawn = draw(question, asked.seed)
    typed = answer.fields.get("answer", "").strip()
    solved = _spelled_out(drawn, solution(drawn), drawn.solution, language)
    right, missed, short = False, f"not answered; it is {solved}", "not answered: 0"
    if typed:
        short = "wrong: 0"
        try:
            chosen = parse_answer(drawn, typed)
            judgement = judge(drawn, chosen)
            right = judgement.right
            remarks = [localized(r.text, language) for r in judgement.remarks if not r.correct]
            reason = remarks[0] if remarks else _opening(localized(judgement.explanation, language))
            missed = f"answered {_spelled_out(drawn, typed, chosen, language)}, right is {solved}: {reason}"
        except UsageError as problem:
            missed = f"{problem.message}; it is {solved}"
    part = Part("answer", 1.0 if right else 0.0, 1.0, "right: 1" if right else short)
    return _result(asked, question, answer, (part,), () if right else (missed,))


def _spelled_out(drawn: Drawn, typed: str, chosen: Chosen, language: str) -> str:
    """ "c (2.5x)": in a report the options are out of sight, and letters alone say nothing."""
    if drawn.quiz.numeric is not None and typed == solution(drawn):
        return f"{typed} {localized(drawn.quiz.numeric.unit, language)}".rstrip()
    if not drawn.options or not isinstance(chosen, tuple):
        return typed
    texts = "; ".join(localized(drawn.options[i].text, language) for i in chosen)
    return f"{typed} ({texts})"


def _opening(explanation: str) -> str:
    """Its first paragraph, on one line."""
    return " ".join(explanation.split("\n\n")[0].split())


def saved_strategy(question: Question, answer: Answer) -> tuple[SavedStrategy, Judgement]:
    """The answer as the history keeps it, and what it is worth. Without ticks no point was made."""
    strategy = _strategy(question)
    saved = SavedStrategy(
        text=answer.fields.get("words", ""),
        numbers=tuple(answer.fields.get(f"number.{i}", "") for i in range(len(strategy.numbers))),
        ticked=answer.ticks or (False,) * len(strategy.points),
        followups=tuple(
            FollowupAnswer(f["typed"], f["passed"], tuple(f["ticked"])) for f in answer.followups
        ),
    )
    numbers = [_number(n, text) for n, text in zip(strategy.numbers, saved.numbers, strict=True)]
    return saved, strategy_judge.judge(strategy, numbers, saved.ticked, saved.passed)


def result_of_strategy(asked: Asked, question: Question, answer: Answer, language: str) -> Result:
    strategy = _strategy(question)
    saved, judged = saved_strategy(question, answer)
    ticks = saved.ticked
    right = sum(number.right for number in judged.numbers)
    parts = []
    if strategy.numbers:
        total = len(strategy.numbers)
        parts.append(Part("numbers", float(right), float(total), f"{right} of {total} numbers right"))
    said, points = sum(ticks), len(ticks)
    if points:
        parts.append(Part("points", float(said), float(points), f"{said} of {points} points made"))
    missed = [
        _truth(number, language)
        for number, result in zip(strategy.numbers, judged.numbers, strict=True)
        if not result.right
    ]
    missed += [
        f"not said: {localized(point.text, language)}"
        for point, tick in zip(strategy.points, ticks, strict=True)
        if not tick
    ]
    if judged.walk.failed:
        missed.append(f"follow-ups: {judged.walk.depth} of {judged.walk.length} passed")
    if answer.is_empty:
        missed = ["not answered"]
    level = judged.level.value
    return _result(asked, question, answer, tuple(parts), tuple(missed), level=level)


def result_of_kernel(
    asked: Asked, question: Question, answer: Answer, followups: Sequence[Followup], facts: Facts | None
) -> Result:
    from trainer.interview.rubric import kernel_parts

    if question.task is None:
        raise UsageError(f"{question.id} is no kernel task any more")
    parts, missed = kernel_parts(question.task, facts, answer.fields, went(followups, answer))
    best_us = facts.median_us if facts is not None and facts.accepted else None
    return _result(asked, question, answer, parts, missed, best_us=best_us)


def _result(
    asked: Asked,
    question: Question,
    answer: Answer,
    parts: tuple[Part, ...],
    missed: tuple[str, ...],
    *,
    level: str = "",
    best_us: float | None = None,
) -> Result:
    return Result(
        key=asked.key,
        question=asked.question,
        kind=asked.kind,
        topic=asked.topic,
        title=question.title,
        answered=not answer.is_empty,
        parts=parts,
        missed=missed,
        level=level,
        best_us=best_us,
    )


def gone(asked: Asked, answer: Answer, why: str) -> Result:
    """For a question that the bank has lost or broken since: it cannot be judged and counts for nothing."""
    part = Part("answer", None, 1.0, why)
    return Result(
        key=asked.key,
        question=asked.question,
        kind=asked.kind,
        topic=asked.topic,
        title={"en": asked.question},
        answered=not answer.is_empty,
        parts=(part,),
        missed=(why,),
    )


def _truth(asked: NumberAsked, language: str) -> str:
    unit = localized(asked.answer.unit, language)
    return f"{localized(asked.ask, language)} It is {asked.answer.value:.4g} {unit}".rstrip()


def _strategy(question: Question) -> Strategy:
    if question.strategy is None:
        raise UsageError(f"{question.id} is no strategy question any more")
    return question.strategy


def _number(asked: NumberAsked, text: str) -> float | None:
    try:
        return strategy_judge.parse_number(asked, text)
    except UsageError:
        return None


def file_that_counts(asked: Asked, answer: Answer) -> str | None:
    """The kernel to grade: the last file, or where the best run counts the one that was accepted fastest."""
    runs = [(from_data({k: v for k, v in t.items() if k != "text"}), str(t["text"])) for t in answer.tries]
    accepted = [(facts, text) for facts, text in runs if facts.accepted]
    if asked.best and accepted:
        inf = float("inf")
        return min(accepted, key=lambda run: (run[0].median_us or inf, -run[0].score))[1]
    return answer.file


def as_data(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(result)
    return data


def from_saved(data: dict[str, Any]) -> Result:
    return msgspec.convert(data, Result)
