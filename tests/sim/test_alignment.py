from __future__ import annotations

import pytest

from trainer.ptx.module import Register
from trainer.ptx.parse import parse_module
from trainer.ptx.types import B32
from trainer.sim.alignment import Alignment, Known, constant, meet

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 k_param_0)
{
.reg .pred %p<4>;
.reg .b32 %r<20>;
ld.param.u32 %r9, [k_param_0];
mov.u32 %r1, %tid.x;
"""


def known(code: str, number: int) -> Known | None:
    body = parse_module(HEAD + code + "\nret;\n}\n").functions["k"].body
    assert body is not None
    return Alignment(body, {"s": 48}).known(Register(f"%r{number}", B32))


@pytest.mark.parametrize(
    ("code", "bits", "value"),
    [
        ("shl.b32 %r2, %r1, 4;", 4, 0),
        ("shl.b32 %r3, %r1, 4;\nadd.s32 %r2, %r3, 8;", 4, 8),
        ("mul.lo.s32 %r2, %r1, 48;", 4, 0),
        ("mad.lo.s32 %r2, %r1, 12, 4;", 2, 0),
        ("and.b32 %r2, %r1, -8;", 3, 0),
        ("shl.b32 %r3, %r1, 6;\nshr.u32 %r2, %r3, 2;", 4, 0),
        ("mul.lo.s32 %r3, %r1, %r9;\nshl.b32 %r2, %r3, 2;", 2, 0),
        ("shl.b32 %r3, %r1, 4;\nor.b32 %r2, %r3, 3;", 4, 3),
        ("mov.u32 %r3, s;\nshl.b32 %r4, %r1, 5;\nadd.s32 %r2, %r3, %r4;", 5, 16),
        ("add.s32 %r2, %r1, 4;", 0, 0),
    ],
)
def test_low_bits_follow_the_arithmetic(code: str, bits: int, value: int) -> None:
    assert known(code, 2) == Known(bits, value)


def test_a_loop_keeps_what_start_and_step_have_in_common() -> None:
    loop = "mov.u32 %r2, 32;\n$L1:\nadd.s32 %r2, %r2, 24;\nsetp.lt.s32 %p1, %r2, %r9;\n@%p1 bra $L1;"
    assert known(loop, 2) == Known(3, 0)


def test_meeting_keeps_the_bits_that_agree() -> None:
    assert meet(constant(0b1010), constant(0b0110)) == Known(2, 0b10)
    assert meet(Known(3, 5), constant(5)) == Known(3, 5)


def test_registers_that_define_each_other_come_to_an_end() -> None:
    start = "mov.u32 %r2, 1;\nmov.u32 %r3, 2;\n"
    circle = "$L1:\nxor.b32 %r2, %r3, %r2;\nmul.lo.s32 %r3, %r2, %r3;\nbra $L1;"
    assert known(start + circle, 2) is not None
