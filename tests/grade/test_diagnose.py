from __future__ import annotations

import numpy as np
import pytest

from trainer.bank.model import Tolerance
from trainer.grade.compare import compare
from trainer.grade.diagnose import Evidence, diagnose


def evidence(
    got: np.ndarray,
    expected: np.ndarray,
    *,
    values: str = "random",
    sizes: dict[str, int] | None = None,
    block: int = 256,
    unwritten: np.ndarray | None = None,
) -> Evidence:
    return Evidence(
        name="case",
        sizes=sizes or {"N": got.size},
        values=values,
        comparison=compare({"out": got}, {"out": expected}, Tolerance("ulp", 2)),
        got={"out": got},
        expected={"out": expected},
        block_threads=block,
        grid_threads=block * max(1, got.size // block) if block else 0,
        unwritten={} if unwritten is None else {"out": unwritten},
    )


def right(n: int, **more: object) -> Evidence:
    data = np.arange(1, n + 1, dtype=np.float32)
    return evidence(data, data.astype(np.float64), **more)  # type: ignore[arg-type]


def wrong(n: int, where: slice | np.ndarray = slice(None), value: float = -7.5, **more: object) -> Evidence:
    expected = np.arange(1, n + 1, dtype=np.float64)
    got = expected.astype(np.float32)
    got[where] = value + np.arange(got[where].size) ** 2
    return evidence(got, expected, **more)  # type: ignore[arg-type]


def test_right_answers_need_no_diagnosis() -> None:
    assert diagnose([right(5)]) == ""


@pytest.mark.parametrize(
    ("case", "guess"),
    [
        (wrong(100, slice(99, None)), "Only the last element of out differs"),
        (wrong(100, slice(96, None)), "Only the last 4 elements"),
        (wrong(1000, slice(256, None)), "Only the first block's 256 elements"),
        (wrong(1000, slice(512, None)), "whole number of blocks of 256"),
        (wrong(100, slice(0, 1)), "Only the first element"),
        (wrong(100, slice(3, None, 8)), "Every 8th element"),
    ],
)
def test_the_places_of_wrong_elements_tell(case: Evidence, guess: str) -> None:
    assert guess in diagnose([case])


@pytest.mark.parametrize(
    ("got", "guess"),
    [
        (np.full(8, np.nan), "NaN"),
        (np.zeros(8), "is 0"),
        (np.full(8, 36.0), "Every wrong element of out is 36"),
        (np.arange(1, 9) * 8.0, "8 times what is expected"),
        (np.arange(1, 9) * 1.001 + 1e-3, "nearly right"),
    ],
)
def test_the_values_of_wrong_elements_tell(got: np.ndarray, guess: str) -> None:
    expected = np.arange(1, 9, dtype=np.float64)
    assert guess in diagnose([evidence(got.astype(np.float32), expected)])


def test_lower_precision_is_guessed_although_some_results_cancel() -> None:
    expected = np.linspace(-5, 5, 101)
    got = (expected + 1e-3 * np.cos(np.arange(101))).astype(np.float32)
    assert "nearly right" in diagnose([evidence(got, expected)])


def test_memory_that_nobody_wrote_is_told_first() -> None:
    everything = wrong(300, unwritten=np.ones(300, bool))
    assert diagnose([everything]) == "out is never written."
    nothing = wrong(300, unwritten=np.ones(300, bool), block=0)
    assert "launches no kernel" in diagnose([nothing])
    tail = np.arange(300) >= 256
    assert "256 threads for 300 elements" in diagnose([wrong(300, slice(256, None), unwritten=tail)])


def test_a_multiple_that_explains_which_sizes_pass_is_named() -> None:
    cases = [right(256), right(512), wrong(100), wrong(257), wrong(1000)]
    assert "Right only where N is a multiple of 256." in diagnose(cases)


def test_a_limit_that_explains_which_sizes_pass_is_named() -> None:
    assert "Right up to N = 33, wrong from N = 1000 on." in diagnose(
        [right(3), right(33), wrong(1000), wrong(4097)]
    )
    assert "Wrong up to N = 3, right from N = 33 on." in diagnose([wrong(2), wrong(3), right(33), right(100)])


def test_special_values_that_alone_fail_are_named() -> None:
    cases = [right(10), right(20), wrong(30, values="large_shift")]
    assert "Right on random values; wrong on large shift." in diagnose(cases)


def test_swapped_extents_are_guessed_from_squares() -> None:
    cases = [
        right(16, sizes={"rows": 4, "cols": 4}),
        right(64, sizes={"rows": 8, "cols": 8}),
        wrong(12, sizes={"rows": 3, "cols": 4}),
    ]
    assert "square sizes only" in diagnose(cases)


def test_one_failing_size_is_too_little_for_a_pattern() -> None:
    assert "multiple" not in diagnose([right(256), right(512), wrong(100)])


def test_a_single_element_says_less_than_the_next_larger_case() -> None:
    one = wrong(1, unwritten=np.array([True]))
    three = wrong(3, slice(2, None), unwritten=np.array([False, False, True]))
    guess = "In case case: 1 of 3 elements of out are never written, from index 2 on: is the tail left out?"
    assert diagnose([one, three]) == guess
    nothing = wrong(3, unwritten=np.array([True, True, True]))
    assert diagnose([one, nothing]) == "out is never written." == diagnose([one])
