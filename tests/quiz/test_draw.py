from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.quiz.examples import number, options
from trainer.bank.model import Question
from trainer.bank.quiz import Form, Provenance, QuizFile
from trainer.errors import ContentError
from trainer.quiz.draw import draw

TEMPLATE = """\
from trainer.quiz.build import Wrong, ask_number, text

def draw(rng):
    n = rng.randrange(10, 1000)
    wrongs = [Wrong(n + 1, text("one more", "多一个")), Wrong(2 * n, text("double", "两倍"))]
    return ask_number(rng, text(f"{n}?", f"{n}？"), n, text("bytes", "字节"), wrongs, text("yes", "是"))
"""


def from_template(folder: Path, source: str) -> Question:
    path = folder / "template.py"
    path.write_text(source, encoding="utf-8")
    return replace(number(), quiz=QuizFile(Provenance.DERIVED, template=path))


def test_the_same_seed_draws_the_same_question() -> None:
    question = options(Form.SINGLE)
    assert draw(question, 3) == draw(question, 3)
    assert len({str(draw(question, seed).options) for seed in range(20)}) > 5


@pytest.mark.parametrize("seed", range(20))
def test_the_solution_points_at_the_right_options(seed: int) -> None:
    single = draw(options(Form.SINGLE), seed)
    assert [single.options[i].text["en"] for i in single.solution] == ["option 0"]
    multiple = draw(options(Form.MULTIPLE, right=3), seed)
    assert {multiple.options[i].text["en"] for i in multiple.solution} == {"option 0", "option 1", "option 2"}
    ordering = draw(options(Form.ORDERING), seed)
    assert [ordering.options[i].text["en"] for i in ordering.solution] == [f"option {i}" for i in range(5)]


def test_an_ordering_is_never_shown_in_its_right_order() -> None:
    assert all(draw(options(Form.ORDERING), seed).solution != (0, 1, 2, 3, 4) for seed in range(500))


def test_a_template_draws_another_question_for_another_seed(tmp_path: Path) -> None:
    question = from_template(tmp_path, TEMPLATE)
    drawn = [draw(question, seed) for seed in range(10)]
    assert len({d.quiz.prompt["en"] for d in drawn}) > 5
    assert drawn[0] == draw(question, 0)
    assert {d.form for d in drawn} == {Form.SINGLE}


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("def draw(rng):\n    return 1 // 0\n", 2, "draw.* failed: ZeroDivisionError"),
        ("def drew(rng): ...\n", None, "has no function 'draw'"),
        ("def draw(rng):\n    return 7\n", 1, "should return a Quiz, not int"),
        ("import nothing_of_this_name\n", 1, "cannot be imported"),
    ],
)
def test_a_broken_template_is_a_content_error_at_its_line(
    tmp_path: Path, source: str, line: int | None, message: str
) -> None:
    with pytest.raises(ContentError, match=message) as caught:
        draw(from_template(tmp_path, source), 1)
    where = caught.value.where
    assert where is not None and where.line == line and Path(where.file).name == "template.py"
