from __future__ import annotations

import pytest

from tests.quiz.examples import number, options
from trainer.bank.quiz import Form
from trainer.errors import UsageError
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import judge, parse_answer, solution


def answered(drawn: Drawn, text: str) -> bool:
    return judge(drawn, parse_answer(drawn, text)).right


@pytest.mark.parametrize(
    ("form", "right"), [(Form.SINGLE, 1), (Form.MULTIPLE, 2), (Form.ORDERING, 5)], ids=str
)
def test_the_solution_as_typed_is_right_and_anything_else_wrong(form: Form, right: int) -> None:
    drawn = draw(options(form, right), 4)
    typed = solution(drawn)
    assert answered(drawn, typed)
    assert answered(drawn, " , ".join(typed.upper()))
    others = "abcde".replace(typed[0], "")
    wrong = {Form.SINGLE: others[0], Form.MULTIPLE: typed[0], Form.ORDERING: typed[::-1]}[form]
    assert not answered(drawn, wrong)


def test_a_wrong_option_is_told_why_and_a_missed_one_is_named() -> None:
    drawn = draw(options(Form.SINGLE), 1)
    wrong = next(i for i, option in enumerate(drawn.options) if not option.correct)
    judgement = judge(drawn, (wrong,))
    assert not judgement.right
    assert judgement.solution == "abcde"[drawn.solution[0]]
    assert [r.text["en"] for r in judgement.remarks] == [drawn.options[wrong].why["en"]]  # type: ignore[index]


@pytest.mark.parametrize(
    "text", ["1024", "1,024", "1 024", "1024 bytes", "1_024.0", "1.024e3", "2048/2", "1030", "+1024"]
)
def test_a_number_is_right_within_its_tolerance_however_it_is_written(text: str) -> None:
    assert answered(draw(number(), 1), text)


def test_a_decimal_comma_and_a_percent_sign_are_understood() -> None:
    assert answered(draw(number(12.5, "%"), 1), "12,5 %")


def test_a_known_mistake_is_told_why() -> None:
    drawn = draw(number(), 1)
    judgement = judge(drawn, parse_answer(drawn, "2048"))
    assert not judgement.right and judgement.remarks[0].text["en"] == "That is double."
    assert judge(drawn, 3.0).remarks == ()


@pytest.mark.parametrize("text", ["", "x", "--1", "1/0", "nan", "inf", "1;2", "12 apples", "."])
def test_what_is_no_number_is_refused_with_advice(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_answer(draw(number(), 1), text)
    assert "number" in caught.value.hint


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Form.SINGLE, ""),
        (Form.SINGLE, "f"),
        (Form.SINGLE, "ab"),
        (Form.MULTIPLE, "aa"),
        (Form.ORDERING, "abc"),
    ],
)
def test_what_is_no_answer_is_refused_with_advice(form: Form, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_answer(draw(options(form, 2 if form is Form.MULTIPLE else 1), 1), text)
    assert "Type" in caught.value.hint
