from __future__ import annotations

import numpy as np
import pytest

from trainer.bank import draw
from trainer.bank.orders import ORDERS
from trainer.bank.rounding import BOUND, exact_quantum, quantum, sum_allowance


def test_the_step_of_a_grid_is_found() -> None:
    assert quantum(np.array([1.5, -0.25, 3.0])) == 0.25
    assert quantum(np.array([4.0, 12.0])) == 4.0
    assert quantum(np.array([0.1])) == 0.0


def test_sums_that_fit_24_bits_are_exact_and_larger_ones_are_not() -> None:
    assert exact_quantum(np.full(2**14, 1024.0)) == 1024.0
    assert exact_quantum(np.full(2**14, 1025.0)) == 0.0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 4099, 100_003])
def test_summable_values_add_up_exactly_in_any_order(order: str, count: int) -> None:
    values = draw.summable(np.random.default_rng(count), count)
    assert exact_quantum(values) > 0
    assert ORDERS[order](values) == values.sum(dtype=np.float64)


def test_one_element_left_out_of_an_exact_sum_is_beyond_the_allowance() -> None:
    values = draw.summable(np.random.default_rng(0), 100_003)
    assert sum_allowance(values) * BOUND < np.abs(values).min()


@pytest.mark.parametrize("order", ORDERS)
def test_real_values_stay_well_inside_the_allowance(order: str) -> None:
    for seed in range(20):
        values = draw.uniform(np.random.default_rng(seed), 1000, 0.0, 1.0)
        error = abs(float(ORDERS[order](values)) - values.sum(dtype=np.float64))
        assert error <= sum_allowance(values) * BOUND / 4


@pytest.mark.parametrize("values", ["random", "real", "cancelling", "negative", "equal", "spike"])
@pytest.mark.parametrize("count", [1, 2, 3, 1000])
def test_every_family_gives_normal_numbers_of_the_right_type(values: str, count: int) -> None:
    drawn = draw.family(np.random.default_rng(7), count, values)
    assert drawn is not None and drawn.dtype == np.float32 and drawn.shape == (count,)
    sizes = np.abs(drawn[drawn != 0])
    assert np.all(sizes >= np.finfo(np.float32).tiny)
