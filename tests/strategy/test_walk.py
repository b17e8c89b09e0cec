from __future__ import annotations

import pytest

from tests.strategy.examples import discussion, number, strategy
from trainer.bank.strategy import Followup
from trainer.strategy.walk import walk

LINE = strategy().followups


@pytest.mark.parametrize(
    ("passed", "asked", "depth", "following"),
    [
        ([], 0, 0, LINE[0]),
        ([True], 1, 1, LINE[1]),
        ([True, True, True], 3, 3, None),
        ([True, False], 2, 1, None),
        ([False], 1, 0, LINE[0].otherwise[0]),
        ([False, True], 2, 1, LINE[1]),
        ([False, False], 2, 0, None),
    ],
)
def test_a_passed_question_leads_on_and_a_failed_one_to_its_easier_line_or_the_end(
    passed: list[bool], asked: int, depth: int, following: Followup | None
) -> None:
    went = walk(LINE, passed)
    assert (went.asked, went.depth, went.next, went.length) == (asked, depth, following, 3)
    assert went.failed == (following is None and depth < 3)


def test_an_easier_line_leads_back_only_when_all_of_it_is_passed() -> None:
    easier = (Followup(number()), Followup(discussion()))
    line = (Followup(discussion(3), easier), Followup(discussion(1)))
    assert walk(line, [False, True]).next is easier[1]
    assert walk(line, [False, True, True]).next is line[1]
    assert walk(line, [False, True, False]).next is None


def test_easier_lines_may_have_easier_lines() -> None:
    last = Followup(number())
    line = (Followup(discussion(), (Followup(discussion(), (last,)),)), Followup(discussion(3)))
    assert walk(line, [False, False]).next is last
    assert walk(line, [False, False, True]).next is line[1]
    assert walk(line, [False, False, False]).failed


def test_results_beyond_the_end_are_left_aside() -> None:
    assert walk(LINE, [True, False, True, True]) == walk(LINE, [True, False])
    assert walk((), [True]).length == 0
