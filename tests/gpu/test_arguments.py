from __future__ import annotations

import numpy as np
import pytest

from tests.gpu.fake_driver import FakeDriver
from trainer.bank.model import Role
from trainer.gpu.arguments import BoundArguments
from trainer.gpu.memory import Memory
from trainer.grade.backend import ArgumentValue

A = np.arange(5, dtype=np.float32)


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver()


def bind(driver: FakeDriver, *, zeroed: bool = False) -> BoundArguments:
    arguments = (
        ArgumentValue("A", "const float*", Role.INPUT, "float32", A),
        ArgumentValue("out", "int*", Role.OUTPUT, "int32", shape=(2, 3), zeroed=zeroed),
        ArgumentValue("N", "int", Role.SCALAR, "int32", 5),
        ArgumentValue("eps", "float", Role.SCALAR, "float32", 0.5),
    )
    return BoundArguments(driver, Memory(driver, 1), arguments)


def test_values_are_addresses_and_numbers_in_order(driver: FakeDriver) -> None:
    bound = bind(driver)
    assert bound.values[2:] == (5, 0.5)
    assert driver.view(int(bound.values[0]), 20).view(np.float32).tolist() == A.tolist()
    assert bound.nbytes == 44


def test_outputs_come_back_in_shape_and_type(driver: FakeDriver) -> None:
    bound = bind(driver)
    driver.view(int(bound.values[1]), 24).view(np.int32)[:] = range(6)
    out = bound.outputs()["out"]
    assert out.dtype == np.int32 and out.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_outputs_are_poisoned_or_zeroed_as_the_task_says(driver: FakeDriver) -> None:
    assert bind(driver).outputs()["out"].any()
    bound = bind(driver, zeroed=True)
    assert not bound.outputs()["out"].any()
    driver.view(int(bound.values[1]), 24)[:] = 1
    bound.reset_outputs()
    assert not bound.outputs()["out"].any()


def test_what_is_overwritten_in_place_is_an_output_whose_data_can_be_put_back(driver: FakeDriver) -> None:
    array = ArgumentValue("A", "float*", Role.INOUT, "float32", A, A.shape)
    bound = BoundArguments(driver, Memory(driver, 1), (array,))
    driver.view(int(bound.values[0]), 20).view(np.float32)[:] = 7
    assert bound.in_place and bound.changed_inputs() == ()
    assert bound.outputs()["A"].tolist() == [7.0] * 5
    bound.reset_outputs()
    assert bound.outputs()["A"].tolist() == A.tolist()


def test_a_changed_input_is_named_also_by_the_sign_of_zero(driver: FakeDriver) -> None:
    bound = bind(driver)
    assert bound.changed_inputs() == ()
    driver.view(int(bound.values[0]), 20).view(np.float32)[0] = -0.0
    assert bound.changed_inputs() == ("A",)
