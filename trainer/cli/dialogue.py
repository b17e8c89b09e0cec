"""Asking at the prompt: numbers, words, which points were said, and follow-ups one at a time.

"q" or the end of the input leaves: nothing more is asked, and what is missing counts as not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from trainer.bank.library import Library
from trainer.bank.model import Text, localized
from trainer.bank.strategy import Aspect, Discussion, Followup, NumberAsked, QuizAsked, Strategy
from trainer.cli.output import Output
from trainer.errors import UsageError
from trainer.strategy.answer import FollowupAnswer
from trainer.strategy.judge import judge_number, parse_number, passed
from trainer.strategy.walk import walk

QUIT = ("q", "quit")
END = "."

T = TypeVar("T")


class Dialogue:
    """`left` once the learner has had enough."""

    def __init__(self, library: Library, out: Output, language: str) -> None:
        self.library = library
        self.out = out
        self.console = out.console()
        self.language = language
        self.left = False

    def number(self, asked: NumberAsked, label: str = "") -> tuple[str, float | None]:
        """What was typed, and the number it is; an empty line is no answer."""
        unit = localized(asked.answer.unit, self.language)
        prompt = f"{label}{f'[{unit}] ' if unit else ''}> "
        return self._until_understood(lambda typed: parse_number(asked, typed), None, prompt)

    def words(self) -> str:
        """Lines, up to one with a single full stop."""
        if self.left:
            return ""
        self.out.say(f"\nYour answer in words; a line with only {END!r} ends it.")
        lines = []
        while (line := self._line("| ")) is not None and line.strip() != END:
            lines.append(line)
        return "\n".join(lines).strip()

    def reveal(self, strategy: Strategy, values: Sequence[float | None]) -> None:
        """The numbers judged, and the model answer."""
        from trainer.cli.render_strategy import render_model_answer, render_result
        from trainer.cli.text import heading

        heading(self.console, "Numbers")
        for number, (asked, value) in enumerate(zip(strategy.numbers, values, strict=True), 1):
            render_result(self.console, asked, judge_number(asked, value), self.language, f"{number}. ")
        render_model_answer(self.console, strategy.answer, self.language)

    def ticks(self, points: Sequence[tuple[Aspect | None, Text]]) -> tuple[bool, ...]:
        """Which of the points the learner made, by the learner's own word."""
        from trainer.cli.render_strategy import render_points

        nothing = tuple(False for _ in points)
        if self.left:
            return nothing
        render_points(self.console, points, self.language)
        self.out.say("\nWhich of these did you say? Type their numbers, such as 1 3, or all, or none.")
        _, ticked = self._until_understood(lambda typed: ticks_in(typed, len(points)), nothing)
        return ticked

    def followups(self, line: Sequence[Followup]) -> tuple[FollowupAnswer, ...]:
        """Asks along the tree until its end, a failure or an end of patience."""
        answers: list[FollowupAnswer] = []
        while not self.left and (following := walk(line, [a.passed for a in answers]).next) is not None:
            self.out.say(f"\n{'Follow-up' if not answers else 'And'}:")
            answer = self._followup(following)
            if answer is not None:
                answers.append(answer)
        return tuple(answers)

    def _followup(self, followup: Followup) -> FollowupAnswer | None:
        """None if the learner left instead of answering."""
        item = followup.item
        if isinstance(item, QuizAsked):
            return self._quiz(item)
        if isinstance(item, Discussion):
            return self._discussion(item)
        from trainer.cli.render_strategy import render_number, render_result

        render_number(self.console, item, self.language)
        typed, value = self.number(item)
        if self.left:
            return None
        result = judge_number(item, value)
        render_result(self.console, item, result, self.language)
        return FollowupAnswer(typed, result.right)

    def _quiz(self, item: QuizAsked) -> FollowupAnswer | None:
        from trainer.cli.render_quiz import render_judgement, render_question
        from trainer.quiz.draw import draw
        from trainer.quiz.judge import judge, parse_answer

        drawn = draw(self.library.question(item.id), 0)
        render_question(self.console, drawn, self.language)
        typed, answer = self._until_understood(lambda typed: parse_answer(drawn, typed), None)
        if self.left or answer is None:
            return None
        judgement = judge(drawn, answer)
        render_judgement(self.console, drawn, judgement, self.language)
        return FollowupAnswer(typed, judgement.right)

    def _discussion(self, item: Discussion) -> FollowupAnswer | None:
        from trainer.cli.render_strategy import render_model_answer
        from trainer.cli.text import body

        body(self.console, localized(item.ask, self.language))
        text = self.words()
        if self.left:
            return None
        render_model_answer(self.console, item.answer, self.language)
        ticked = self.ticks([(None, point) for point in item.points])
        return FollowupAnswer(text, passed(item, ticked), ticked)

    def _until_understood(self, read: Callable[[str], T], nothing: T, prompt: str = "> ") -> tuple[str, T]:
        """Asks again for what `read` refuses with a UsageError; `nothing` once the learner has left."""
        while (typed := self._line(prompt)) is not None:
            try:
                return typed.strip(), read(typed)
            except UsageError as problem:
                self.out.say(problem.hint or problem.message)
        return "", nothing

    def _line(self, prompt: str) -> str | None:
        """One line; None, now and ever after, if the learner leaves."""
        if not self.left:
            try:
                typed = input(prompt)
            except EOFError:
                typed = QUIT[0]
            self.left = typed.strip().lower() in QUIT
        return None if self.left else typed


def ticks_in(typed: str, count: int) -> tuple[bool, ...]:
    """ "1 3" of four points is (True, False, True, False). Raises UsageError with advice."""
    words = typed.replace(",", " ").lower().split()
    if words == ["all"]:
        return (True,) * count
    if words == ["none"]:
        return (False,) * count
    if not words or not all(word.isdecimal() and 1 <= int(word) <= count for word in words):
        message = f"{typed.strip()!r} names no points"
        raise UsageError(message, hint=f"Type numbers from 1 to {count}, or all, or none.")
    chosen = {int(word) for word in words}
    return tuple(number in chosen for number in range(1, count + 1))
