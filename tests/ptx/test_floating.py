# ruff: noqa: E501  (code in another language reads better unbroken)
"""f32 and f64 arithmetic against exact rational arithmetic and NumPy."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import floats32, floats64, pairs, run_lines, run_op, triples
from trainer.ptx.translate import SMALL

Array = np.ndarray[Any, Any]
OPERATIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
              "div": lambda a, b: a / b}  # fmt: skip
FORMAT = {"f32": (24, -149, 2.0**128, np.float32), "f64": (53, -1074, None, np.float64)}


def same(got: Array, expected: Array) -> None:
    """Bit-equal, any NaN equal to any NaN."""
    with np.errstate(all="ignore"):
        both = np.isnan(got) & np.isnan(expected)
    wrong = ~both & (got.view(f"u{got.itemsize}") != expected.view(f"u{got.itemsize}"))
    assert not wrong.any(), [(k, got[k], expected[k]) for k in np.flatnonzero(wrong)[:5]]


def flushed(x: Array) -> Array:
    tiny = np.abs(x) < np.float32(1.17549435e-38)
    return np.where(tiny, np.copysign(np.float32(0), x), x).astype(np.float32)


def rounded(exact: Fraction, mode: str, kind: str, zero: float = 0.0) -> Any:
    """`exact` in a float format, by definition: the neighbour that the mode names."""
    bits, least, _, scalar = FORMAT[kind]
    if exact == 0:
        return scalar(zero)
    size = abs(exact)
    exponent = max(
        math.frexp(float(size))[1]
        if size < 2**1000 and size > Fraction(1, 2**1000)
        else size.numerator.bit_length() - size.denominator.bit_length(),
        least + bits,
    )
    while size >= Fraction(2) ** exponent:
        exponent += 1
    while exponent > least + bits and size < Fraction(2) ** (exponent - 1):
        exponent -= 1
    unit = Fraction(2) ** (exponent - bits)
    count = size / unit
    floor = count.numerator // count.denominator
    up = floor != count and mode == {True: "rp", False: "rm"}[exact > 0]
    value = (floor + up) * unit
    top = Fraction(float(np.finfo(scalar).max))
    if value > top:
        value = top if mode == "rz" or mode != ("rp" if exact > 0 else "rm") else None
    result = scalar(np.inf) if value is None else scalar(float(value))
    return -result if exact < 0 else result


def exactly(kind: str, mode: str, columns: list[Array], formula: Any, zero: Any) -> Array:
    scalar = FORMAT[kind][3]
    return np.array(
        [
            rounded(formula(*map(Fraction, map(float, row))), mode, kind, zero(*row))
            for row in zip(*columns, strict=True)
        ],
        dtype=scalar,
    )


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_nearest_rounding_is_that_of_ieee(op: str, kind: str) -> None:
    a, b = pairs(floats32() if kind == "f32" else floats64())
    got = run_op(f"{op}.rn.{kind}", [a, b], [kind, kind], kind).view(a.dtype)
    with np.errstate(all="ignore"):
        same(got, OPERATIONS[op](a, b))


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div"])
def test_ftz_flushes_inputs_and_results_to_signed_zero(op: str) -> None:
    a, b = pairs(floats32())
    got = run_op(f"{op}.rn.ftz.f32", [a, b], ["f32", "f32"], "f32").view(np.float32)
    with np.errstate(all="ignore"):
        same(got, flushed(OPERATIONS[op](flushed(a), flushed(b))))


@pytest.mark.parametrize("op", ["mul", "fma"])
def test_a_kernel_with_much_code_flushes_as_others_do(op: str) -> None:
    columns = triples(floats32()) if op == "fma" else pairs(floats32())
    types = ["f32"] * len(columns)
    operands = ", ".join(f"%a{k}" for k in range(len(columns)))
    got = run_lines(f"{op}.rn.ftz.f32 %d0, {operands};\n" * (SMALL + 1), columns, types, ["f32"])[0]
    unflushed = run_op(f"{op}.rn.f32", [flushed(c) for c in columns], types, "f32")
    same(got.view(np.float32), flushed(unflushed.view(np.float32)))


def test_a_subnormal_saturated_without_ftz_is_flushed_where_a_later_instruction_reads_it_with_ftz() -> None:
    tiny = np.array([2.0**-140, 0.5], np.float32)
    lines = "mul.rn.sat.f32 %d0, %a0, 0f3F800000;\nmul.rn.ftz.f32 %d1, %d0, 0f7B800000;\n"  # 1, 2^120
    saturated, product = run_lines(lines, [tiny], ["f32"], ["f32", "f32"])
    same(saturated.view(np.float32), tiny)
    same(product.view(np.float32), flushed(tiny) * np.float32(2.0**120))


def finite_columns(columns: list[Array], *, divide: bool = False) -> list[Array]:
    keep = np.all([np.isfinite(c) for c in columns], axis=0)
    if divide:
        keep &= columns[1] != 0
    return [c[keep] for c in columns]


def sum_zero(mode: str) -> Any:
    """Sign of an exactly zero sum: -0 when rounding down, unless both terms are +0."""

    def zero(a: float, b: float) -> float:
        signs = [math.copysign(1, a), math.copysign(1, b)]
        if signs[0] == signs[1]:
            return math.copysign(0.0, signs[0])
        return -0.0 if mode == "rm" else 0.0

    return zero


def product_zero(a: float, b: float) -> float:
    return math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b))


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("op", ["add", "mul", "div"])
def test_directed_rounding_is_right_to_the_last_bit(op: str, kind: str, mode: str) -> None:
    values = floats32(150) if kind == "f32" else floats64(150)
    if kind == "f64" and op != "add":  # an error below the smallest subnormal cannot be seen
        values = values[(np.abs(values) < 1e100) & ((np.abs(values) > 1e-100) | (values == 0))]
    columns = finite_columns(pairs(values), divide=op == "div")
    got = run_op(f"{op}.{mode}.{kind}", columns, [kind, kind], kind).view(columns[0].dtype)
    zero = sum_zero(mode) if op == "add" else product_zero
    same(got, exactly(kind, mode, columns, OPERATIONS[op], zero))


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_directed_fma_rounds_once(mode: str) -> None:
    columns = finite_columns(triples(floats32(150)))

    def zero(a: float, b: float, c: float) -> float:
        return sum_zero(mode)(product_zero(a, b), c) if a == 0 or b == 0 else (-0.0 if mode == "rm" else 0.0)

    got = run_op(f"fma.{mode}.f32", columns, ["f32"] * 3, "f32").view(np.float32)
    same(got, exactly("f32", mode, columns, lambda a, b, c: a * b + c, zero))


def test_fma_has_one_rounding() -> None:
    columns = finite_columns(triples(floats32(300)))
    got = run_op("fma.rn.f32", columns, ["f32"] * 3, "f32").view(np.float32)
    expected = [math.nan] * len(got)
    for k, (a, b, c) in enumerate(zip(*(map(float, col) for col in columns), strict=True)):
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        low, high = rounded(exact, "rm", "f32"), rounded(exact, "rp", "f32")
        if not (np.isfinite(low) and np.isfinite(high)) or exact == 0:
            expected[k] = got[k]
            continue
        below, above = exact - Fraction(float(low)), Fraction(float(high)) - exact
        even = low.view(np.uint32) % 2 == 0
        expected[k] = low if below < above or (below == above and even) else high
    same(got, np.array(expected, dtype=np.float32))


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_roots_and_reciprocals_are_correctly_rounded(kind: str) -> None:
    values = floats32() if kind == "f32" else floats64()
    with np.errstate(all="ignore"):
        same(run_op(f"sqrt.rn.{kind}", [values], [kind], kind).view(values.dtype), np.sqrt(values))
        same(run_op(f"rcp.rn.{kind}", [values], [kind], kind).view(values.dtype), 1 / values)


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_directed_square_roots_bracket_the_root(mode: str) -> None:
    values = np.abs(floats32(200))
    values = values[np.isfinite(values)]
    got = run_op(f"sqrt.{mode}.f32", [values], ["f32"], "f32").view(np.float32)
    up = np.nextafter(got, np.float32(np.inf))
    down = np.nextafter(got, np.float32(-np.inf))
    for k, value in enumerate(values):
        root, exact = Fraction(float(got[k])), Fraction(float(value))
        if mode == "rp":
            assert root * root >= exact and (got[k] == 0 or Fraction(float(down[k])) ** 2 < exact)
        else:
            assert root * root <= exact < Fraction(float(up[k])) ** 2


def test_min_and_max_prefer_numbers_to_nan_and_order_zeros() -> None:
    a, b = pairs(floats32())
    for op in ("min", "max"):
        got = run_op(f"{op}.f32", [a, b], ["f32", "f32"], "f32").view(np.float32)
        pick = np.fmin if op == "min" else np.fmax
        expected = pick(a, b)
        zeros = (a == 0) & (b == 0)
        sign = np.signbit(a) | np.signbit(b) if op == "min" else np.signbit(a) & np.signbit(b)
        expected = np.where(zeros, np.where(sign, np.float32(-0.0), np.float32(0.0)), expected)
        same(got, expected.astype(np.float32))


def test_nan_wins_where_it_is_asked_to() -> None:
    a, b = pairs(floats32())
    got = run_op("max.NaN.f32", [a, b], ["f32", "f32"], "f32").view(np.float32)
    assert (np.isnan(got) == (np.isnan(a) | np.isnan(b))).all()


def test_saturation_clamps_to_the_unit_interval_and_turns_nan_into_zero() -> None:
    a, b = pairs(floats32())
    got = run_op("add.sat.f32", [a, b], ["f32", "f32"], "f32").view(np.float32)
    with np.errstate(all="ignore"):
        total = a + b
    expected = np.where(np.isnan(total), np.float32(0), np.clip(total, 0, 1)).astype(np.float32)
    same(got, np.where(expected == 0, np.float32(0), expected))


def test_neg_and_abs_only_touch_the_sign() -> None:
    values = floats32()
    raw = values.view(np.uint32)
    assert (run_op("neg.f32", [values], ["f32"], "f32") == raw ^ 0x80000000).all()
    assert (run_op("abs.f32", [values], ["f32"], "f32") == raw & 0x7FFFFFFF).all()


def test_copysign_takes_the_sign_of_its_first_operand() -> None:
    a, b = pairs(floats32())
    got = run_op("copysign.f32", [a, b], ["f32", "f32"], "f32")
    assert (got == (b.view(np.uint32) & 0x7FFFFFFF | a.view(np.uint32) & 0x80000000)).all()


@pytest.mark.parametrize(("test", "holds"), [
    ("finite", np.isfinite), ("infinite", np.isinf), ("notanumber", np.isnan), ("number", lambda x: ~np.isnan(x)),
    ("subnormal", lambda x: (x != 0) & (np.abs(x) < np.float32(1.17549435e-38))),
    ("normal", lambda x: np.isfinite(x) & (np.abs(x) >= np.float32(1.17549435e-38))),
])  # fmt: skip
def test_testp_classifies_floats(test: str, holds: Any) -> None:
    values = floats32()
    with np.errstate(all="ignore"):
        assert (run_op(f"testp.{test}.f32", [values], ["f32"], "pred") == holds(values)).all()
