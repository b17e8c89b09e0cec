"""Fused accesses, against what ptxas 13.0 emits for sm_90 (looked up in its code once, by hand)."""

from __future__ import annotations

import pytest

from trainer.ptx.flow import analyse
from trainer.ptx.parse import parse_module
from trainer.sim.fusion import Fused, fused_accesses

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 k_param_0)
{
.reg .pred %p<4>;
.reg .f32 %f<40>;
.reg .f64 %fd<10>;
.reg .b32 %r<20>;
.shared .align 4 .b8 s[4096];
ld.param.u32 %r9, [k_param_0];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 5;
mov.u32 %r3, s;
add.s32 %r4, %r3, %r2;
"""


def fused(code: str, at: int = 0) -> list[Fused]:
    function = parse_module(HEAD + code + "\nret;\n}\n").functions["k"]
    assert function.body is not None
    return list(fused_accesses(analyse(function.body), {"s": at}))


def loads(*words: int) -> str:
    return "\n".join(f"ld.shared.f32 %f{k}, [%r4+{4 * word}];" for k, word in enumerate(words))


def stores(*words: int) -> str:
    return "\n".join(f"st.shared.f32 [%r4+{4 * word}], %f{k};" for k, word in enumerate(words))


def shapes(code: str) -> list[tuple[int, int]]:
    """(members, width) of each fused access."""
    return [(len(one.members), one.width) for one in fused(code)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((0, 1), [(2, 8)]),
        ((2, 3), [(2, 8)]),
        ((1, 2), []),
        ((0, 3), []),
        ((0, 1, 2), [(3, 16)]),
        ((1, 2, 3), [(3, 16)]),
        ((0, 1, 2, 3, 4, 5, 6), [(4, 16), (3, 16)]),
        ((0, 1, 2, 5, 6), [(3, 16)]),
        ((2, 3, 4, 5), [(2, 8), (2, 8)]),
        ((3, 4), []),
    ],
)
def test_loads_may_fetch_one_word_too_many(words: tuple[int, ...], expected: list[tuple[int, int]]) -> None:
    assert shapes(loads(*words)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((0, 1, 2, 3), [(4, 16)]),
        ((0, 1, 2), [(2, 8)]),
        ((1, 2, 3), [(2, 8)]),
        ((1, 2, 3, 4, 5), [(2, 8), (2, 8)]),
        ((0, 2), []),
    ],
)
def test_stores_must_fill_what_they_write(words: tuple[int, ...], expected: list[tuple[int, int]]) -> None:
    assert shapes(stores(*words)) == expected


def test_the_access_starts_at_the_aligned_address_below_its_first_member() -> None:
    assert [one.offset for one in fused(loads(1, 2, 3))] == [-4]


def test_two_doubles_become_one_access() -> None:
    assert shapes("ld.shared.f64 %fd0, [%r4];\nld.shared.f64 %fd1, [%r4+8];") == [(2, 16)]


def test_halves_stay_apart() -> None:
    assert not fused("ld.shared.u16 %r5, [%r4];\nld.shared.u16 %r6, [%r4+2];")


@pytest.mark.parametrize(
    "between",
    [
        "bar.sync 0;",
        "st.shared.f32 [%r3], %f9;",
        "shfl.sync.bfly.b32 %r6|%p1, %r5, 1, 31, -1;",
        "atom.shared.add.u32 %r6, [%r3], 1;",
        "add.s32 %r4, %r4, 16;",
    ],
)
def test_what_stands_between_keeps_loads_apart(between: str) -> None:
    assert not fused(f"{loads(0)}\n{between}\nld.shared.f32 %f7, [%r4+4];")


def test_a_guard_or_volatile_keeps_loads_apart() -> None:
    assert not fused("@%p1 ld.shared.f32 %f0, [%r4];\nld.shared.f32 %f1, [%r4+4];")
    assert not fused("ld.volatile.shared.f32 %f0, [%r4];\nld.volatile.shared.f32 %f1, [%r4+4];")


def test_an_address_that_may_be_unaligned_is_left_alone() -> None:
    runtime = "mul.lo.s32 %r5, %r1, %r9;\nshl.b32 %r6, %r5, 2;\nadd.s32 %r4, %r3, %r6;\n"
    assert not fused(runtime + loads(0, 1, 2, 3))
    masked = runtime.replace("shl.b32 %r6, %r5, 2", "and.b32 %r7, %r5, -4;\nshl.b32 %r6, %r7, 2")
    assert shapes(masked + loads(0, 1, 2, 3)) == [(4, 16)]


def test_where_the_array_lies_decides_what_is_aligned() -> None:
    code = loads(0, 1, 2, 3)
    assert [one.width for one in fused(code, at=16)] == [16]
    assert [one.width for one in fused(code, at=8)] == [8, 8]
    assert [one.width for one in fused(code, at=4)] == [16]  # words 1, 2, 3 of a group; the last is alone


def test_a_pointer_stays_aligned_through_a_loop() -> None:
    loop = f"$L1:\n{loads(0, 1, 2, 3)}\nadd.s32 %r4, %r4, 64;\nsetp.lt.s32 %p1, %r4, 4096;\n@%p1 bra $L1;"
    assert shapes(loop) == [(4, 16)]
    assert not shapes(loop.replace("%r4, 64;", "%r4, 20;"))


def test_a_loop_pointer_is_only_known_to_be_a_multiple() -> None:
    start = "add.s32 %r4, %r4, 8;\n"
    loop = f"$L1:\n{loads(-2, -1, 0, 1)}\nadd.s32 %r4, %r4, 64;\nsetp.lt.s32 %p1, %r4, 4096;\n@%p1 bra $L1;"
    assert shapes(start + loop) == [(2, 8), (2, 8)]


def test_registers_that_differ_by_a_constant_are_one_base() -> None:
    code = """shl.b32 %r5, %r1, 3;
add.s32 %r6, %r3, %r5;
add.s32 %r7, %r6, 8;
mad.lo.s32 %r8, %r1, 8, %r3;
ld.shared.f32 %f0, [%r7+-8];
ld.shared.f32 %f1, [%r6+4];"""
    assert shapes(code) == [(2, 8)]


def test_a_base_that_changes_in_between_is_another_base() -> None:
    code = """mov.u32 %r5, %r4;
$L1:
ld.shared.f32 %f0, [%r5];
add.s32 %r5, %r5, 4;
ld.shared.f32 %f1, [%r5];
setp.lt.s32 %p1, %r5, 4096;
@%p1 bra $L1;"""
    assert not fused(code)


def test_the_last_rounds_of_an_unrolled_loop_become_one_access() -> None:
    """if (rest > 0) ...; if (rest > 1) ...; if (rest > 2) ...: ptxas guards and loads early."""
    code = """setp.eq.s32 %p1, %r9, 0;
@%p1 bra $L9;
ld.shared.f32 %f0, [%r4];
setp.eq.s32 %p2, %r9, 1;
@%p2 bra $L9;
ld.shared.f32 %f1, [%r4+4];
setp.eq.s32 %p3, %r9, 2;
@%p3 bra $L9;
ld.shared.f32 %f2, [%r4+8];
$L9:"""
    assert shapes(code) == [(3, 16)]
    stored = code.replace("setp.eq.s32 %p3", "st.shared.f32 [%r3], %f9;\nsetp.eq.s32 %p3")
    assert shapes(stored) == [(2, 8)]


def test_a_load_that_a_wider_one_covers_is_not_done_again() -> None:
    code = """ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r4];
ld.shared.f32 %f4, [%r4+4];
ld.shared.v2.f32 {%f5, %f6}, [%r4+8];
ld.shared.v4.f32 {%f7, %f8, %f9, %f10}, [%r4+16];"""
    assert [(len(one.members), one.width, one.offset) for one in fused(code)] == [(3, 16, 0)]


def test_a_store_that_a_guarded_one_overwrites_is_left_out() -> None:
    """s[t] = x; if (more) s[t] = x + y;"""
    code = """st.shared.f32 [%r4], %f0;
setp.eq.s32 %p1, %r9, 0;
@%p1 bra $L9;
add.f32 %f1, %f0, %f0;
st.shared.f32 [%r4], %f1;
$L9:"""
    assert shapes(code) == [(2, 4)]
    assert not shapes(code.replace("[%r4], %f1", "[%r4+4], %f1"))
    assert not shapes(code.replace("add.f32", "bar.sync 0;\nadd.f32"))


WIDE = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
HALF = "ld.global.v2.f32 {%f5, %f6}, [%rd1+16];\n"


def global_shapes(code: str) -> list[tuple[int, int]]:
    return shapes(".reg .b64 %rd<9>;\nmul.wide.u32 %rd1, %r1, 48;\n" + code)


def scalars(*words: int) -> str:
    return "\n".join(f"ld.global.f32 %f{10 + k}, [%rd1+{4 * word}];" for k, word in enumerate(words))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (WIDE + scalars(4, 5, 6, 7), [(4, 16)]),
        (WIDE + HALF + "ld.global.v2.f32 {%f7, %f8}, [%rd1+24];", [(2, 16)]),
        (HALF + "ld.global.v2.f32 {%f7, %f8}, [%rd1+24];", []),
        (HALF + scalars(6, 7), [(2, 8)]),
        (HALF + scalars(7, 8), []),
        (WIDE + HALF + scalars(6, 7), [(3, 16)]),
        (scalars(0, 1, 2, 3), []),
        (WIDE + scalars(4, 5) + "\nst.global.f32 [%rd2], %f1;", [(2, 8)]),
    ],
)
def test_a_vector_access_proves_the_alignment_of_its_global_neighbours(
    code: str, expected: list[tuple[int, int]]
) -> None:
    assert global_shapes(code) == expected


def test_global_stores_join_beside_a_vector_store() -> None:
    wide = "st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\n"
    rest = "\n".join(f"st.global.f32 [%rd1+{16 + 4 * k}], %f{k};" for k in range(4))
    assert global_shapes(wide + rest) == [(4, 16)]


def test_global_stores_of_two_widths_in_one_group_stay_apart() -> None:
    wide = "st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\nst.global.v2.f32 [%rd1+16], {%f5, %f6};\n"
    assert global_shapes(wide + "st.global.f32 [%rd1+24], %f7;\nst.global.f32 [%rd1+28], %f8;") == []


def test_global_loads_of_other_cache_operators_stay_apart() -> None:
    assert global_shapes(WIDE + scalars(4, 5).replace("global", "global.cg", 1)) == []
