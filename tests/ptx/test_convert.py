"""cvt between integers and floats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import floats32, floats64, integers32, integers64, run_op
from tests.ptx.test_floating import exactly, flushed, same

ROUND = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


@pytest.mark.parametrize("mode", list(ROUND))
@pytest.mark.parametrize("source", ["f32", "f64"])
@pytest.mark.parametrize("target", ["s32", "u32", "s64", "u64", "s16", "u8"])
def test_floats_saturate_to_integers(mode: str, source: str, target: str) -> None:
    values = floats32() if source == "f32" else floats64()
    bits, sign = int(target[1:]), target[0] == "s"
    register = f"{target[0]}{max(bits, 16)}"
    got = run_op(f"cvt.{mode}.{target}.{source}", [values], [source], register)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign else (0, 2**bits - 1)
    mask = (1 << (8 * got.itemsize)) - 1
    for k, value in enumerate(values):
        if math.isnan(value):
            expected = 1 << (bits - 1) if bits == 64 or source == "f64" else 0
            expected = expected - (1 << bits) if sign and expected else expected
        elif math.isinf(value):
            expected = high if value > 0 else low
        else:
            expected = min(max(int(ROUND[mode](value)), low), high)
        assert int(got[k]) == expected & mask, (value, hex(int(got[k])), hex(expected & mask))


@pytest.mark.parametrize("source", ["s32", "u32", "s64", "u64"])
@pytest.mark.parametrize("target", ["f32", "f64"])
def test_integers_round_to_nearest_floats(source: str, target: str) -> None:
    bits = int(source[1:])
    values = integers32() if bits == 32 else integers64()
    got = run_op(f"cvt.rn.{target}.{source}", [values], [source], target)
    kind = np.dtype(f"f{int(target[1:]) // 8}")
    same(got.view(kind), values.view(f"i{bits // 8}" if source[0] == "s" else values.dtype).astype(kind))


@pytest.mark.parametrize("source", ["s32", "u32", "s64", "u64"])
@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_integers_round_where_they_are_told(source: str, mode: str) -> None:
    from fractions import Fraction

    from tests.ptx.test_floating import rounded

    bits = int(source[1:])
    values = integers32() if bits == 32 else integers64()
    got = run_op(f"cvt.{mode}.f32.{source}", [values], [source], "f32").view(np.float32)
    read = values.view(f"i{bits // 8}") if source[0] == "s" else values
    same(got, np.array([rounded(Fraction(int(v)), mode, "f32") for v in read], dtype=np.float32))


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
def test_doubles_narrow_in_every_mode(mode: str) -> None:
    values = floats64()
    got = run_op(f"cvt.{mode}.f32.f64", [values], ["f64"], "f32").view(np.float32)
    if mode == "rn":
        with np.errstate(all="ignore"):
            same(got, values.astype(np.float32))
        return
    finite = np.isfinite(values)
    same(got[finite], exactly("f32", mode, [values[finite]], lambda x: x, lambda x: math.copysign(0.0, x)))


def test_floats_widen_exactly_and_ftz_flushes_first() -> None:
    values = floats32()
    got = run_op("cvt.f64.f32", [values], ["f32"], "f64").view(np.float64)
    got_flushed = run_op("cvt.ftz.f64.f32", [values], ["f32"], "f64").view(np.float64)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        same(got, values.astype(np.float64))
        same(got_flushed, flushed(values).astype(np.float64))


@pytest.mark.parametrize("mode", list(ROUND))
def test_floats_round_to_integral_floats(mode: str) -> None:
    values = floats32()
    got = run_op(f"cvt.{mode}.f32.f32", [values], ["f32"], "f32").view(np.float32)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        same(got, ROUND[mode](values))


def test_saturating_float_conversion_clamps() -> None:
    values = floats32()
    got = run_op("cvt.sat.f32.f32", [values], ["f32"], "f32").view(np.float32)
    expected = np.where(values > 0, np.minimum(values, 1), 0).astype(np.float32)
    same(got, np.where(np.isnan(values), np.float32(0), expected))


@pytest.mark.parametrize(
    ("opcode", "source", "target", "convert"),
    [
        ("cvt.s64.s32", "s32", "s64", lambda v: v.view(np.int32).astype(np.int64)),
        ("cvt.u64.u32", "u32", "u64", lambda v: v.astype(np.uint64)),
        ("cvt.u16.u32", "u32", "u16", lambda v: v.astype(np.uint16)),
        ("cvt.s32.s8", "u32", "s32", lambda v: v.astype(np.int8).astype(np.int32)),
        ("cvt.u32.u8", "u32", "u32", lambda v: v & 0xFF),
        ("cvt.s16.s8", "u32", "s16", lambda v: v.astype(np.int8).astype(np.int16)),
        ("cvt.sat.u8.s32", "s32", "u16", lambda v: np.clip(v.view(np.int32), 0, 255).astype(np.uint16)),
        ("cvt.sat.s8.s32", "s32", "s16", lambda v: np.clip(v.view(np.int32), -128, 127).astype(np.int16)),
        ("cvt.sat.s32.u32", "u32", "s32", lambda v: np.minimum(v, 0x7FFFFFFF)),
        ("cvt.sat.u32.s32", "s32", "u32", lambda v: np.maximum(v.view(np.int32), 0)),
    ],
)
def test_integers_extend_truncate_and_clamp(opcode: str, source: str, target: str, convert: Any) -> None:
    values = integers32()
    got = run_op(opcode, [values], [source], target)
    expected = convert(values)
    assert (got == expected.view(f"u{expected.itemsize}")).all()
