"""The `.approx` functions: error against f64, and the special values that the PTX manual lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ptx.lanes import run
from trainer.ptx.lower import approx_ir as approx

F = np.float32
INF, NAN = np.inf, np.nan
TINY = F(1e-40)  # subnormal
REFERENCE: dict[str, Callable[..., Any]] = {
    "ex2": np.exp2,
    "lg2": np.log2,
    "rcp": np.reciprocal,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
}
RANGES = {"ex2": (-150, 129), "lg2": (0, 4), "tanh": (-4, 4)}
ULPS = {"ex2": 1.0, "lg2": 0.51, "rcp": 0.5, "sqrt": 0.5, "rsqrt": 1.5, "tanh": 3.0}


def call(operation: str, values: list[Any] | np.ndarray, mods: tuple[str, ...] = ()) -> np.ndarray:
    inputs = np.array(values, F)
    return run(lambda b, x: approx.unary(b, operation, x, mods), [inputs], F)


def same(got: np.ndarray, want: list[Any]) -> None:
    """Equal, signs of zeros included."""
    np.testing.assert_array_equal(got, np.array(want, F))
    np.testing.assert_array_equal(np.signbit(got), np.signbit(np.array(want, F)))


@pytest.mark.parametrize("operation", ULPS)
def test_error_stays_within_the_documented_bound(operation: str) -> None:
    rng = np.random.default_rng(31)
    low, high = RANGES.get(operation, (0, 8))
    wild = rng.integers(0, 1 << 32, 20000, dtype=np.uint32).view(F)
    with np.errstate(all="ignore"):
        x = np.concatenate([wild, rng.uniform(low, high, 20000), 1 + rng.uniform(-1e-3, 1e-3, 2000)]).astype(
            F
        )
        want = REFERENCE[operation](x.astype(np.float64))
        got = call(operation, x)
        near = want.astype(F)
        unit = np.maximum(np.abs(np.spacing(near)).astype(np.float64), 2.0**-149)
        error = np.abs(got.astype(np.float64) - want) / unit
    finite = np.isfinite(near) & np.isfinite(got)
    assert np.max(error[finite]) <= ULPS[operation]
    other = ~finite
    np.testing.assert_array_equal(np.isnan(got[other]), np.isnan(want[other]))
    overflowed = other & ~np.isnan(want)
    assert np.all(np.abs(got[overflowed].astype(np.float64)) >= 3.4e38)


@pytest.mark.parametrize("operation", ["sin", "cos"])
def test_sine_and_cosine_are_within_the_documented_absolute_error(operation: str) -> None:
    x = np.linspace(-np.pi, np.pi, 50001).astype(F)
    error = np.abs(call(operation, x) - REFERENCE[operation](x.astype(np.float64)))
    assert error.max() < 2.0**-23.9
    far = np.array([1e6, -1e9, 3e38], F)
    assert np.all(np.abs(call(operation, far)) <= 1)


def test_logarithm_is_accurate_relative_to_its_size_near_one() -> None:
    x = (1 + np.linspace(-1e-4, 1e-4, 2001)).astype(F)
    want = np.log2(x.astype(np.float64))
    assert np.max(np.abs(call("lg2", x) - want) / np.maximum(np.abs(want), 1e-12)) < 2.0**-23


def test_special_values_are_those_of_the_manual() -> None:
    same(
        call("ex2", [-INF, -0.0, 0.0, INF, 128, -127, -149, -151]),
        [0, 1, 1, INF, INF, 2.0**-127, 2.0**-149, 0],
    )
    same(call("lg2", [0.0, -0.0, INF, 1.0, 8.0, 2.0**-149]), [-INF, -INF, INF, 0, 3, -149])
    same(call("rcp", [INF, -INF, 0.0, -0.0]), [0.0, -0.0, INF, -INF])
    same(call("sqrt", [0.0, -0.0, INF]), [0.0, -0.0, INF])
    same(call("rsqrt", [0.0, -0.0, INF]), [INF, -INF, 0.0])
    same(call("sin", [0.0, -0.0]), [0.0, -0.0])
    same(call("cos", [0.0, -0.0]), [1, 1])
    same(call("tanh", [0.0, -0.0, INF, -INF, 50]), [0.0, -0.0, 1, -1, 1])


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [("ex2", [NAN]), ("lg2", [-1, -INF, NAN]), ("rcp", [NAN]), ("sqrt", [-1, -INF, NAN]),
     ("rsqrt", [-1, -INF]), ("sin", [INF, -INF, NAN]), ("cos", [INF, NAN]), ("tanh", [NAN])],
)  # fmt: skip
def test_every_nan_is_the_canonical_one(operation: str, arguments: list[float]) -> None:
    bits = call(operation, arguments).view(np.uint32)
    np.testing.assert_array_equal(bits, np.full(len(arguments), 0x7FFFFFFF, np.uint32))


def test_ftz_flushes_subnormal_operands_and_results() -> None:
    ftz = ("approx", "ftz")
    same(call("ex2", [-127, -126, TINY], ftz), [0, 2.0**-126, 1])
    same(call("lg2", [TINY, -TINY], ftz), [-INF, -INF])
    same(call("rcp", [TINY, -TINY, 3e38], ftz), [INF, -INF, 0])
    same(call("rsqrt", [TINY, -TINY], ftz), [INF, -INF])
    same(call("sqrt", [TINY, -TINY], ftz), [0.0, -0.0])
    same(call("sin", [TINY, -TINY], ftz), [0.0, -0.0])


def test_fast_division_loses_quotients_of_huge_divisors_and_full_division_does_not() -> None:
    x = np.array([3e38, INF, 1, 1, -1, 0], F)
    y = np.array([2.0**127, 2.0**127, 3, 0, 0, 0], F)
    fast = run(lambda b, p, q: approx.binary(b, p, q, ("approx",)), [x, y], F)
    full = run(lambda b, p, q: approx.binary(b, p, q, ("full",)), [x, y], F)
    third = F(1) / F(3)
    same(fast, [0, NAN, third, INF, -INF, NAN])
    same(full, [F(3e38) / F(2.0**127), INF, third, INF, -INF, NAN])


@pytest.mark.parametrize("operation", ["rcp", "rsqrt"])
def test_double_approximations_keep_the_upper_word(operation: str) -> None:
    x = np.abs(np.random.default_rng(32).standard_normal(1000)) * 1e3 + 1e-9
    got = run(lambda b, v: approx.unary(b, operation, v, ("approx", "ftz")), [x], np.float64)
    want = REFERENCE[operation](x)
    assert np.max(np.abs(got / want - 1)) < 2.0**-18
    assert not np.any(got.view(np.uint64) & 0xFFFFFFFF)
