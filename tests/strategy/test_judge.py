from __future__ import annotations

import pytest

from tests.strategy.examples import discussion, number, strategy
from trainer.errors import UsageError
from trainer.strategy.judge import Level, judge, judge_number, parse_number, passed

RIGHT = [4.8, 112.0]
WRONG = [1.0, None]


@pytest.mark.parametrize(
    "text", ["4.8", "4,8 TB/s", "4800 GB/s", "4.8 TB / s", "4.8e12 B/s", "24/5", "4.8 tb/s"]
)
def test_a_number_is_understood_in_any_unit_of_its_kind(text: str) -> None:
    value = parse_number(number(), text)
    assert value == pytest.approx(4.8)
    assert judge_number(number(), value).right


def test_binary_prefixes_are_not_decimal_ones() -> None:
    assert parse_number(number(1, "MiB"), "1 MB") == pytest.approx(1e6 / 2**20)
    assert parse_number(number(112, "us"), "0.112 ms") == pytest.approx(112)
    assert parse_number(number(3, "µs"), "3 us") == 3
    assert parse_number(number(1, "TFLOP/s"), "1 TFLOPS") == 1


@pytest.mark.parametrize("text", ["4.8 s", "4.8 apples", "fast", "1e999", "1/0", "TB/s"])
def test_what_is_no_such_number_is_refused_with_the_unit_that_is_asked_for(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_number(number(), text)
    assert "TB/s" in caught.value.hint


def test_nothing_is_no_answer() -> None:
    assert parse_number(number(), "  ") is None
    assert not judge_number(number(), None).right


def test_a_known_mistake_is_told_why() -> None:
    result = judge_number(number(), 3.35)
    assert result.remark == {"en": "That is an H100."}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (4800, "1,000 times too large: check the unit, TB/s"),
        (0.0048, "1,000 times too small"),
        (9.6, "2 times too large: check the factors"),
        (4.8 * 1024, "1,024 times too large"),
    ],
)
def test_a_slip_of_unit_or_factor_is_named(value: float, said: str) -> None:
    remark = judge_number(number(), value).remark
    assert remark is not None and said in remark["en"]


def test_another_wrong_number_is_only_wrong() -> None:
    result = judge_number(number(), 7)
    assert (result.right, result.remark) == (False, None)


def test_numbers_and_points_count_one_each() -> None:
    judgement = judge(strategy(), [4.8, None], [True, True, False, False, True, False])
    assert (judgement.earned, judgement.possible, judgement.score) == (4, 8, 50)


@pytest.mark.parametrize(
    ("numbers", "ticked", "followups", "level"),
    [
        (RIGHT, "111111", [True, True, True], Level.A),
        (RIGHT, "111011", [True, True, False], Level.A),  # three quarters, and two follow-ups deep
        (RIGHT, "111111", [], Level.A),  # nobody asked on
        (WRONG, "111111", [True, True], Level.B),  # the principle without numbers
        (RIGHT, "111100", [True, True], Level.B),  # numbers, but no word on work and measuring
        (RIGHT, "111111", [True, False], Level.C),  # recited: fails within two follow-ups
        (RIGHT, "110011", [True, True, True], Level.C),  # half of the principle
        (RIGHT, "000000", [], Level.C),
        (WRONG, "000000", [True, True, True], Level.D),
    ],
)
def test_the_level_is_that_of_the_matrix(
    numbers: list[float | None], ticked: str, followups: list[bool], level: Level
) -> None:
    assert judge(strategy(), numbers, [t == "1" for t in ticked], followups).level is level


@pytest.mark.parametrize(("points", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3)])
def test_a_discussion_is_passed_with_more_than_half_of_its_points(points: int, needed: int) -> None:
    ticks = [True] * needed + [False] * (points - needed)
    assert passed(discussion(points), ticks)
    assert not passed(discussion(points), [False, *ticks[1:]])


def test_answers_that_do_not_fit_the_question_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        judge(strategy(), [4.8], [True] * 6)
