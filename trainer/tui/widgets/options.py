"""The options of a quiz: pick one, several, or put them in order; by letter, space or mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from trainer.bank.model import localized
from trainer.bank.quiz import Form
from trainer.quiz.draw import LETTERS, Drawn
from trainer.tui.text import assemble, plain
from trainer.tui.widgets.fitted import Fitted, hanging


class QuizOptions(OptionList):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "space", "select", "Pick", id="quiz.pick", tooltip="Pick or unpick; in an ordering: next place"
        ),
        Binding(
            "backspace", "unpick", "Unpick", id="quiz.unpick", show=False, tooltip="Take the last pick back"
        ),
        Binding("pageup", "page(-1)", "Page up", id="quiz.page_up", show=False, tooltip="Scroll up"),
        Binding("pagedown", "page(1)", "Page down", id="quiz.page_down", show=False, tooltip="Scroll down"),
        *(
            Binding(letter, f"letter({index})", "Pick it", show=False, tooltip="The option of that letter")
            for index, letter in enumerate(LETTERS)
        ),
    ]

    @dataclass
    class Picked(Message):
        """`picked` holds the indexes of options, in the order of picking."""

        picked: tuple[int, ...]

    @dataclass
    class Paged(Message):
        """The question should scroll by a page, down (1) or up (-1)."""

        step: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self.picked: list[int] = []
        self._drawn: Drawn | None = None
        self._language = "en"
        self._answered = False

    def ask(self, drawn: Drawn, language: str) -> None:
        self._drawn, self._language, self.picked, self._answered = drawn, language, [], False
        self._redraw()
        self.highlighted = None  # Enter answers nothing that was not pointed at

    def restore(self, picked: list[int]) -> None:
        """Picks of an earlier time; those that there are no options for are left out."""
        self.picked = [index for index in picked if self._drawn and index < len(self._drawn.options)]
        self._redraw()

    def reveal(self) -> None:
        """Answered: every option says whether it was right."""
        self._answered = True
        self._redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "letter":
            return self._drawn is not None and parameters[0] in range(len(self._drawn.options))
        return True

    def action_letter(self, index: int) -> None:
        self.highlighted = index
        self.toggle(index)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.toggle(event.option_index)

    def action_unpick(self) -> None:
        if self.picked and not self._answered:
            self.picked.pop()
            self._redraw()

    def action_page(self, step: int) -> None:
        """The few options have no pages; the question around them may."""
        self.post_message(self.Paged(step))

    def action_cursor_down(self) -> None:
        super().action_cursor_down()
        self.scroll_visible(animate=False)

    def action_cursor_up(self) -> None:
        super().action_cursor_up()
        self.scroll_visible(animate=False)

    def toggle(self, index: int) -> None:
        if self._drawn is None or self._answered:
            return
        if self._drawn.form is Form.SINGLE:
            self.picked = [index]
        elif index in self.picked:
            self.picked.remove(index)
        else:
            self.picked.append(index)
        self._redraw()
        self.post_message(self.Picked(tuple(self.picked)))

    def _redraw(self) -> None:
        at = self.highlighted
        self.clear_options()
        if self._drawn is not None:
            self.add_options(Option(self._row(i)) for i in range(len(self._drawn.options)))
        self.highlighted = at

    def _row(self, index: int) -> Fitted:
        assert self._drawn is not None
        option = self._drawn.options[index]
        style = ""
        if self._answered and self._drawn.form is not Form.ORDERING:
            style = "$text-success" if option.correct else "$text-error" if index in self.picked else ""
        text = plain(localized(option.text, self._language), style)
        box, letter = f"{self._box(index)} ", f"{LETTERS[index]}  "
        row = assemble((box, "bold $accent"), (letter, "bold"), text)
        row = assemble(row, self._own_place(index)) if self._answered else row
        return hanging(row, len(box + letter))

    def _own_place(self, index: int) -> Content:
        """Where an ordering that was answered had this option, beside where it belongs."""
        assert self._drawn is not None
        if self._drawn.form is not Form.ORDERING:
            return Content("")
        if index not in self.picked:
            return plain("   ✗ not placed", "$text-error")
        place = self.picked.index(index)
        if place == self._drawn.solution.index(index):
            return plain("   ✓", "$text-success")
        return plain(f"   ✗ you: {place + 1}.", "$text-error")

    def _box(self, index: int) -> str:
        assert self._drawn is not None
        form, picked = self._drawn.form, index in self.picked
        if self._answered and form is Form.ORDERING:
            return f"{self._drawn.solution.index(index) + 1}."
        if self._answered:
            return "✓" if self._drawn.options[index].correct else "✗" if picked else " "
        if form is Form.ORDERING:
            return f"{self.picked.index(index) + 1}." if picked else " ."
        if form is Form.MULTIPLE:
            return "[x]" if picked else "[ ]"
        return "●" if picked else "○"
