from __future__ import annotations

from trainer.ptx.module import Body, Register
from trainer.ptx.parse import parse_module
from trainer.ptx.types import B32
from trainer.sim.linear import LinearForms

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
.reg .pred %p<4>;
.reg .b32 %r<20>;
"""


def forms(code: str) -> LinearForms:
    body: Body | None = parse_module(HEAD + code + "\nret;\n}\n").functions["k"].body
    assert body is not None
    return LinearForms(body, {"s": 64})


def register(number: int) -> Register:
    return Register(f"%r{number}", B32)


def test_sums_that_differ_by_a_constant_have_one_root() -> None:
    found = forms("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nadd.s32 %r3, %r2, 12;\nsub.s32 %r4, %r3, 4;")
    assert found.of(register(3)).root == found.of(register(4)).root == found.of(register(2)).root
    assert (found.of(register(3)).constant, found.of(register(4)).constant) == (12, 8)


def test_a_constant_inside_a_product_is_multiplied() -> None:
    code = "mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 3;\nmul.lo.s32 %r3, %r2, 20;\nmul.lo.s32 %r4, %r1, 20;"
    found = forms(code)
    assert found.of(register(3)).root == found.of(register(4)).root
    assert found.of(register(3)).constant == 60


def test_the_same_expression_in_two_registers_is_one_value() -> None:
    code = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nadd.s32 %r3, %r1, %r2;\nadd.s32 %r4, %r2, %r1;"
    found = forms(code)
    assert found.of(register(3)) == found.of(register(4))


def test_a_register_with_two_definitions_stands_for_itself() -> None:
    found = forms("mov.u32 %r1, 0;\n$L1:\nadd.s32 %r1, %r1, 4;\nadd.s32 %r2, %r1, 8;\nbra $L1;")
    assert found.of(register(2)).root == ("reg", "%r1")
    assert "%r1" in found.several
