from __future__ import annotations

from pathlib import Path

import pytest

from trainer.bank.index import read_entry
from trainer.bank.model import Question
from trainer.bank.quiz import Form, Provenance
from trainer.bank.roots import Root
from trainer.bank.schema import load_question
from trainer.errors import ContentError

SINGLE = """\
kind: quiz
level: easy
title: Colours
source: exam
form: single
statement: Which is it?
options:
  - {text: red, correct: true}
  - {text: green, why: It is not.}
explanation: It is red.
followups: [other]
picture: {space: shared, address: 4 * (t ^ 1), width: 4}
"""
NUMERIC = """\
kind: quiz
level: easy
title: Count
source: derived
form: numeric
statement: How many?
answer:
  value: 12
  unit: bytes
  mistakes:
    - {value: 24, why: That is double.}
explanation: Twelve.
gpu: H200
"""


def load(folder: Path, text: str) -> Question:
    path = folder / "questions" / "basics" / "colours.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_question(Root(folder), read_entry(path))


def test_a_quiz_with_options_is_read_whole(tmp_path: Path) -> None:
    file = load(tmp_path, SINGLE).quiz
    assert file is not None and file.quiz is not None
    assert (file.provenance, file.followups) == (Provenance.EXAM, ("other",))
    assert file.quiz.form is Form.SINGLE
    assert [(o.text["en"], o.correct) for o in file.quiz.options] == [("red", True), ("green", False)]
    assert file.quiz.picture is not None and file.quiz.picture.addresses[:4] == (4, 0, 12, 8)


def test_a_quiz_with_a_number_is_read_whole(tmp_path: Path) -> None:
    file = load(tmp_path, NUMERIC).quiz
    assert file is not None and file.quiz is not None and file.quiz.numeric is not None
    assert (file.quiz.numeric.value, file.quiz.gpu) == (12, "H200")
    assert [m.value for m in file.quiz.numeric.mistakes] == [24]


def test_options_of_an_ordering_stand_in_the_right_order(tmp_path: Path) -> None:
    text = SINGLE.replace("form: single", "form: ordering")
    text = text.replace("{text: red, correct: true}", "first").replace(
        "{text: green, why: It is not.}", "second"
    )
    file = load(tmp_path, text).quiz
    assert file is not None and file.quiz is not None
    assert [o.text["en"] for o in file.quiz.options] == ["first", "second"]


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (SINGLE, "form: single", "form: simple", 5, "'simple' is not known"),
        (SINGLE, "source: exam", "source: dream", 4, "'dream' is not known"),
        (SINGLE, "explanation: It is red.\n", "", 1, "'explanation' is missing"),
        (SINGLE, ", correct: true", ", correct: false, why: never", 8, "0 options are correct"),
        (SINGLE, ", why: It is not.", "", 9, "'why' is missing"),
        (SINGLE, "text: green", "text: ' RED '", 9, "equal option"),
        (SINGLE, "form: single", "form: numeric", 8, "has 'answer' instead"),
        (SINGLE, "width: 4", "width: 3", 12, "should be one of"),
        (SINGLE, "4 * (t ^ 1)", "4 * q", 12, "'q'"),
        (SINGLE, "4 * (t ^ 1)", "2 * t", 12, "multiples of 4"),
        (NUMERIC, "value: 24", "value: 12", 11, "would be accepted as right"),
        (NUMERIC, "unit: bytes\n", "unit: bytes\n  relative: 2\n", 10, "below 1"),
        (NUMERIC, "form: numeric", "template: none.py", 6, "'statement' is not known"),
    ],
)
def test_a_mistake_is_reported_at_its_line(
    tmp_path: Path, text: str, old: str, new: str, line: int, message: str
) -> None:
    assert old in text
    with pytest.raises(ContentError, match=message) as caught:
        load(tmp_path, text.replace(old, new))
    where = caught.value.where
    assert where is not None and where.line == line


def test_a_template_that_is_not_there_is_named(tmp_path: Path) -> None:
    text = "kind: quiz\nlevel: easy\ntitle: T\nsource: derived\ntemplate: none.py\n"
    with pytest.raises(ContentError, match=r"no Python file 'none\.py'"):
        load(tmp_path, text)
