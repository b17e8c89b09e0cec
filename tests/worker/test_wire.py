from __future__ import annotations

import os
from typing import Any, TypeVar

import numpy as np
import pytest
from typing_extensions import TypeAliasType

from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Role
from trainer.grade.backend import ArgumentValue, RunOutcome, TimeOutcome, Timing
from trainer.grade.verdict import Verdict
from trainer.sim.report import Access, LaunchRecord, SimReport, Space, WorstRequest
from trainer.worker import wire
from trainer.worker.limits import MAX_SHARED_ARRAYS, SHARED_ARRAY_BYTES

T = TypeVar("T")


def there_and_back(value: object) -> object:
    return wire.build(type(value), wire.decode(*wire.encode(value)))


@pytest.mark.parametrize("value", [3, 2.5, None])
def test_a_scalar_argument_keeps_its_type(value: object) -> None:
    back = there_and_back(ArgumentValue("n", "int", Role.SCALAR, "int32", value))  # type: ignore[arg-type]
    assert isinstance(back, ArgumentValue)
    assert back.value == value and type(back.value) is type(value) and back.role is Role.SCALAR


@pytest.mark.parametrize("count", [0, 1, SHARED_ARRAY_BYTES // 8 - 1, SHARED_ARRAY_BYTES // 8, 100_001])
def test_arrays_are_bit_equal_on_both_sides_of_the_shared_memory_limit(count: int) -> None:
    array = np.random.default_rng(1).integers(0, 1 << 63, count).view(np.float64)
    back = there_and_back(ArgumentValue("a", "double*", Role.INPUT, "float64", array))
    assert isinstance(back, ArgumentValue) and isinstance(back.value, np.ndarray)
    assert back.value.tobytes() == array.tobytes() and back.value.shape == array.shape


def test_a_transposed_view_arrives_in_its_own_order() -> None:
    array = np.arange(12, dtype=np.int32).reshape(3, 4).T
    back = there_and_back(RunOutcome({"x": array}))
    assert isinstance(back, RunOutcome) and np.array_equal(back.outputs["x"], array)


def test_more_large_arrays_than_descriptors_still_arrive() -> None:
    arrays = {f"a{i}": np.full(SHARED_ARRAY_BYTES, i % 256, np.uint8) for i in range(MAX_SHARED_ARRAYS + 3)}
    message, descriptors = wire.encode(RunOutcome(arrays))
    assert len(descriptors) == MAX_SHARED_ARRAYS
    back = wire.build(RunOutcome, wire.decode(message, descriptors))
    assert all(np.array_equal(back.outputs[name], array) for name, array in arrays.items())


def test_type_aliases_are_seen_through() -> None:
    """NumPy 2.5 makes `NDArray` one, which Python 3.11 has no syntax for."""
    alias = TypeAliasType("alias", np.ndarray[Any, Any], type_params=(T,))
    array = np.ones(3)
    assert wire.build(alias[int] | int | None, array) is array
    assert wire.build(dict[str, alias[int]], {"a": array})["a"] is array


def test_a_full_report_survives() -> None:
    worst = WorstRequest((1, 2, 3), 4, 0xFFFFFFFF, tuple(range(32)), 8)
    access = Access("k", 3, "a[i] = 1;", Space.GLOBAL, "store", 4, 10, 40, 40, None, None, worst=worst)
    report = SimReport(launches=(LaunchRecord("k", (1, 1, 1), (32, 1, 1), 0, None),), access=(access,))
    outcome = RunOutcome({}, Verdict.HAZARD, "race", report=report, changed_inputs=("a",))
    assert there_and_back(outcome) == outcome


def test_numpy_scalars_become_plain_numbers() -> None:
    timing = Timing(np.float64(3.5), 3, 4, np.int64(20), True, None, None, 1, 0.5)  # type: ignore[arg-type]
    back = there_and_back(TimeOutcome(timing, {}))
    assert isinstance(back, TimeOutcome) and back.timing is not None
    assert back.timing.median_us == 3.5 and type(back.timing.p5_us) is float


def test_what_is_not_data_is_refused_and_leaves_no_descriptor() -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(TypeError, match="cannot cross"):
        wire.encode([np.zeros(SHARED_ARRAY_BYTES, np.uint8), object()])
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("hint", "plain"), [(int, "x"), (int, True), (ArgumentValue, 3), (tuple[int, int], [1])]
)
def test_a_wrong_type_is_an_error(hint: object, plain: object) -> None:
    with pytest.raises(TypeError):
        wire.build(hint, plain)


def test_bfloat16_arrays_keep_their_type_and_bits() -> None:
    array = np.arange(-300, 300, dtype=np.float32).astype(dtype_of("bfloat16"))
    back = there_and_back(RunOutcome({"x": array}))
    assert isinstance(back, RunOutcome) and back.outputs["x"].dtype == array.dtype
    assert back.outputs["x"].tobytes() == array.tobytes()
