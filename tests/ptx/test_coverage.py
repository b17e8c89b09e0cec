# ruff: noqa: E501  (code in another language reads better unbroken)
"""Every spelling of an instruction that NVRTC wrote for a thousand public files has a translation.

`opcodes.txt` lists them (branches, calls and tensor-core instructions have tests of their own).
"""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tests.ptx.harness import HEAD
from trainer.errors import UnsupportedError
from trainer.ptx.lower.access import Access
from trainer.ptx.parse import parse_module
from trainer.ptx.translate import KernelBuilder

OPCODES = Path(__file__).with_name("opcodes.txt").read_text(encoding="utf-8").split()
_TYPES = ("u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64", "pred")
_HELD_AS = {"u8": "u16", "s8": "s16", "b8": "b16", "f16": "b16", "f16x2": "b32", "e4m3x2": "b16", "tf32": "b32"}
_TWO = "add sub mul div rem min max and or xor addc subc copysign".split()
_FIXED = {
    "bar": "0", "barrier": "0", "redux": "%s32_0, %s32_1, -1", "activemask": "%b32_0", "membar": "", "ret": "",
    "trap": "", "elect": "%b32_0|%pred_0, -1", "prmt": "%b32_0, %b32_1, %b32_2, 0x5410",
    "shf": "%b32_0, %b32_1, %b32_2, %u32_3", "dp4a": "%s32_0, %s32_1, %s32_2, %s32_3",
    "shfl": "%b32_0|%pred_0, %b32_1, 1, 31, -1", "bmsk": "%b32_0, %u32_1, %u32_2", "cvta": "%u64_0, %u64_1",
}  # fmt: skip
_COPIES = {"commit_group": "", "wait_group": "0"}


def register(type_: str, number: int) -> str:
    return f"%{_HELD_AS.get(type_, type_)}_{number}"


def operands(op: str, modifiers: list[str]) -> str:
    """Operands that suit an opcode."""
    kind = modifiers[-1] if modifiers else ""
    wide = f"{kind[0]}{2 * int(kind[1:])}" if "wide" in modifiers else kind
    if op in _FIXED:
        return "0xffffffff" if modifiers == ["warp", "sync"] else _FIXED[op]
    if op == "cp":
        return _COPIES.get(kind, "[%u32_0], [%u64_1], 16")
    if op in ("ld", "st"):
        count = next((int(m[1]) for m in modifiers if m in ("v2", "v4")), 1)
        names = [register(kind, k) for k in range(count)]
        value = "{" + ", ".join(names) + "}" if count > 1 else names[0]
        place = "[parameter]" if "param" in modifiers and op == "ld" else "[%u64_9+16]"
        place = "[local]" if "param" in modifiers and op == "st" else place
        return f"{value}, {place}" if op == "ld" else f"{place}, {value}"
    if op == "atom":
        extra = f", {register(kind, 2)}" if "cas" in modifiers else ""
        return f"{register(kind, 0)}, [%u64_9], {register(kind, 1)}{extra}"
    if op == "cvt":
        second = f", {register(kind, 2)}" if modifiers[-2].endswith("x2") else ""
        return f"{register(modifiers[-2], 0)}, {register(kind, 1)}{second}"
    if op in ("setp", "selp"):
        a, b = register(kind, 1), register(kind, 2)
        return f"%pred_0, {a}, {b}" if op == "setp" else f"{register(kind, 0)}, {a}, {b}, %pred_0"
    if op in ("shl", "shr"):
        return f"{register(kind, 0)}, {register(kind, 1)}, %u32_2"
    if op == "bfi":
        return f"{register(kind, 0)}, {register(kind, 1)}, {register(kind, 2)}, 3, 5"
    count = 3 if op in ("mad", "madc", "fma") else 2 if op in _TWO else 1
    sources = [register(wide if k == 2 else kind, k + 1) for k in range(count)]
    return ", ".join([register("u32" if op == "clz" else wide, 0), *sources])


def kernel(lines: list[str]) -> str:
    registers = "\n".join(f".reg .{t} %{t}_<10>;" for t in _TYPES)
    return HEAD + (
        f".visible .entry k(.param .align 16 .b8 parameter[64]) {{\n{registers}\n.param .align 16 .b8 local[64];\n"
        + "\n".join(lines) + "\nret;\n}\n"
    )


@pytest.mark.parametrize("batch", range(8))
def test_every_spelling_met_in_public_files_becomes_valid_native_code(batch: int) -> None:
    lines = []
    for opcode in OPCODES[batch::8]:
        op, *modifiers = opcode.split(".")
        lines.append(f"{opcode} {operands(op, modifiers)};")
    builder = KernelBuilder(parse_module(kernel([f"@%pred_1 {line}" if "ret" not in line else line for line in lines])),
                            "k", 32, Access())
    llvm.parse_assembly(builder.build()).verify()
    llvm.parse_assembly(KernelBuilder(parse_module(kernel(lines)), "k", 1, Access()).build()).verify()


@pytest.mark.parametrize("line", [
    "add.rn.quantum.f32 %f32_0, %f32_1, %f32_2", "tex.2d.v4.f32.f32 {%f32_0, %f32_1, %f32_2, %f32_3}, [%u64_0, {%f32_4, %f32_5}]",
    "atom.global.add.b128 %b64_0, [%u64_9], %b64_1", "mov.u32 %u32_0, %clock_of_the_tower", "vadd.s32.s32.s32 %s32_0, %s32_1, %s32_2",
])  # fmt: skip
def test_what_is_not_known_is_refused_never_guessed(line: str) -> None:
    with pytest.raises(UnsupportedError):
        KernelBuilder(parse_module(kernel([line + ";"])), "k", 32, Access()).build()


@pytest.mark.parametrize("line", [
    "add.s32 %u32_0", "ld.global.u32 %u32_0, %u32_1", "bra NOWHERE", "setp.lt.s32 %pred_0, %u32_1",
    "shfl.sync.idx.b32 %b32_0", "call (x), nobody, (%u32_1)", "bar.sync", "st.global.u32 [%u64_0]",
    "lop3.b32 %b32_0, %b32_1, %b32_2, %b32_3, %u32_1", "mov.u32 %u32_0, 12abc", "atom.global.add.u32 %u32_0", "ld.param.u32 %u32_0, [nothing]",
])  # fmt: skip
def test_inline_assembly_that_makes_no_sense_is_refused_without_a_traceback(line: str) -> None:
    with pytest.raises(UnsupportedError):
        KernelBuilder(parse_module(kernel([line + ";"])), "k", 32, Access()).build()
