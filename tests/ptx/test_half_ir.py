"""f16 and bf16 arithmetic against exact rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.ptx.lanes import run
from tests.ptx.small_floats import NAN, round_exact, samples, to_float64
from trainer.ptx.lower import half_ir as half
from trainer.ptx.lower import small_float, vec

NAMES = ("f16", "bf16")
INFINITY = {"f16": 0x7C00, "bf16": 0x7F80}
ONE = {"f16": 0x3C00, "bf16": 0x3F80}
OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, lambda x, y: x + y),
    "sub": (2, lambda x, y: x - y),
    "mul": (2, lambda x, y: x * y),
    "fma": (3, lambda x, y, z: x * y + z),
}


def expected(operation: Callable[..., Any], name: str, operands: list[np.ndarray]) -> np.ndarray:
    """One rounding of the exact result; specials by f64 arithmetic."""
    columns = [to_float64(o, name) for o in operands]
    out = []
    with np.errstate(all="ignore"):
        for row in zip(*columns, strict=True):
            rough = operation(*row)
            if np.all(np.isfinite(row)):
                exact = operation(*map(Fraction, row))
                out.append(round_exact(exact, name, negative_zero=bool(np.signbit(rough)) and exact == 0))
            elif np.isnan(rough):
                out.append(NAN)
            else:
                out.append(INFINITY[name] | (0x8000 if rough < 0 else 0))
    return np.array(out, np.uint16)


def emitter(operation: str, name: str, mods: tuple[str, ...] = ()) -> Callable[..., vec.Value]:
    def emit(b: vec.Builder, *values: vec.Value) -> vec.Value:
        result: vec.Value = getattr(half, operation)(b, *values, small_float.BY_TYPE[name], mods)
        return result

    return emit


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_arithmetic_rounds_once(name: str, operation: str) -> None:
    arity, exact = OPERATIONS[operation]
    operands = samples(name, np.random.default_rng(11), arity)
    got = run(emitter(operation, name), operands, np.uint16)
    np.testing.assert_array_equal(got, expected(exact, name, operands))


@pytest.mark.parametrize("name", NAMES)
def test_a_fused_product_below_half_a_unit_still_breaks_a_tie(name: str) -> None:
    one, ulp = ONE[name], {"f16": 2**-10, "bf16": 2**-7}[name]
    tie = round_exact(Fraction(ulp) / 2, name)  # 1 + ulp/2 is halfway, the product tips it over
    tiny = round_exact(Fraction(ulp) * (1 + 2 * Fraction(ulp)), name)
    x = np.array([one, tie, tiny], np.uint16)
    halves = np.array([one - 1, one + 1, round_exact(Fraction(1, 2), name)], np.uint16)
    z = np.array([one, one, one], np.uint16)
    got = run(emitter("fma", name), [x, halves, z], np.uint16)
    np.testing.assert_array_equal(got, expected(OPERATIONS["fma"][1], name, [x, halves, z]))


@pytest.mark.parametrize("name", NAMES)
def test_saturation_clamps_to_the_unit_interval_and_nan_to_zero(name: str) -> None:
    operands = samples(name, np.random.default_rng(12), 2, 500)
    plain = run(emitter("add", name), operands, np.uint16)
    value = to_float64(plain, name)
    want = np.where(np.isnan(value) | (value <= 0), 0, np.where(value > 1, ONE[name], plain))
    np.testing.assert_array_equal(run(emitter("add", name, ("sat",)), operands, np.uint16), want)


@pytest.mark.parametrize("name", NAMES)
def test_relu_zeroes_negative_results_and_keeps_nan(name: str) -> None:
    operands = samples(name, np.random.default_rng(13), 3, 500)
    plain = run(emitter("fma", name), operands, np.uint16)
    want = np.where(to_float64(plain, name) <= 0, 0, plain)
    np.testing.assert_array_equal(run(emitter("fma", name, ("relu",)), operands, np.uint16), want)


def test_ftz_flushes_subnormal_operands_and_results() -> None:
    operands = samples("f16", np.random.default_rng(14), 2)
    flushed = [np.where(o & 0x7C00, o, o & 0x8000).astype(np.uint16) for o in operands]
    want = expected(OPERATIONS["mul"][1], "f16", flushed)
    want = np.where(want & 0x7C00, want, want & 0x8000)
    np.testing.assert_array_equal(run(emitter("mul", "f16", ("ftz",)), operands, np.uint16), want)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mods", [(), ("NaN",)])
@pytest.mark.parametrize("operation", ["smaller", "larger"])
def test_min_and_max_order_zeros_and_treat_nan_as_asked(
    name: str, operation: str, mods: tuple[str, ...]
) -> None:
    x, y = samples(name, np.random.default_rng(15), 2)
    got = run(emitter(operation, name, mods), [x, y], np.uint16)
    left, right = to_float64(x, name), to_float64(y, name)
    least = operation == "smaller"
    first = np.where(left == right, np.signbit(left) == least, (left < right) == least)
    want = np.where(first, x, y)
    nan_x, nan_y = np.isnan(left), np.isnan(right)
    if mods:
        want = np.where(nan_x | nan_y, NAN, want)
    else:
        want = np.where(nan_x & nan_y, NAN, np.where(nan_x, y, np.where(nan_y, x, want)))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operator", half.COMPARISONS)
def test_comparisons_know_about_nan(name: str, operator: str) -> None:
    x, y = samples(name, np.random.default_rng(16), 2, 1000)
    small = small_float.BY_TYPE[name]
    got = run(lambda b, p, q: half.compare(b, operator, p, q, small), [x, y], np.uint8)
    left, right = to_float64(x, name), to_float64(y, name)
    nan = np.isnan(left) | np.isnan(right)
    relation = {"eq": left == right, "ne": left != right, "lt": left < right, "le": left <= right,
                "gt": left > right, "ge": left >= right}  # fmt: skip
    if operator in ("num", "nan"):
        want = nan == (operator == "nan")
    else:
        want = np.where(nan, operator.endswith("u"), relation[operator[:2]])
    np.testing.assert_array_equal(got.astype(bool), want)


@pytest.mark.parametrize("name", NAMES)
def test_negation_and_absolute_value_touch_only_the_sign(name: str) -> None:
    (x,) = samples(name, np.random.default_rng(17), 1)
    np.testing.assert_array_equal(run(emitter("neg", name), [x], np.uint16), x ^ 0x8000)
    np.testing.assert_array_equal(run(emitter("absolute", name), [x], np.uint16), x & 0x7FFF)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operation", ["ex2", "tanh"])
def test_functions_are_within_one_unit_in_the_last_place(name: str, operation: str) -> None:
    x = np.arange(0, 1 << 16, 7).astype(np.uint16)
    got = to_float64(run(emitter(operation, name), [x], np.uint16), name)
    with np.errstate(all="ignore"):
        want = {"ex2": np.exp2, "tanh": np.tanh}[operation](to_float64(x, name))
        bits = run(lambda b, v: small_float.narrow(b, v, small_float.BY_TYPE[name]),
                   [want.astype(np.float32)], np.uint16)  # fmt: skip
        nearest = to_float64(bits, name)
        unit = {"f16": 2.0**-10, "bf16": 2.0**-7}[name] * np.maximum(np.abs(want), 2.0**-126)
        floor = {"f16": 2.0**-24, "bf16": 2.0**-133}[name]
        close = np.abs(got - want) <= np.maximum(unit, floor)
    assert np.all(close | (got == nearest) | (np.isnan(got) & np.isnan(want)))


def test_packed_operations_keep_the_halves_apart() -> None:
    rng = np.random.default_rng(18)
    x, y = (rng.integers(0, 1 << 32, 500, dtype=np.uint32) for _ in range(2))
    one_half = emitter("add", "f16")
    got = run(lambda b, p, q: half.packed(b, lambda *v: one_half(b, *v), [p, q]), [x, y], np.uint32)
    parts = [
        run(one_half, [(v >> shift).astype(np.uint16) for v in (x, y)], np.uint16).astype(np.uint32)
        for shift in (0, 16)
    ]
    np.testing.assert_array_equal(got, parts[0] | (parts[1] << 16))
