from __future__ import annotations

import math

import numpy as np
import pytest

from trainer.gpu import sampling


def test_a_summary_is_what_numpy_says() -> None:
    samples = list(np.random.default_rng(1).random(37))
    found = sampling.summarize(samples)
    expected = np.quantile(samples, [0.5, 0.05, 0.95])
    assert np.allclose([found.median, found.p5, found.p95], expected) and found.count == 37


def test_equal_samples_settle_as_soon_as_there_are_enough() -> None:
    assert not sampling.settled([5.0] * 19, 20)
    assert sampling.settled([5.0] * 20, 20)


def test_noise_settles_later_than_calm() -> None:
    rng = np.random.default_rng(2)
    noisy = list(rng.normal(100, 5, 30))
    assert not sampling.settled(noisy, 20)
    assert sampling.settled(list(rng.normal(100, 0.3, 30)), 20)


def test_the_interval_covers_the_true_median_nineteen_times_in_twenty() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(400):
        samples = rng.exponential(1.0, 40)
        half = sampling.interval(samples) * np.median(samples)
        hits += abs(np.median(samples) - math.log(2)) < half
    assert hits / 400 > 0.93


def test_an_iteration_that_destroys_its_data_is_not_repeated_within_a_sample() -> None:
    assert sampling.batch(1.0, 6, 1, once=True) == 6
    assert sampling.batch(1.0, 6, 1) > 6


def test_samples_of_a_slow_baseline_are_kept_short() -> None:
    long, short = sampling.LONG_SAMPLE_US, sampling.LONG_BASELINE_SAMPLE_US
    assert sampling.batch(1000.0, 1, 1) * 1000.0 == long
    assert sampling.batch(1000.0, 1, 1, longest_us=short) * 1000.0 <= short
    assert sampling.batch(1e6, 2, 1, longest_us=short) == 1


def test_few_samples_say_nothing() -> None:
    assert sampling.interval([1.0] * 5) == math.inf


@pytest.mark.parametrize("sets", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("iteration_us", [0.0, 1.1, 30, 77, 500])
@pytest.mark.parametrize("operations", [0, 1, 5, 10_000])
def test_a_batch_is_whole_rounds_or_divides_one(sets: int, iteration_us: float, operations: int) -> None:
    count = sampling.batch(iteration_us, sets, operations)
    assert count >= 1 and (count % sets == 0 or sets % count == 0)
    assert count * operations <= sampling.MAX_GRAPH_NODES or count == 1
    if operations <= 1 and iteration_us >= 1:
        assert count * iteration_us >= min(sampling.SAMPLE_US, sets * iteration_us)
