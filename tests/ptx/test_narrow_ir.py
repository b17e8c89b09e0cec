"""Conversions between wide and narrow formats against exact rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.ptx.lanes import run
from tests.ptx.small_floats import NAN, round_exact, to_float64
from trainer.ptx.lower import narrow_ir as narrow
from trainer.ptx.lower import small_float

NAMES = ("f16", "bf16")
INFINITY = {"f16": 0x7C00, "bf16": 0x7F80}


def rounded(values: np.ndarray, name: str, mode: str) -> np.ndarray:
    out = []
    for value in values.tolist():
        if np.isnan(value):
            out.append(NAN)
        elif np.isinf(value):
            out.append(INFINITY[name] | (0x8000 if value < 0 else 0))
        else:
            out.append(round_exact(Fraction(value), name, mode, bool(np.signbit(value))))
    return np.array(out, np.uint16)


def near_ties(name: str, dtype: Any, rng: np.random.Generator) -> np.ndarray:
    """Representable values, halfway points, and their neighbours one unit of `dtype` away."""
    bits = np.concatenate([rng.integers(0, INFINITY[name], 1500), [0, 1, 2, INFINITY[name] - 1]])
    low = to_float64(bits.astype(np.uint16), name)
    high = to_float64((bits + 1).astype(np.uint16), name)
    high = np.where(np.isinf(high), 2 * low, high)
    with np.errstate(all="ignore"):
        middle = ((low + high) / 2).astype(dtype)
    with np.errstate(all="ignore"):
        parts = [
            low.astype(dtype),
            middle,
            np.nextafter(middle, dtype(0)),
            np.nextafter(middle, dtype(np.inf)),
        ]
        values = np.concatenate([*parts, np.array([0, np.inf, np.nan, 1e-45, 3e38], dtype)])
    return np.concatenate([values, -values])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", narrow.ROUNDINGS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_round_once_in_every_mode(name: str, mode: str, dtype: Any) -> None:
    values = near_ties(name, dtype, np.random.default_rng(21))
    small = small_float.BY_TYPE[name]
    got = run(lambda b, x: narrow.from_float(b, x, small, (mode,)), [values], np.uint16)
    np.testing.assert_array_equal(got, rounded(values, name, mode))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_integers_round_once(name: str, dtype: Any) -> None:
    rng = np.random.default_rng(22)
    info = np.iinfo(dtype)
    wild = rng.integers(info.min, info.max, 1500, dtype=dtype, endpoint=True) >> rng.integers(
        0, info.bits, 1500
    ).astype(dtype)
    edges = [0, 1, 2047, 2049, 2051, 257, 259, 65503, 65519, 65520, 65521, info.max, info.min, info.max - 1]
    values = np.array([int(v) for v in [*wild, *edges] if info.min <= v <= info.max], dtype)
    small = small_float.BY_TYPE[name]
    signed = info.min < 0
    got = run(lambda b, x: narrow.from_integer(b, x, signed, small, ("rn",)), [values], np.uint16)
    want = [round_exact(Fraction(int(v)), name) for v in values]
    np.testing.assert_array_equal(got, np.array(want, np.uint16))


@pytest.mark.parametrize("name", NAMES)
def test_every_pattern_widens_exactly_and_comes_back(name: str) -> None:
    bits = np.arange(1 << 16).astype(np.uint16)
    small = small_float.BY_TYPE[name]
    wide = run(lambda b, x: small_float.widen(b, x, small), [bits], np.float32)
    value = to_float64(bits, name)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(wide.astype(np.float64), value)
    back = run(lambda b, x: small_float.narrow(b, x, small), [wide], np.uint16)
    np.testing.assert_array_equal(back, np.where(np.isnan(value), NAN, bits))


@pytest.mark.parametrize("mode", narrow.TO_INTEGRAL)
def test_whole_number_rounding_stays_in_the_format(mode: str) -> None:
    bits = np.arange(0, 0x7C00).astype(np.uint16)
    got = run(lambda b, x: narrow.to_integral(b, x, small_float.HALF, (mode,)), [bits], np.uint16)
    numpy = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}[mode]
    np.testing.assert_array_equal(to_float64(got, "f16"), numpy(to_float64(bits, "f16")))


def tiny_values(name: str) -> np.ndarray:
    """Values of the codes 0..127 of an 8-bit float, NaN and infinity included."""
    mantissa, bias = (3, 7) if name == "e4m3" else (2, 15)
    out = []
    for code in range(128):
        exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
        scale = 2.0 ** (max(exponent, 1) - bias - mantissa)
        out.append((fraction + ((1 << mantissa) if exponent else 0)) * scale)
    table = np.array(out)
    if name == "e4m3":
        table[127] = np.nan
    else:
        table[124], table[125:] = np.inf, np.nan
    return table


@pytest.mark.parametrize("name", ["e4m3", "e5m2"])
def test_eight_bit_floats_decode_exactly(name: str) -> None:
    codes = np.arange(256).astype(np.uint8)
    tiny = narrow.TINY[name + "x2"]
    got = to_float64(run(lambda b, x: narrow.from_tiny(b, x, tiny), [codes], np.uint16), "f16")
    table = tiny_values(name)
    np.testing.assert_array_equal(got, np.concatenate([table, -table]))


@pytest.mark.parametrize("name", ["e4m3", "e5m2"])
def test_eight_bit_floats_round_to_nearest_even_and_saturate(name: str) -> None:
    table = tiny_values(name)
    finite = table[np.isfinite(table)]
    middle = ((finite[1:] + finite[:-1]) / 2).astype(np.float32)
    zero, far = np.float32(0), np.float32(np.inf)
    values = np.concatenate([finite.astype(np.float32), middle, np.nextafter(middle, zero),
                             np.nextafter(middle, far), [1e6, np.inf, 1e-30, 448.1, 464.0, 500]])  # fmt: skip
    values = np.concatenate([values, -values, [np.nan]]).astype(np.float32)
    tiny = narrow.TINY[name + "x2"]
    got = run(lambda b, x: narrow.to_tiny(b, x, tiny, ("rn", "satfinite")), [values], np.uint8)
    for value, code in zip(values.astype(np.float64), got, strict=True):
        if np.isnan(value):
            assert code == 0x7F
            continue
        distance = np.abs(finite - min(abs(value), 1e9))
        best = np.flatnonzero(distance == distance.min())
        want = best[0] if len(best) == 1 else best[best % 2 == 0][0]
        assert code == want | (0x80 if np.signbit(value) else 0), value


@pytest.mark.parametrize("mode", ["rna", "rn", "rz"])
def test_tf32_keeps_ten_bits(mode: str) -> None:
    rng = np.random.default_rng(23)
    bits = rng.integers(0, 1 << 32, 4000, dtype=np.uint32)
    bits[:2000] = (bits[:2000] & 0xFFFFE000) | 0x1000  # ties
    bits[:3] = 0x7F800000, 0xFF800000, 0x7FC00001
    values = bits.view(np.float32)
    got = run(lambda b, x: narrow.to_tf32(b, x, (mode,)), [values], np.uint32)
    size = (bits & 0x7FFFFFFF).astype(np.int64)
    if mode == "rna":
        size += 0x1000
    elif mode == "rn":
        size += 0xFFF + ((size >> 13) & 1)
    want = ((size & ~0x1FFF) | (bits & 0x80000000)).astype(np.uint32)
    want = np.where(np.isinf(values), bits, np.where(np.isnan(values), 0x7FFFFFFF, want))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", NAMES)
def test_satfinite_stops_at_the_largest_number(name: str) -> None:
    values = np.array([np.inf, -np.inf, 3e38, -3e38, 1.0], np.float32)
    small = small_float.BY_TYPE[name]
    got = run(lambda b, x: narrow.from_float(b, x, small, ("rn", "satfinite")), [values], np.uint16)
    assert np.all(np.isfinite(to_float64(got, name)))
    assert got[0] == INFINITY[name] - 1
    assert got[1] == (INFINITY[name] - 1) | 0x8000
