"""Half conversions for processors without an instruction: every value, against NumPy."""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from trainer.ptx import half_support

PROGRAM = """
define void @go(ptr %from, ptr %to, i64 %count) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr SOURCE, ptr %from, i64 %k
  %target = getelementptr TARGET, ptr %to, i64 %k
  %x = load SOURCE, ptr %source
  %y = OP SOURCE %x to TARGET
  store TARGET %y, ptr %target
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


def convert(values: np.ndarray, op: str, source: str, target: str, dtype: Any) -> np.ndarray:
    """LLVM's conversion on a processor of 2003."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(cpu="x86-64", opt=1)
    text = PROGRAM.replace("SOURCE", source).replace("TARGET", target).replace("OP", op)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(half_support.SYMBOLS + text), machine)
    engine.finalize_object()
    go = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(
        engine.get_function_address("go")
    )
    out = np.zeros(len(values), dtype)
    go(values.ctypes.data, out.ctypes.data, len(values))
    return out


x86 = pytest.mark.skipif(not llvm.get_default_triple().startswith("x86_64"), reason="only x86 lacks them")


@x86
def test_every_half_widens_exactly() -> None:
    values = np.arange(1 << 16).astype(np.uint16)
    got = convert(values, "fpext", "half", "float", np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got, values.view(np.float16).astype(np.float32))


@x86
def test_floats_round_to_the_nearest_half() -> None:
    halves = np.arange(0x7BFF).astype(np.uint16).view(np.float16).astype(np.float32)
    middle = (halves[1:] + halves[:-1]) / 2
    wild = np.random.default_rng(1).integers(0, 1 << 32, 50000, dtype=np.uint32).view(np.float32)
    edges = np.array([65504, 65519, 65520, 65536, 1e30, np.inf, np.nan, 1e-8, 2.9e-8, 3e-8], np.float32)
    zero, far = np.float32(0), np.float32(np.inf)
    with np.errstate(all="ignore"):
        values = np.concatenate(
            [halves, middle, np.nextafter(middle, zero), np.nextafter(middle, far), wild, edges]
        )
        values = np.concatenate([values, -values])
        got = convert(values, "fptrunc", "float", "half", np.float16)
        np.testing.assert_array_equal(got, values.astype(np.float16))


def test_a_processor_with_the_instruction_needs_nothing() -> None:
    assert not half_support.needed("x86_64-unknown-linux-gnu", {"f16c": True})
    assert not half_support.needed("aarch64-unknown-linux-gnu", {})
    assert half_support.needed("x86_64-unknown-linux-gnu", {"f16c": False})
