"""From a quiz question and a seed to what is asked: a template's parameters, the order of the options."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from trainer.bank.model import Question
from trainer.bank.oracle import call_in, defined_at, load_file
from trainer.bank.quiz import Form, Option, Quiz
from trainer.errors import ContentError, Location

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Drawn:
    """A question as it is shown: `options` in the order of showing, each with its letter.

    `solution` holds indexes of options: the right ones, or for an ordering all in the right order.
    """

    question: Question
    seed: int
    quiz: Quiz
    options: tuple[Option, ...]
    solution: tuple[int, ...]

    @property
    def form(self) -> Form:
        return self.quiz.form


def draw(question: Question, seed: int) -> Drawn:
    """The same question and seed give the same again. Raises ContentError where a template fails."""
    if question.quiz is None:
        raise ContentError("is no quiz", where=Location(question.path))
    rng = random.Random(f"{question.id} {seed}")
    quiz = question.quiz.quiz or _from_template(question, rng)
    order = list(range(len(quiz.options)))
    rng.shuffle(order)
    if quiz.form is Form.ORDERING and order == sorted(order):
        order.reverse()  # shown in the right order it would not be a question
    if quiz.form is Form.ORDERING:
        solution = tuple(order.index(i) for i in range(len(order)))
    else:
        solution = tuple(shown for shown, i in enumerate(order) if quiz.options[i].correct)
    return Drawn(question, seed, quiz, tuple(quiz.options[i] for i in order), solution)


def _from_template(question: Question, rng: random.Random) -> Quiz:
    """What the template's `draw(rng)` answers."""
    path = question.quiz.template if question.quiz else None
    if path is None:
        raise ContentError("has neither a question nor a template", where=Location(question.path))
    function: Callable[[random.Random], Quiz] | None = getattr(load_file(path), "draw", None)
    if function is None:
        raise ContentError("has no function 'draw'", where=Location(path))
    quiz = call_in(path, function, rng)
    if not isinstance(quiz, Quiz):
        given = "nothing" if quiz is None else type(quiz).__name__
        raise ContentError(f"draw() should return a Quiz, not {given}", where=defined_at(path, function))
    for text in _texts(quiz):
        if not isinstance(text, Mapping):
            message = f"draw() gives {text!r} where texts by language belong"
            hint = 'Write text("in English", "in Chinese"), or {"en": "in English"}.'
            raise ContentError(message, where=defined_at(path, function), hint=hint)
    return quiz


def _texts(quiz: Quiz) -> Iterator[object]:
    yield from (quiz.prompt, quiz.explanation)
    yield from (text for option in quiz.options for text in (option.text, option.why) if text is not None)
    if quiz.numeric is not None:
        yield quiz.numeric.unit
        yield from (mistake.why for mistake in quiz.numeric.mistakes)
