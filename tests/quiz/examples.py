"""Questions made in memory."""

from __future__ import annotations

from pathlib import Path

from trainer.bank.model import Kind, Question
from trainer.bank.quiz import Form, Mistake, Numeric, Option, Provenance, Quiz, QuizFile


def en(text: str) -> dict[str, str]:
    return {"en": text}


def question(quiz: Quiz, id: str = "example") -> Question:
    path = Path("questions/basics") / f"{id}.yaml"
    file = QuizFile(Provenance.DERIVED, quiz=quiz)
    return Question(id, Kind.QUIZ, "basics", "easy", en("Title"), quiz.prompt, (), path, quiz=file)


def options(form: Form, right: int = 1) -> Question:
    """Five options, the first `right` of which are correct (all, for an ordering)."""
    correct = 5 if form is Form.ORDERING else right
    made = tuple(
        Option(en(f"option {i}"), i < correct, None if i < correct else en(f"why {i}")) for i in range(5)
    )
    return question(Quiz(form, en("Which?"), en("Because."), made))


def number(value: float = 1024, unit: str = "bytes") -> Question:
    mistakes = (Mistake(2 * value, en("That is double.")),)
    numeric = Numeric(value, en(unit), relative=0.01, mistakes=mistakes)
    return question(Quiz(Form.NUMERIC, en("How many?"), en("So many."), numeric=numeric))
