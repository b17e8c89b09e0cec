from __future__ import annotations

import numpy as np
import pytest

from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Tolerance
from trainer.grade.compare import compare

EXACT, ULP, TERMS = Tolerance("exact"), Tolerance("ulp", 2.0), Tolerance("terms", 5e-6)


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_equal_integers_are_right_and_use_none_of_the_tolerance() -> None:
    result = compare({"o": np.arange(5, dtype=np.int32)}, {"o": np.arange(5)}, EXACT)
    assert result.ok and result.used == 0 and result.elements == 5


def test_a_single_wrong_integer_is_found_with_its_index() -> None:
    got = np.arange(1000, dtype=np.int32)
    got[777] += 1
    result = compare({"o": got}, {"o": np.arange(1000)}, EXACT)
    assert not result.ok
    assert result.worst is not None
    assert (result.worst.index, result.worst.got, result.worst.expected) == (777, 778, 777)
    assert result.worst.wrong == 1


def test_integers_that_only_differ_beyond_double_precision_are_wrong() -> None:
    big = 2**60
    assert not compare({"o": np.array([big + 1])}, {"o": np.array([big])}, EXACT).ok


def test_the_last_element_counts() -> None:
    got = np.ones(10_001, np.float32)
    got[-1] = 0
    assert not compare({"o": got}, {"o": np.ones(10_001)}, ULP).ok


@pytest.mark.parametrize("tolerance", [EXACT, ULP, TERMS])
def test_nan_is_never_right_unless_expected(tolerance: Tolerance) -> None:
    terms = {"o": np.full(2, np.inf)}
    assert not compare({"o": floats(1, np.nan)}, {"o": np.array([1.0, 1.0])}, tolerance, terms).ok
    expected = np.array([1.0, np.nan])
    assert compare({"o": floats(1, np.nan)}, {"o": expected}, tolerance, {"o": np.ones(2)}).ok
    assert not compare({"o": floats(1, 2)}, {"o": expected}, tolerance, {"o": np.ones(2)}).ok


@pytest.mark.parametrize("tolerance", [EXACT, ULP])
def test_infinities_must_be_where_they_belong(tolerance: Tolerance) -> None:
    expected = {"o": np.array([np.inf, -np.inf, 1.0])}
    assert compare({"o": floats(np.inf, -np.inf, 1)}, expected, tolerance).ok
    assert not compare({"o": floats(-np.inf, -np.inf, 1)}, expected, tolerance).ok
    assert not compare({"o": floats(3e38, -np.inf, 1)}, expected, tolerance).ok
    assert not compare({"o": floats(np.inf, -np.inf, np.inf)}, expected, tolerance).ok


def test_a_reference_beyond_float_range_expects_infinity() -> None:
    assert compare({"o": floats(np.inf)}, {"o": np.array([1e40])}, ULP).ok


def test_ulps_are_those_of_the_reference_in_single_precision() -> None:
    one = np.float32(1)
    for steps, right in ((1, True), (2, True), (3, False)):
        got = one + np.float32(steps) * np.spacing(one)
        assert compare({"o": floats(got)}, {"o": np.array([1.0])}, ULP).ok is right


def test_a_flushed_subnormal_is_right() -> None:
    assert compare({"o": floats(0)}, {"o": np.array([1e-39])}, ULP).ok


def test_terms_scale_the_tolerance_not_the_result() -> None:
    cancelled = {"o": np.array([0.0])}
    assert compare({"o": floats(4e-3)}, cancelled, TERMS, {"o": np.array([1000.0])}).ok
    assert not compare({"o": floats(6e-3)}, cancelled, TERMS, {"o": np.array([1000.0])}).ok


def test_the_worst_element_is_the_one_most_out_of_tolerance() -> None:
    got, expected = {"o": floats(1.1, 1000.2)}, {"o": np.array([1.0, 1000.0])}
    result = compare(got, expected, TERMS, {"o": np.array([1.0, 1000.0])})
    assert result.worst is not None and result.worst.index == 0
    assert result.outputs[0].first is not None and result.outputs[0].first.index == 0
    assert result.worst.wrong == 2


def test_the_margin_is_reported_for_correct_results() -> None:
    result = compare({"o": floats(1 + 1e-6)}, {"o": np.array([1.0])}, TERMS, {"o": np.array([1.0])})
    assert 0.15 < result.used < 0.25
    assert result.worst is not None and result.worst.wrong == 0


def test_two_outputs_are_both_checked() -> None:
    got = {"a": floats(1), "b": floats(2)}
    result = compare(got, {"a": np.array([1.0]), "b": np.array([3.0])}, ULP)
    assert not result.ok and result.worst is not None and result.worst.output == "b"


def test_an_empty_output_is_right() -> None:
    assert compare({"o": np.zeros(0, np.float32)}, {"o": np.zeros(0)}, ULP).ok


def test_two_dimensional_outputs_compare_flat() -> None:
    assert compare({"o": np.ones(6, np.float32)}, {"o": np.ones((2, 3))}, ULP).ok


@pytest.mark.parametrize(
    ("got", "tolerance", "message"),
    [
        ({}, EXACT, "no output"),
        ({"o": floats(1, 2)}, EXACT, "2 elements"),
        ({"o": floats(1)}, TERMS, "terms"),
        ({"o": floats(1)}, Tolerance("relative", 1.0), "relative"),
    ],
)
def test_faults_of_the_task_are_no_verdict(
    got: dict[str, np.ndarray], tolerance: Tolerance, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare(got, {"o": np.array([1.0])}, tolerance)


def test_one_wrong_element_among_millions_is_found() -> None:
    expected = np.linspace(1, 2, 2_000_003)
    got = expected.astype(np.float32)
    assert compare({"o": got}, {"o": expected}, ULP).ok
    got[1_234_567] += 1e-3
    result = compare({"o": got}, {"o": expected}, ULP)
    assert not result.ok and result.outputs[0].wrong_count == 1
    assert result.worst is not None and result.worst.index == 1_234_567
    assert result.outputs[0].first == result.worst


def bfloat16(*values: float) -> np.ndarray:
    return np.array(values).astype(dtype_of("bfloat16"))


def test_rounding_an_output_to_bfloat16_costs_none_of_the_tolerance_for_the_sum() -> None:
    expected = np.linspace(-3, 3, 1001)
    terms = {"o": np.full(1001, 1e-3)}
    assert compare({"o": bfloat16(*expected)}, {"o": expected}, TERMS, terms).used == 0


def test_a_bfloat16_output_one_unit_off_is_wrong_where_the_sum_is_exact() -> None:
    expected = {"o": np.array([1.0, 256.0])}
    terms = {"o": np.full(2, 1e-3)}
    assert not compare({"o": bfloat16(1.0078125, 256)}, expected, TERMS, terms).ok
    assert compare({"o": bfloat16(1.0078125, 256)}, expected, ULP).ok
    assert not compare({"o": bfloat16(1, 262)}, expected, ULP).ok


def test_nan_and_infinity_in_a_bfloat16_output_are_only_right_where_they_are_expected() -> None:
    expected, terms = {"o": np.array([1.0, np.inf, 1e39])}, {"o": np.ones(3)}
    for tolerance in (ULP, TERMS):
        assert compare({"o": bfloat16(1, np.inf, np.inf)}, expected, tolerance, terms).ok
        assert not compare({"o": bfloat16(np.nan, np.inf, np.inf)}, expected, tolerance, terms).ok
        assert not compare({"o": bfloat16(1, 3e38, np.inf)}, expected, tolerance, terms).ok
    assert not compare({"o": bfloat16(np.nan)}, {"o": np.array([1.0])}, EXACT).ok
