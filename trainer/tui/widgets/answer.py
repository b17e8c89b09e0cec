"""Where a quiz is answered: options, a number, or a number for each marked line of a kernel."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from trainer.bank.model import localized
from trainer.bank.quiz import Form
from trainer.quiz.draw import LETTERS, Drawn
from trainer.quiz.judge import Judgement
from trainer.tui.widgets.lines_answer import LinesAnswer
from trainer.tui.widgets.number_input import NumberInput
from trainer.tui.widgets.options import QuizOptions

HOW = {
    Form.SINGLE: "a letter or a click answers, so do the arrows and Enter",
    Form.MULTIPLE: "pick every right one, Enter answers",
    Form.ORDERING: "pick them in order, Enter answers, Backspace takes back",
    Form.NUMERIC: "type a number, Enter answers",
    Form.LINES: "a number for each marked line; Enter goes on, and answers after the last",
}


class AnswerArea(Vertical):
    """`typed` is the answer as one would type it at the prompt; `QuizOptions.Picked` bubbles up."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drawn: Drawn | None = None

    def compose(self) -> ComposeResult:
        yield QuizOptions(id="options")
        yield NumberInput(id="number")
        yield LinesAnswer(id="lines")

    async def ask(self, drawn: Drawn, language: str) -> None:
        self._drawn = drawn
        options, number, rows = self._parts()
        options.ask(drawn, language)
        number.value, number.disabled = "", False
        if drawn.quiz.numeric is not None:
            unit = localized(drawn.quiz.numeric.unit, language)
            number.placeholder = f"a number{f', in {unit}' if unit else ''}"
        if drawn.quiz.analysis is not None:
            await rows.ask(drawn.quiz.analysis)
        options.display = drawn.form not in (Form.NUMERIC, Form.LINES)
        number.display, rows.display = drawn.form is Form.NUMERIC, drawn.form is Form.LINES
        self.focus_input()

    def focus_input(self) -> None:
        """The question stays where it is: it is read first."""
        options, number, rows = self._parts()
        if rows.display:
            rows.focus_next(scroll_visible=False)
        else:
            (options if options.display else number).focus(scroll_visible=False)

    @on(Input.Changed)
    def _typing(self, event: Input.Changed) -> None:
        if event.value:
            event.input.scroll_visible(animate=False)

    def goes_on(self) -> bool:
        """Whether Enter leads to another field instead of handing the answer in."""
        return self.query_one(LinesAnswer).display and self.query_one(LinesAnswer).focus_next()

    @property
    def typed(self) -> str:
        options, number, rows = self._parts()
        if number.display:
            return number.value
        if rows.display:
            return rows.typed
        at = options.highlighted
        if self._drawn is not None and self._drawn.form is Form.SINGLE and not options.picked:
            options.picked = [] if at is None else [at]
        return "".join(LETTERS[i] for i in options.picked)

    @property
    def missing(self) -> str:
        """What there is to do before an answer can be handed in; "" where that depends on what was typed."""
        options, *_ = self._parts()
        if self._drawn is None or not options.display:
            return ""
        some = "Not all have a place" if options.picked else "Nothing is picked"
        return f"{some} yet: {HOW[self._drawn.form]}."

    @property
    def begun(self) -> bool:
        """Whether anything was picked or typed."""
        options, number, rows = self._parts()
        if rows.display:
            return any(row.field.value.strip() for row in rows.rows)
        return bool(number.value.strip()) if number.display else bool(options.picked)

    def restore(self, typed: str) -> None:
        """Show an earlier answer to the same question, as `typed` gave it."""
        options, number, rows = self._parts()
        if rows.display:
            for row, word in zip(rows.rows, typed.split(), strict=False):
                row.field.value = "" if word == "?" else word
        elif number.display:
            number.value = typed
        else:
            options.restore([LETTERS.index(letter) for letter in typed if letter in LETTERS])

    def reveal(self, judgement: Judgement) -> None:
        """Answered: every part says what was right."""
        options, number, rows = self._parts()
        options.reveal()
        number.disabled = True
        if rows.display:
            rows.reveal(judgement.solution.split())

    def _parts(self) -> tuple[QuizOptions, Input, LinesAnswer]:
        return self.query_one(QuizOptions), self.query_one("#number", Input), self.query_one(LinesAnswer)
