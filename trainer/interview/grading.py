"""After the end: every question judged, kernels through the grader, and each kept in the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from trainer.bank.library import Library
from trainer.bank.model import Kind, Question
from trainer.errors import StoreError, UsageError
from trainer.grade.options import Options
from trainer.grade.reporter import Reporter
from trainer.interview import facts as facts_of
from trainer.interview.facts import Facts
from trainer.interview.judge import (
    file_that_counts,
    gone,
    result_of_kernel,
    result_of_quiz,
    result_of_strategy,
    saved_strategy,
)
from trainer.interview.plan import Asked
from trainer.interview.result import Result
from trainer.interview.state import Answer, State
from trainer.worker import attempt
from trainer.worker.backends import Backends


class Grading:
    """Judges what has no result yet. `warn` hears of attempts that could not be kept."""

    def __init__(
        self,
        library: Library,
        language: str,
        backends: Callable[[], Backends],
        now: Callable[[], datetime],
        warn: Callable[[str], None],
        device_model: str = "H200",
        reporter: Reporter | None = None,
    ) -> None:
        self._library = library
        self._language = language
        self._backends = backends
        self._now = now
        self._warn = warn
        self._device_model = device_model
        self._reporter = reporter or Reporter()

    def results(self, state: State) -> Iterator[Result]:
        """One after the other, to be saved as they come."""
        for asked in state.to_grade:
            yield self.result(asked, state.answer(asked.key))

    def result(self, asked: Asked, answer: Answer) -> Result:
        """A question that the bank no longer has counts for nothing, and says so."""
        try:
            question = self._library.question(asked.question)
            if asked.kind is Kind.KERNEL:
                return self._kernel(asked, question, answer)
            if asked.kind is Kind.STRATEGY:
                return self._strategy(asked, question, answer)
            return self._quiz(asked, question, answer)
        except UsageError as problem:
            return gone(asked, answer, problem.message)

    def _quiz(self, asked: Asked, question: Question, answer: Answer) -> Result:
        from trainer.quiz.draw import draw
        from trainer.quiz.judge import judge, parse_answer
        from trainer.quiz.record import record

        typed = answer.fields.get("answer", "")
        if typed.strip():
            drawn = draw(question, asked.seed)
            try:
                judgement = judge(drawn, parse_answer(drawn, typed))
                self._keep(lambda: record(drawn, typed, judgement, answer.spent_s))
            except UsageError:
                pass  # what cannot be read is wrong; the result says why
        return result_of_quiz(asked, question, answer, self._language)

    def _strategy(self, asked: Asked, question: Question, answer: Answer) -> Result:
        from trainer.strategy.record import record

        result = result_of_strategy(asked, question, answer, self._language)
        if not answer.is_empty:
            saved, judgement = saved_strategy(question, answer)
            self._keep(lambda: record(question, saved, judgement, answer.spent_s, self._now()))
        return result

    def _kernel(self, asked: Asked, question: Question, answer: Answer) -> Result:
        source = file_that_counts(asked, answer)
        facts = self._facts(question, source) if source and source.strip() else None
        return result_of_kernel(asked, question, answer, self._library.followups(question), facts)

    def _facts(self, question: Question, source: str) -> Facts:
        options = Options(attempt.draw_seed(), device_model=self._device_model, language=self._language)
        grade = attempt.grade_source(self._library, question, source, options, self._backends, self._reporter)
        self._keep(lambda: attempt.remember(grade, source))
        if question.task is None:
            raise UsageError(f"{question.id} is no kernel task any more")
        return facts_of.of_grade(question.task, grade)

    def _keep(self, record: Callable[[], None]) -> None:
        try:
            record()
        except StoreError as problem:
            self._warn(f"this attempt is not in your history: {problem}")
