from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.grade.fakes import DOUBLE
from trainer.bank.model import Array, CaseSpec, Inputs, KernelTask, Oracle, Role
from trainer.errors import ContentError
from trainer.grade.cases import build_case
from trainer.grade.defences import order_cases

SPEC = CaseSpec("N=5", {"N": 5})


def test_arguments_come_in_the_order_of_the_signature_with_shapes_and_types() -> None:
    case = build_case(DOUBLE, SPEC, seed=1)
    assert [a.name for a in case.arguments] == ["input", "output", "N"]
    data, output, count = case.arguments
    assert isinstance(data.value, np.ndarray) and data.value.dtype == np.float32
    assert output.role is Role.OUTPUT and output.shape == (5,) and output.value is None
    assert count.value == 5 and isinstance(count.value, int)
    assert case.elements == 5


def in_place(oracle: Oracle) -> KernelTask:
    """Doubles its only array where it is."""
    array = replace(DOUBLE.arguments[1], role=Role.INOUT)
    return replace(DOUBLE, arguments=(array, DOUBLE.arguments[2]), oracle=oracle)


def drawn(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> Inputs:
    return {"output": rng.random(sizes["N"], dtype=np.float32), "N": sizes["N"]}


def test_an_array_that_is_overwritten_has_a_value_and_an_answer() -> None:
    oracle = Oracle(lambda output, N: {"output": 2.0 * output.astype(np.float64)}, drawn)
    case = build_case(in_place(oracle), SPEC, seed=1)
    given = case.arguments[0].value
    assert isinstance(given, np.ndarray) and np.array_equal(case.expected["output"], 2.0 * given)


def test_a_reference_that_changes_its_inputs_is_a_content_error() -> None:
    def doubled(output: Array, N: int) -> dict[str, Array]:
        output *= 2
        return {"output": output}

    with pytest.raises(ContentError, match="read-only"):
        build_case(in_place(Oracle(doubled, drawn)), SPEC, seed=1)


def test_equal_seeds_give_equal_cases_and_others_do_not() -> None:
    def drawn(seed: int, name: str = "N=5") -> bytes:
        value = build_case(DOUBLE, replace(SPEC, name=name), seed).arguments[0].value
        assert isinstance(value, np.ndarray)
        return value.tobytes()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, "another case")


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        (Oracle(lambda **k: {"other": np.ones(5)}, DOUBLE.oracle.inputs), "gives .'other'"),
        (Oracle(lambda **k: {"output": np.ones(4)}, DOUBLE.oracle.inputs), "the shape"),
        (Oracle(DOUBLE.oracle.reference, lambda r, s, v: {"N": 5}), "gives no 'input'"),
        (Oracle(DOUBLE.oracle.reference, lambda r, s, v: {"N": 5, "input": np.ones(6)}), "declared is"),
    ],
)
def test_an_oracle_that_does_not_fit_is_a_content_error(oracle: Oracle, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        build_case(replace(DOUBLE, oracle=oracle), SPEC, seed=1)


def test_an_oracle_that_fails_is_told_with_its_line() -> None:
    def broken(**_: object) -> dict[str, np.ndarray]:
        raise ZeroDivisionError("oops")

    with pytest.raises(ContentError, match=r"test_cases.py:\d+: .*ZeroDivisionError: oops"):
        build_case(replace(DOUBLE, oracle=Oracle(broken, DOUBLE.oracle.inputs)), SPEC, seed=1)


def test_the_case_that_is_repeated_is_a_random_one_of_middling_size() -> None:
    ordered = order_cases(DOUBLE.cases)
    assert sorted(c.name for c in ordered) == sorted(c.name for c in DOUBLE.cases)
    assert ordered[-1].values == "random" and ordered[-1].sizes["N"] == 255
