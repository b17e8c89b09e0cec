"""What questions in words claim about sectors and banks, by the simulator's own rules."""

from __future__ import annotations

import pytest

from trainer.bank.library import Library
from trainer.quiz.picture import cost_of
from trainer.quiz.request import Request
from trainer.sim.devices import find
from trainer.sim.occupancy import occupancy

LIBRARY = Library.open(environ={})


def banks(index: str, *, store: bool = False, block: tuple[int, int] = (32, 1), lanes: int = 32) -> int:
    return Request("shared", "float", index, store=store, block=block, lanes=lanes).cost


@pytest.mark.parametrize(
    ("question_id", "cost"),
    [
        ("exam-unit-or-double-stride", 8),
        ("exam-main-diagonal", 1),
        ("exam-row-and-four-columns", 4),
        ("is-padding-always-safe", 32),
        ("two-loads-far-apart", 1),
        ("why-xor-works", 1),
        ("reversed-access", 4),
        ("does-an-offset-halve-bandwidth", 5),
    ],
)
def test_the_picture_shows_what_the_answer_says(question_id: str, cost: int) -> None:
    file = LIBRARY.question(question_id).quiz
    assert file is not None and file.quiz is not None and file.quiz.picture is not None
    assert cost_of(file.quiz.picture) == cost


def test_the_tiles_of_a_16_wide_product_have_no_conflict_until_they_are_padded() -> None:
    square = (16, 16)
    assert banks("ty * 16 + 5", block=square) == 1  # As[ty][k]
    assert banks("5 * 16 + tx", block=square) == 1  # Bs[k][tx]
    assert banks("ty * 16 + tx", store=True, block=square) == 1
    assert banks("ty * 17 + tx", store=True, block=square) == 2


def test_one_extra_column_helps_32_wide_tiles_only() -> None:
    square = (16, 16)
    assert banks("tx * 16 + ty", block=square) == 8
    assert banks("tx * 17 + ty", block=square) == 2
    assert banks("tx * 18 + ty", block=square) == 1
    assert banks("ty * 18 + tx", store=True, block=square) == 2
    assert banks("33 * t") == 1


def test_the_interleaved_reduction_never_meets_more_than_eight_words_in_a_bank() -> None:
    steps = [1 << s for s in range(8)]
    degrees = [banks(f"{2 * k} * t", lanes=min(32, 256 // (2 * k))) for k in steps]
    assert degrees == [2, 4, 8, 8, 8, 4, 2, 1]


def test_tiles_padded_by_four_suit_float4_and_not_single_floats() -> None:
    assert Request("shared", "float4", "9 * t").cost == 4  # rows of 36 words, the least for float4
    assert Request("shared", "float4", "8 * t").cost == 32
    assert banks("36 * t") == 4


def test_occupancies_are_those_of_the_calculator() -> None:
    h200 = find("H200")
    assert occupancy(h200, 1024, 33, 0).fraction == 0.5
    assert occupancy(h200, 256, 32, 0).blocks * h200.multiprocessors == 1056
    assert (h200.shared_bytes_per_block_optin, find("A100").shared_bytes_per_block_optin) == (
        227 * 1024, 163 * 1024,
    )  # fmt: skip
