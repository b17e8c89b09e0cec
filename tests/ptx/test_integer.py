# ruff: noqa: E501  (code in another language reads better unbroken)
"""Integer arithmetic, comparisons, bit fields and carries against Python integers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import (
    compile_cuda,
    floats32,
    integers32,
    integers64,
    pairs,
    run_kernel,
    run_lines,
    run_op,
    triples,
)

Array = np.ndarray[Any, Any]


def columns(bits: int, count: int = 2) -> list[Array]:
    values = integers32() if bits == 32 else integers64() if bits == 64 else integers32().astype(np.uint16)
    found = (pairs if count == 2 else triples)(values)
    return [c[::3] if bits == 64 else c for c in found]


def signed(x: int, bits: int) -> int:
    return x - (1 << bits) if x >> (bits - 1) & 1 else x


def check(
    got: Array, inputs: Sequence[Array], bits: int, formula: Callable[..., int], *, sign: bool = False
) -> None:
    """`formula` of Python integers, wrapped to the width of `got`."""
    mask = (1 << (8 * got.itemsize)) - 1
    read = (lambda v: signed(int(v), bits)) if sign else int
    for k, row in enumerate(zip(*inputs, strict=True)):
        expected = formula(*map(read, row)) & mask
        assert int(got[k]) == expected, (k, [hex(int(v)) for v in row], hex(int(got[k])), hex(expected))


def trunc_div(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_sums_differences_and_products_wrap(bits: int) -> None:
    a, b = columns(bits)
    kind = f"u{bits}"
    check(run_op(f"add.s{bits}", [a, b], [kind] * 2, kind), [a, b], bits, lambda x, y: x + y)
    check(run_op(f"sub.s{bits}", [a, b], [kind] * 2, kind), [a, b], bits, lambda x, y: x - y)
    check(run_op(f"mul.lo.s{bits}", [a, b], [kind] * 2, kind), [a, b], bits, lambda x, y: x * y)


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("sign", ["u", "s"])
def test_high_and_wide_products_keep_the_upper_half(bits: int, sign: str) -> None:
    a, b = columns(bits)
    kind, is_signed = f"{sign}{bits}", sign == "s"
    got = run_op(f"mul.hi.{kind}", [a, b], [kind] * 2, kind)
    check(got, [a, b], bits, lambda x, y: x * y >> bits, sign=is_signed)
    if bits < 64:
        wide = run_op(f"mul.wide.{kind}", [a, b], [kind] * 2, f"{sign}{2 * bits}")
        check(wide, [a, b], bits, lambda x, y: x * y, sign=is_signed)


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("sign", ["u", "s"])
def test_division_truncates_and_division_by_zero_is_all_ones(bits: int, sign: str) -> None:
    a, b = columns(bits)
    kind, is_signed = f"{sign}{bits}", sign == "s"
    check(
        run_op(f"div.{kind}", [a, b], [kind] * 2, kind),
        [a, b],
        bits,
        lambda x, y: trunc_div(x, y) if y else -1,
        sign=is_signed,
    )
    check(
        run_op(f"rem.{kind}", [a, b], [kind] * 2, kind),
        [a, b],
        bits,
        lambda x, y: x - y * trunc_div(x, y) if y else x,
        sign=is_signed,
    )


@pytest.mark.parametrize("sign", ["u", "s"])
def test_mad_adds_to_the_chosen_half(sign: str) -> None:
    a, b, c = columns(32, 3)
    kind, is_signed = f"{sign}32", sign == "s"
    check(
        run_op(f"mad.lo.{kind}", [a, b, c], [kind] * 3, kind),
        [a, b, c],
        32,
        lambda x, y, z: x * y + z,
        sign=is_signed,
    )
    check(
        run_op(f"mad.hi.{kind}", [a, b, c], [kind] * 3, kind),
        [a, b, c],
        32,
        lambda x, y, z: (x * y >> 32) + z,
        sign=is_signed,
    )
    wide = c.astype(np.uint64) << np.uint64(7)
    got = run_op(f"mad.wide.{kind}", [a, b, wide], [kind, kind, f"{sign}64"], f"{sign}64")
    for k in range(len(got)):
        x, y = (signed(int(v[k]), 32) if is_signed else int(v[k]) for v in (a, b))
        assert int(got[k]) == (x * y + int(wide[k])) & (2**64 - 1)


def test_24_bit_products() -> None:
    a, b = columns(32)

    def low24(x: int) -> int:
        return signed(x & 0xFFFFFF, 24)

    got = run_op("mul24.lo.s32", [a, b], ["s32"] * 2, "s32")
    check(got, [a, b], 32, lambda x, y: low24(x) * low24(y))
    got = run_op("mul24.hi.u32", [a, b], ["u32"] * 2, "u32")
    check(got, [a, b], 32, lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF) >> 16)


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64", "s16"])
def test_min_and_max_follow_the_sign(kind: str) -> None:
    bits = int(kind[1:])
    a, b = columns(bits)
    for op, pick in (("min", min), ("max", max)):
        check(run_op(f"{op}.{kind}", [a, b], [kind] * 2, kind), [a, b], bits, pick, sign=kind[0] == "s")


def test_saturating_addition_stops_at_the_ends() -> None:
    a, b = columns(32)
    check(
        run_op("add.sat.s32", [a, b], ["s32"] * 2, "s32"),
        [a, b],
        32,
        lambda x, y: max(-(2**31), min(2**31 - 1, x + y)),
        sign=True,
    )


def test_neg_abs_and_sad() -> None:
    a, b, c = columns(32, 3)
    check(run_op("neg.s32", [a], ["s32"], "s32"), [a], 32, lambda x: -x, sign=True)
    check(run_op("abs.s32", [a], ["s32"], "s32"), [a], 32, abs, sign=True)
    check(
        run_op("sad.s32", [a, b, c], ["s32"] * 3, "s32"),
        [a, b, c],
        32,
        lambda x, y, z: abs(x - y) + z,
        sign=True,
    )


def test_dot_products_of_bytes_and_half_words() -> None:
    a, b, c = columns(32, 3)

    def byte(v: int, k: int, is_signed: bool) -> int:
        part = v >> (8 * k) & 0xFF
        return signed(part, 8) if is_signed else part

    check(
        run_op("dp4a.s32.u32", [a, b, c], ["b32", "b32", "s32"], "s32"),
        [a, b, c],
        32,
        lambda x, y, z: z + sum(byte(x, k, True) * byte(y, k, False) for k in range(4)),
    )
    check(
        run_op("dp2a.hi.s32.s32", [a, b, c], ["b32", "b32", "s32"], "s32"),
        [a, b, c],
        32,
        lambda x, y, z: z + sum(signed(x >> (16 * k) & 0xFFFF, 16) * byte(y, k + 2, True) for k in range(2)),
    )


@pytest.mark.parametrize("op", ["and", "or", "xor"])
def test_logic(op: str) -> None:
    a, b = columns(64)
    formula = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[op]
    check(run_op(f"{op}.b64", [a, b], ["b64"] * 2, "b64"), [a, b], 64, formula)


def test_not_and_cnot() -> None:
    a = integers32()
    check(run_op("not.b32", [a], ["b32"], "b32"), [a], 32, lambda x: ~x)
    check(run_op("cnot.b32", [a], ["b32"], "b32"), [a], 32, lambda x: int(x == 0))


@pytest.mark.parametrize("table", [0x80, 0x96, 0xE8, 0x1B, 0xFE])
def test_lop3_is_its_truth_table(table: int) -> None:
    a, b, c = columns(32, 3)
    got = run_lines(f"lop3.b32 %d0, %a0, %a1, %a2, {table};", [a, b, c], ["b32"] * 3, ["b32"])[0]
    check(
        got,
        [a, b, c],
        32,
        lambda x, y, z: sum(
            (table >> ((x >> k & 1) << 2 | (y >> k & 1) << 1 | (z >> k & 1)) & 1) << k for k in range(32)
        ),
    )


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_shifts_clamp_their_amount(bits: int) -> None:
    a, amounts = columns(bits)
    count = (amounts.astype(np.uint64) % np.uint64(bits + 9)).astype(np.uint32)
    kind = f"b{bits}"
    check(run_op(f"shl.{kind}", [a, count], [kind, "u32"], kind), [a, count], bits, lambda x, n: x << n)
    check(run_op(f"shr.u{bits}", [a, count], [kind, "u32"], kind), [a, count], bits, lambda x, n: x >> n)
    got = run_op(f"shr.s{bits}", [a, count], [kind, "u32"], kind)
    check(got, [a, count], bits, lambda x, n: signed(x, bits) >> n)


def test_funnel_shifts() -> None:
    a, b, amounts = columns(32, 3)
    count = amounts % np.uint32(45)
    whole = [(int(x) | int(y) << 32) for x, y in zip(a, b, strict=True)]
    for mode, limit in (("wrap", lambda n: n & 31), ("clamp", lambda n: min(n, 32))):
        left = run_op(f"shf.l.{mode}.b32", [a, b, count], ["b32", "b32", "u32"], "b32")
        right = run_op(f"shf.r.{mode}.b32", [a, b, count], ["b32", "b32", "u32"], "b32")
        for k, value in enumerate(whole):
            n = limit(int(count[k]))
            assert int(left[k]) == (value << n) >> 32 & 0xFFFFFFFF
            assert int(right[k]) == value >> n & 0xFFFFFFFF


def test_counting_and_reversing_bits() -> None:
    a = integers32()
    check(run_op("popc.b32", [a], ["b32"], "u32"), [a], 32, lambda x: x.bit_count())
    check(run_op("clz.b32", [a], ["b32"], "u32"), [a], 32, lambda x: 32 - x.bit_length())
    check(run_op("brev.b32", [a], ["b32"], "b32"), [a], 32, lambda x: int(f"{x:032b}"[::-1], 2))
    check(run_op("bfind.u32", [a], ["u32"], "u32"), [a], 32, lambda x: x.bit_length() - 1)
    check(
        run_op("bfind.shiftamt.u32", [a], ["u32"], "u32"), [a], 32, lambda x: 32 - x.bit_length() if x else -1
    )
    wide = integers64()
    check(run_op("popc.b64", [wide], ["b64"], "u32"), [wide], 64, lambda x: x.bit_count())
    check(run_op("clz.b64", [wide], ["b64"], "u32"), [wide], 64, lambda x: 64 - x.bit_length())


@pytest.mark.parametrize("bits", [32, 64])
def test_bit_fields(bits: int) -> None:
    a, b = columns(bits)
    rng = np.random.default_rng(7)
    position, length = (rng.integers(0, bits + 8, len(a)).astype(np.uint32) for _ in range(2))
    inputs = [a, b, position, length]
    types = [f"b{bits}", f"b{bits}", "u32", "u32"]

    def insert(x: int, y: int, pos: int, count: int) -> int:
        mask = ((1 << count) - 1) << pos
        return y & ~mask | x << pos & mask

    check(run_op(f"bfi.b{bits}", inputs, types, f"b{bits}"), inputs, bits, insert)
    got = run_op(f"bfe.u{bits}", [a, position, length], [types[0], "u32", "u32"], f"b{bits}")
    check(got, [a, position, length], bits, lambda x, pos, count: x >> pos & (1 << count) - 1)

    def extract(x: int, pos: int, count: int) -> int:
        if count == 0:
            return 0
        sign = x >> min(pos + count - 1, bits - 1) & 1
        field = x >> pos & (1 << count) - 1
        if pos + count > bits or count > bits:
            return signed(x, bits) >> pos if pos < bits else -sign
        return field - (sign << count)

    got = run_op(f"bfe.s{bits}", [a, position, length], [types[0], "u32", "u32"], f"b{bits}")
    check(got, [a, position, length], bits, extract)


def test_byte_permutation() -> None:
    a, b, c = columns(32, 3)

    def pick(x: int, y: int, s: int) -> int:
        whole, result = x | y << 32, 0
        for k in range(4):
            nibble = s >> (4 * k) & 15
            byte = whole >> (8 * (nibble & 7)) & 0xFF
            result |= (0xFF * (byte >> 7) if nibble & 8 else byte) << (8 * k)
        return result

    check(run_op("prmt.b32", [a, b, c], ["b32"] * 3, "b32"), [a, b, c], 32, pick)
    modes = {
        "f4e": lambda n, k: n + k,
        "b4e": lambda n, k: (n - k) & 7,
        "rc8": lambda n, k: n,
        "ecl": lambda n, k: max(n, k),
        "ecr": lambda n, k: min(n, k),
        "rc16": lambda n, k: (n & 1) * 2 + (k & 1),
    }
    for mode, place in modes.items():
        got = run_op(f"prmt.b32.{mode}", [a, b, c], ["b32"] * 3, "b32")
        check(
            got,
            [a, b, c],
            32,
            lambda x, y, s, place=place: sum(
                ((x | y << 32) >> (8 * place(s & 3, k)) & 0xFF) << (8 * k) for k in range(4)
            ),
        )


def test_masks() -> None:
    position, count = (np.arange(40 * 40, dtype=np.uint32) // d % 40 for d in (1, 40))
    got = run_op("bmsk.clamp.b32", [position, count], ["u32"] * 2, "b32")
    check(got, [position, count], 32, lambda p, n: (1 << min(n, 32)) - 1 << p)


def test_128_bit_sums_carry_through_the_flag() -> None:
    a, b = columns(64)
    c, d = (np.random.default_rng(9).permutation(v) for v in (a, b))
    lines = (
        "add.cc.u64 %d0, %a0, %a1; addc.u64 %d1, %a2, %a3; sub.cc.u64 %d2, %a0, %a1; subc.u64 %d3, %a2, %a3;"
    )
    low, high, rest, borrow = run_lines(lines, [a, b, c, d], ["u64"] * 4, ["u64"] * 4)
    for k in range(len(a)):
        x, y = int(a[k]) | int(c[k]) << 64, int(b[k]) | int(d[k]) << 64
        assert int(low[k]) | int(high[k]) << 64 == (x + y) % 2**128
        assert int(rest[k]) | int(borrow[k]) << 64 == (x - y) % 2**128


def test_a_subtraction_carries_when_it_does_not_borrow() -> None:
    a, b = columns(32)
    got = run_lines("sub.cc.u32 %d0, %a0, %a1; addc.u32 %d1, 0, 0;", [a, b], ["u32"] * 2, ["u32"] * 2)[1]
    assert (got == (a >= b)).all()


def test_128_bit_division_as_nvrtc_writes_it() -> None:
    module = compile_cuda(
        """typedef unsigned __int128 u128; typedef unsigned long long u64;
        extern "C" __global__ void k(const u64* a, u64* out) {
            u128 x = ((u128)a[0] << 64) | a[1], y = ((u128)a[2] << 64) | a[3], q = x / y, r = x % y;
            out[0] = q >> 64; out[1] = q; out[2] = r >> 64; out[3] = r; }""",
        "--device-int128",
    )
    pick = random.Random(1)
    for bits in (20, 60, 64, 90, 127):
        x, y = pick.getrandbits(128), pick.getrandbits(bits) | 1
        words = np.array([x >> 64, x % 2**64, y >> 64, y % 2**64], dtype=np.uint64)
        out = np.zeros(4, dtype=np.uint64)
        run_kernel(module, "k", [words, out], block=1)
        assert (int(out[0]) << 64 | int(out[1]), int(out[2]) << 64 | int(out[3])) == divmod(x, y)


def test_64_bit_products_from_32_bit_halves() -> None:
    a, b = columns(64)
    lines = """
    {.reg .u32 %x0, %x1, %y0, %y1, %z0, %z1;
     mov.b64 {%x0, %x1}, %a0; mov.b64 {%y0, %y1}, %a1;
     mul.lo.u32 %z0, %x0, %y0;
     mad.hi.cc.u32 %z1, %x0, %y0, 0; madc.lo.cc.u32 %z1, %x0, %y1, %z1; madc.lo.u32 %z1, %x1, %y0, %z1;
     mov.b64 %d0, {%z0, %z1};}
    """
    # the carry of the second step belongs to bit 64, so the third must not use it: subtract it again
    lines = lines.replace("madc.lo.u32 %z1, %x1", "mad.lo.u32 %z1, %x1").replace("madc.lo.cc", "mad.lo.cc")
    got = run_lines(lines, [a, b], ["b64"] * 2, ["b64"])[0]
    check(got, [a, b], 64, lambda x, y: x * y)


@pytest.mark.parametrize("kind", ["u32", "s32", "u64", "s64"])
@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_integer_comparisons(kind: str, name: str) -> None:
    bits = int(kind[1:])
    a, b = columns(bits)
    formula = {"eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__,
               "ge": int.__ge__}[name]  # fmt: skip
    got = run_op(f"setp.{name}.{kind}", [a, b], [kind] * 2, "pred")
    check(got, [a, b], bits, lambda x, y: int(formula(x, y)), sign=kind[0] == "s")


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_unordered_float_comparisons_hold_for_nan(name: str) -> None:
    a, b = pairs(floats32())
    formula = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
               "ge": np.greater_equal}[name]  # fmt: skip
    either = np.isnan(a) | np.isnan(b)
    ordered = formula(a, b) & ~either
    assert (run_op(f"setp.{name}.f32", [a, b], ["f32"] * 2, "pred") == ordered).all()
    assert (run_op(f"setp.{name}u.f32", [a, b], ["f32"] * 2, "pred") == (ordered | either)).all()


def test_comparison_results_combine_with_a_predicate() -> None:
    a, b = columns(32)
    lines = """
    .reg .pred %q, %r, %s; setp.lt.u32 %q, %a0, 1000;
    setp.gt.and.u32 %r|%s, %a0, %a1, !%q;
    selp.u32 %d0, 1, 0, %r; selp.u32 %d1, 1, 0, %s;
    """
    first, second = run_lines(lines, [a, b], ["u32"] * 2, ["u32"] * 2)
    assert (first == ((a > b) & (a >= 1000))).all()
    assert (second == (~(a > b) & (a >= 1000))).all()


def test_set_and_slct() -> None:
    a, b = columns(32)
    got = run_op("set.lt.u32.s32", [a, b], ["s32"] * 2, "u32")
    check(got, [a, b], 32, lambda x, y: -int(x < y), sign=True)
    got = run_op("slct.u32.s32", [a, b, a], ["u32", "u32", "s32"], "u32")
    assert (got == np.where(a.view(np.int32) >= 0, a, b)).all()


def test_a_guard_keeps_the_old_value_of_lanes_it_switches_off() -> None:
    a, b = columns(32)
    lines = ".reg .pred %q; setp.lt.u32 %q, %a0, %a1; mov.u32 %d0, 7; @%q mov.u32 %d0, %a0; @!%q add.u32 %d0, %d0, 1;"
    got = run_lines(lines, [a, b], ["u32"] * 2, ["u32"])[0]
    assert (got == np.where(a < b, a, 8)).all()
