"""Static facts, from PTX as NVRTC writes it."""

from __future__ import annotations

from trainer.ptx.parse import parse_module
from trainer.sim.kernel_facts import KernelFacts, facts_of
from trainer.sim.uniformity import is_uniform, varying_registers

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2)
{
.reg .pred %p<4>;
.reg .f32 %f<8>;
.reg .b32 %r<20>;
.reg .b64 %rd<20>;
.shared .align 4 .b8 s[4096];
ld.param.u64 %rd1, [k_param_0];
ld.param.u64 %rd2, [k_param_1];
cvta.to.global.u64 %rd3, %rd1;
cvta.to.global.u64 %rd4, %rd2;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd5, %r1, 4;
add.s64 %rd6, %rd3, %rd5;
add.s64 %rd7, %rd4, %rd5;
"""


def facts(code: str) -> KernelFacts:
    return facts_of([parse_module(HEAD + code + "\nret;\n}\n").functions["k"]])


def test_only_parameters_that_stores_use_are_written() -> None:
    found = facts("ld.global.f32 %f1, [%rd6];\nst.global.f32 [%rd7], %f1;")
    assert found.written == {8}
    assert not found.writes_anywhere


def test_a_pointer_from_memory_may_point_anywhere() -> None:
    assert facts("ld.global.u64 %rd8, [%rd6];\nst.global.u32 [%rd8], 1;").writes_anywhere


def test_a_pointer_that_a_function_returned_may_point_anywhere() -> None:
    declared = ".visible .func (.param .b64 r) f() ;\n"
    call = "{\n.param .b64 retval0;\ncall.uni (retval0), f, ();\nld.param.b64 %rd8, [retval0];\n}\n"
    call += "st.global.u32 [%rd8], 1;"
    text = HEAD.replace(".visible .entry", declared + ".visible .entry") + call + "\nret;\n}\n"
    assert facts_of([parse_module(text).functions["k"]]).writes_anywhere


def test_atomics_write_too_but_shared_ones_do_not() -> None:
    assert facts("atom.global.add.u32 %r2, [%rd6], 1;").written == {0}
    assert not facts("mov.u32 %r3, s;\natom.shared.add.u32 %r2, [%r3], 1;").written


def test_a_fence_with_an_atomic_orders_blocks_as_the_kernel_likes() -> None:
    atomic = "atom.global.add.u32 %r2, [%rd6], 1;"
    assert not facts(atomic).synchronises_blocks
    assert facts("membar.gl;\n" + atomic).synchronises_blocks
    assert not facts("membar.cta;\n" + atomic).synchronises_blocks


def test_a_lock_in_shared_memory_is_seen() -> None:
    assert facts("mov.u32 %r3, s;\natom.shared.cas.b32 %r2, [%r3], 0, 1;").orders_shared
    assert not facts("mov.u32 %r3, s;\natom.shared.add.u32 %r2, [%r3], 1;").orders_shared
    flag = "mov.u32 %r3, s;\nld.volatile.shared.u32 %r2, [%r3];"
    assert not facts(flag).orders_shared
    assert facts("membar.cta;\n" + flag).orders_shared


def test_what_comes_from_parameters_is_uniform_and_what_comes_from_tid_is_not() -> None:
    body = parse_module(HEAD + "ret;\n}\n").functions["k"].body
    assert body is not None
    varying = varying_registers(body)
    uniform = {r for i in body.instructions for r in i.operands if is_uniform(r, varying)}
    names = {getattr(r, "name", "") for r in uniform}
    assert {"%rd1", "%rd3"} <= names
    assert not {"%r1", "%rd5", "%rd6"} & names


def test_a_lock_in_global_memory_is_taken_with_cas_and_returned_with_exch_and_fenced() -> None:
    take = "atom.global.cas.b32 %r2, [%rd1], 0, 1;\n"
    give = "atom.global.exch.b32 %r2, [%rd1], 0;\n"
    assert facts(take + "membar.gl;\n" + give).locks_global
    assert not facts(take + give).locks_global
    assert not facts(take + "membar.gl;\n").locks_global
