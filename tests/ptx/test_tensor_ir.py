"""Tensor-core products: fragments of every shape and type against NumPy's matrix product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptx.lanes import native
from trainer.ptx.lower import tensor_ir as tensor
from trainer.ptx.lower.fragments import PER_REGISTER, Fragment, Shape, mma_a, mma_b, mma_c, wmma
from trainer.ptx.lower.values import POINTER, bits_of, vector_type
from trainer.ptx.lower.vec import I32, Builder, Value, function_text

LANES = 32


def encode(values: np.ndarray, type_: str) -> np.ndarray:
    """Element bit patterns of a PTX type, as unsigned integers."""
    if type_ == "f16":
        return values.astype(np.float16).view(np.uint16)
    if type_ == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if type_ in ("f32", "tf32"):
        return values.astype(np.float32).view(np.uint32)
    if type_ == "f64":
        return values.astype(np.float64).view(np.uint64)
    return values.astype({"s8": np.int8, "u8": np.uint8, "s32": np.int32}[type_]).view(
        np.uint8 if type_[1:] == "8" else np.uint32
    )


def decode(bits: np.ndarray, type_: str) -> np.ndarray:
    kinds: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
    return bits.view(kinds[type_]).astype(np.float64)


def scatter(matrix: np.ndarray, fragment: Fragment) -> np.ndarray:
    """Registers × lanes (uint64) holding the matrix's element patterns."""
    out = np.zeros((len(fragment.registers), LANES), np.uint64)
    bits = matrix.dtype.itemsize * 8
    for r, register in enumerate(fragment.registers):
        for s, lanes in enumerate(register):
            picked = np.array([matrix[p] for p in lanes], np.uint64)
            out[r] |= picked << np.uint64(s * bits)
    return out


def gather(registers: np.ndarray, fragment: Fragment, shape: tuple[int, int], width: int) -> np.ndarray:
    out = np.zeros(shape, {16: np.uint16, 32: np.uint32, 64: np.uint64}[width])
    for r, register in enumerate(fragment.registers):
        for s, lanes in enumerate(register):
            for lane, position in enumerate(lanes):
                value = int(registers[r, lane]) >> (s * width)
                out[position] = value & ((1 << width) - 1)
    return out


def execute(product: tensor.Product, fragments: dict[str, Fragment], matrices: dict[str, np.ndarray]) -> Any:
    """Run the generated function on matrices of bit patterns; returns D's values."""
    counts = [len(fragments[m].registers) for m in "abcd"]
    buffers = []
    for m, type_ in (("a", product.a), ("b", product.b), ("c", product.c)):
        kind = tensor.register_kind(type_)
        dtype = np.uint64 if bits_of(kind.element) == 64 else np.uint32
        for row in scatter(matrices[m], fragments[m]).astype(dtype):
            buffers.append(row)
    step = 8 * LANES
    room = np.zeros(step * (max(len(buffers), counts[3]) + 1), np.uint8)
    room = room[-room.ctypes.data % 64 :]
    for k, row in enumerate(buffers):
        room[step * k : step * k + row.nbytes] = row.view(np.uint8)
    call, _keep = native(tensor.routine(product, counts)(LANES), f"wd{LANES}_{product.name}", 1)
    call(room.ctypes.data)
    kind = tensor.register_kind(product.d)
    dtype = np.uint64 if bits_of(kind.element) == 64 else np.uint32
    outputs = np.stack(
        [room[step * k :][: LANES * bits_of(kind.element) // 8].view(dtype) for k in range(counts[3])]
    )
    width = 16 if product.d == "f16" else bits_of(kind.element)
    shape = (product.shape.m, product.shape.n)
    return decode(gather(outputs, fragments["d"], shape, width), product.d)


def inputs(product: tensor.Product, rng: np.random.Generator) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Matrices of patterns, and the f64 result."""
    s = product.shape
    sizes = {"a": (s.m, s.k), "b": (s.k, s.n), "c": (s.m, s.n)}
    types = {"a": product.a, "b": product.b, "c": product.c}
    raw = {}
    for m, size in sizes.items():
        if types[m] == "u8":
            raw[m] = rng.integers(0, 256, size).astype(np.float64)
        elif types[m] in ("s8", "s32"):
            raw[m] = rng.integers(-128, 128, size).astype(np.float64)
        else:  # few bits: exact in every format, sums too
            raw[m] = rng.integers(-8, 9, size) / 4.0
    patterns = {m: encode(v, types[m]) for m, v in raw.items()}
    return patterns, raw["a"] @ raw["b"] + raw["c"]


def mma_fragments(product: tensor.Product) -> dict[str, Fragment]:
    s, p = product.shape, PER_REGISTER[product.a]
    return {
        "a": mma_a(s.m, s.k, p),
        "b": mma_b(s.k, p),
        "c": mma_c(s.m, product.c == "f16"),
        "d": mma_c(s.m, product.d == "f16"),
    }


MMA = [
    ("m16n8k8", "f16", "f16", "f32", "f32"),
    ("m16n8k16", "f16", "f16", "f32", "f32"),
    ("m16n8k16", "f16", "f16", "f16", "f16"),
    ("m16n8k8", "bf16", "bf16", "f32", "f32"),
    ("m16n8k16", "bf16", "bf16", "f32", "f32"),
    ("m16n8k4", "tf32", "tf32", "f32", "f32"),
    ("m16n8k8", "tf32", "tf32", "f32", "f32"),
    ("m8n8k16", "s8", "s8", "s32", "s32"),
    ("m16n8k16", "u8", "s8", "s32", "s32"),
    ("m16n8k32", "s8", "u8", "s32", "s32"),
    ("m8n8k4", "f64", "f64", "f64", "f64"),
    ("m16n8k8", "f64", "f64", "f64", "f64"),
]
WMMA = [
    *((s, "f16", "f16", c, d) for s in ("m16n16k16", "m32n8k16", "m8n32k16")
      for c, d in (("f32", "f32"), ("f16", "f16"), ("f32", "f16"))),
    *((s, "bf16", "bf16", "f32", "f32") for s in ("m16n16k16", "m32n8k16", "m8n32k16")),
    *((s, t, t, "s32", "s32") for s in ("m16n16k16", "m32n8k16", "m8n32k16") for t in ("s8", "u8")),
    ("m16n16k8", "tf32", "tf32", "f32", "f32"),
    ("m8n8k4", "f64", "f64", "f64", "f64"),
]  # fmt: skip


@pytest.mark.parametrize("case", MMA, ids="-".join)
def test_mma_multiplies_matrices(case: tuple[str, ...]) -> None:
    shape, a, b, c, d = case
    product = tensor.Product(Shape.parse(shape), a, b, c, d)
    patterns, want = inputs(product, np.random.default_rng(41))
    np.testing.assert_array_equal(execute(product, mma_fragments(product), patterns), want)


@pytest.mark.parametrize("case", WMMA, ids="-".join)
def test_wmma_multiplies_matrices(case: tuple[str, ...]) -> None:
    shape, a, b, c, d = case
    product = tensor.Product(Shape.parse(shape), a, b, c, d)
    types = {"a": a, "b": b, "c": c, "d": d}
    fragments = {m: wmma(product.shape, m, t) for m, t in types.items()}
    patterns, want = inputs(product, np.random.default_rng(42))
    np.testing.assert_array_equal(execute(product, fragments, patterns), want)


# How many registers `mma.h` passes for each fragment.
COUNTS = {
    ("m16n16k16", "a", "f16"): 8, ("m16n16k16", "b", "f16"): 8, ("m32n8k16", "b", "f16"): 8,
    ("m8n32k16", "a", "f16"): 8, ("m16n16k16", "c", "f32"): 8, ("m16n16k16", "c", "f16"): 4,
    ("m16n16k16", "a", "bf16"): 4, ("m8n32k16", "a", "bf16"): 2, ("m8n32k16", "b", "bf16"): 8,
    ("m32n8k16", "a", "bf16"): 8, ("m32n8k16", "b", "bf16"): 2, ("m16n16k16", "a", "s8"): 2,
    ("m16n16k16", "b", "u8"): 2, ("m8n32k16", "a", "u8"): 1, ("m8n32k16", "b", "u8"): 4,
    ("m32n8k16", "a", "s8"): 4, ("m32n8k16", "b", "s8"): 1, ("m8n32k16", "d", "s32"): 8,
    ("m16n16k8", "a", "tf32"): 4, ("m16n16k8", "b", "tf32"): 4, ("m8n8k4", "a", "f64"): 1,
    ("m8n8k4", "c", "f64"): 2,
}  # fmt: skip


@pytest.mark.parametrize("key", COUNTS, ids="-".join)
def test_fragments_have_the_registers_that_the_headers_pass(key: tuple[str, str, str]) -> None:
    shape, matrix, type_ = key
    assert len(wmma(Shape.parse(shape), matrix, type_).registers) == COUNTS[key]


@pytest.mark.parametrize("shape", ["m16n16k16", "m32n8k16", "m8n32k16"])
def test_every_element_of_a_result_is_held_once(shape: str) -> None:
    s = Shape.parse(shape)
    held = [p for r in wmma(s, "d", "f32").registers for element in r for p in element]
    assert sorted(held) == [(i, j) for i in range(s.m) for j in range(s.n)]


def test_saturating_integer_products_clamp() -> None:
    product = tensor.Product(Shape(16, 8, 32), "s8", "s8", "s32", "s32", saturate=True)
    ones = {"a": np.full((16, 32), 127, np.uint8), "b": np.full((32, 8), 127, np.uint8)}
    c = np.full((16, 8), np.iinfo(np.int32).max - 5, np.int32).view(np.uint32)
    got = execute(product, mma_fragments(product), ones | {"c": c})
    assert np.all(got == np.iinfo(np.int32).max)


def test_tf32_ignores_the_bits_that_it_does_not_have() -> None:
    product = tensor.Product(Shape(16, 8, 8), "tf32", "tf32", "f32", "f32")
    patterns, want = inputs(product, np.random.default_rng(43))
    patterns["a"] |= 0x1FFF
    np.testing.assert_array_equal(execute(product, mma_fragments(product), patterns), want)


def test_movmatrix_transposes() -> None:
    def body(b: Builder, source: Value, target: Value) -> None:
        value = b.load(source, typ=vector_type(I32, LANES), align=1)
        b.store(tensor.transpose_8x8(b, value), target, align=1)

    call, _keep = native(function_text("go", [POINTER, POINTER], None, body), "go", 2)
    matrix = np.arange(64, dtype=np.uint16).reshape(8, 8)
    source, out = matrix.copy().view(np.uint32).ravel(), np.zeros(LANES, np.uint32)
    call(source.ctypes.data, out.ctypes.data)
    np.testing.assert_array_equal(out.view(np.uint16).reshape(8, 8), matrix.T)
