"""Half and bfloat16 kernels, from CUDA source to results, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptx.device import Simulated

HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n"


def halves(rng: np.random.Generator, count: int) -> np.ndarray:
    """Finite f16 of all sizes, subnormals and zeros among them."""
    bits = rng.integers(0, 0x7C00, count) | (rng.integers(0, 2, count) << 15)
    bits[:8] = [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF]
    return bits.astype(np.uint16).view(np.float16)


def f16_kernel(body: str, kind: str = "half") -> str:
    return (
        HEAD
        + f"""
    extern "C" __global__ void k(const {kind}* a, const {kind}* b, {kind}* c, int n) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {{ {kind} x = a[i], y = b[i]; c[i] = {body}; }}
    }}"""
    )


WIDE = np.float64
F16 = {
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y,
    "__hfma(x, y, x)": lambda x, y: (x.astype(WIDE) * y + x).astype(np.float16),
    "__hmax(x, y)": np.maximum,
    "__hmin(x, y)": np.minimum,
    "__habs(x)": lambda x, y: np.abs(x),
    "-x": lambda x, y: -x,
    "x < y ? x : y": np.minimum,
    "__hadd_sat(x, y)": lambda x, y: np.clip(x + y, 0, 1),
    "hfloor(x)": lambda x, y: np.floor(x),
    "hrint(y)": lambda x, y: np.rint(y),
    "__int2half_rn(__half2int_rz(x) + i)": lambda x, y: (x.astype(np.int64) + np.arange(len(x))).astype(
        np.float16
    ),
    "__double2half((double)__half2float(x) * 1.0001)": lambda x, y: (x.astype(WIDE) * 1.0001).astype(
        np.float16
    ),
}


@pytest.mark.parametrize("body", F16)
def test_half_arithmetic(body: str) -> None:
    rng = np.random.default_rng(1)
    x, y = halves(rng, 999), halves(rng, 999)
    out = np.zeros(999, np.float16)
    Simulated(f16_kernel(body)).launch("k", 4, 256, x, y, out, np.int32(999))
    with np.errstate(all="ignore"):
        want = F16[body](x, y).astype(np.float16)
    np.testing.assert_array_equal(out, want)


PACKED = {
    "__hfma2(x, y, x)": lambda x, y: (x.astype(WIDE) * y + x).astype(np.float16),
    "__hadd2(x, y)": lambda x, y: x + y,
    "__hmul2(x, y)": lambda x, y: x * y,
    "__hmax2(x, y)": np.maximum,
    "__heq2(x, x)": lambda x, y: np.ones_like(x),
    "__hgt2(x, y)": lambda x, y: (x > y).astype(np.float16),
    "__lowhigh2highlow(__hneg2(x))": lambda x, y: -x.reshape(-1, 2)[:, ::-1].ravel(),
    "__hfma2_relu(x, y, x)": lambda x, y: np.maximum((x.astype(WIDE) * y + x).astype(np.float16), 0),
}


@pytest.mark.parametrize("body", PACKED)
def test_packed_half_arithmetic(body: str) -> None:
    rng = np.random.default_rng(2)
    x, y = halves(rng, 998), halves(rng, 998)
    out = np.zeros(998, np.float16)
    Simulated(f16_kernel(body, "half2")).launch("k", 4, 128, x, y, out, np.int32(499))
    with np.errstate(all="ignore"):
        want = PACKED[body](x, y).astype(np.float16)
    np.testing.assert_array_equal(out, want)


FUNCTIONS = {
    "hexp(x)": (np.exp, 2), "hlog(__habs(x))": (lambda v: np.log(np.abs(v)), 2),
    "hsqrt(__habs(x))": (lambda v: np.sqrt(np.abs(v)), 1), "hrcp(x)": (np.reciprocal, 1),
    "hsin(x)": (np.sin, 4), "htanh(x)": (np.tanh, 2), "h2exp2(half2(x, x)).x": (np.exp2, 2),
    "x / half(3.0f)": (lambda v: v / 3, 1),
}  # fmt: skip


@pytest.mark.parametrize("body", FUNCTIONS)
def test_half_functions_are_close(body: str) -> None:
    reference, units = FUNCTIONS[body]
    x = np.random.default_rng(3).uniform(-6, 6, 500).astype(np.float16)
    out = np.zeros(500, np.float16)
    Simulated(f16_kernel(body)).launch("k", 2, 256, x, x, out, np.int32(500))
    want = reference(x.astype(WIDE))
    unit = np.maximum(np.abs(want), 2.0**-14) * 2.0**-10
    assert np.all(np.abs(out - want) <= units * unit)


def to_bf16(values: np.ndarray) -> np.ndarray:
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(WIDE)


BF16 = {
    "x + y": lambda x, y: x + y,
    "x * y": lambda x, y: x * y,
    "__hfma(x, y, x)": lambda x, y: x * y + x,
    "__hmax(x, y)": np.maximum,
    "__habs(-x)": lambda x, y: np.abs(x),
    "x > y ? x : y": np.maximum,
    "__float2bfloat16(__bfloat162float(x) * 3.0f)": lambda x, y: x * 3,
    "__int2bfloat16_rn(__bfloat162int_rz(x))": lambda x, y: np.trunc(x) + 0.0,
}


@pytest.mark.parametrize("body", BF16)
def test_bfloat16_arithmetic(body: str) -> None:
    rng = np.random.default_rng(4)
    x, y = (to_bf16(rng.standard_normal(500) * 2.0 ** rng.integers(-8, 8, 500)) for _ in range(2))
    out = np.zeros(500, np.uint16)
    Simulated(f16_kernel(body, "__nv_bfloat16")).launch("k", 2, 256, x, y, out, np.int32(500))
    np.testing.assert_array_equal(out, to_bf16(BF16[body](from_bf16(x), from_bf16(y))))


def test_packed_bfloat16_and_conversions_of_pairs() -> None:
    source = (
        HEAD
        + r"""
    extern "C" __global__ void k(const float2* a, __nv_bfloat162* b, half2* h, float2* back) {
        int i = threadIdx.x;
        __nv_bfloat162 factor = __floats2bfloat162_rn(2.f, 3.f);
        b[i] = __hfma2(__float22bfloat162_rn(a[i]), factor, __float2bfloat162_rn(1.f));
        h[i] = __float22half2_rn(a[i]);
        back[i] = __bfloat1622float2(b[i]);
    }"""
    )
    a = np.random.default_rng(5).standard_normal((64, 2)).astype(np.float32)
    b, h, back = np.zeros((64, 2), np.uint16), np.zeros((64, 2), np.float16), np.zeros((64, 2), np.float32)
    Simulated(source).launch("k", 1, 64, a, b, h, back)
    want = to_bf16(from_bf16(to_bf16(a)) * [2.0, 3.0] + 1)
    np.testing.assert_array_equal(b, want)
    np.testing.assert_array_equal(h, a.astype(np.float16))
    np.testing.assert_array_equal(back, from_bf16(want))


def test_eight_bit_floats() -> None:
    source = (
        HEAD
        + r"""
    extern "C" __global__ void k(const float2* a, __nv_fp8x2_e4m3* b, __nv_fp8x2_e5m2* c, float2* d,
                                 half2* e) {
        int i = threadIdx.x;
        b[i] = __nv_fp8x2_e4m3(a[i]);
        c[i] = __nv_fp8x2_e5m2(a[i]);
        d[i] = float2(b[i]);
        e[i] = half2(c[i]);
    }"""
    )
    a = np.array([[1.0, -2.5], [448.0, 1000.0], [0.001953125, 0.3], [17.0, 60000.0]], np.float32)
    b, c = np.zeros((4, 2), np.uint8), np.zeros((4, 2), np.uint8)
    d, e = np.zeros((4, 2), np.float32), np.zeros((4, 2), np.float16)
    Simulated(source).launch("k", 1, 4, a, b, c, d, e)
    np.testing.assert_array_equal(
        d, np.array([[1, -2.5], [448, 448], [0.001953125, 0.3125], [16, 448]], np.float32)
    )
    np.testing.assert_array_equal(
        e, np.array([[1, -2.5], [448, 1024], [0.001953125, 0.3125], [16, 57344]], np.float16)
    )


@pytest.mark.parametrize(
    ("expression", "reference", "error"),
    [
        ("__expf(x)", np.exp, 1e-6), ("__logf(fabsf(x))", lambda v: np.log(np.abs(v)), 1e-6),
        ("__sinf(x)", np.sin, 1e-6), ("__cosf(x)", np.cos, 1e-6),
        ("rsqrtf(fabsf(x))", lambda v: 1 / np.sqrt(np.abs(v)), 2e-7),
        ("__fdividef(1.0f, x)", np.reciprocal, 2e-7),
        ("__powf(fabsf(x), 1.5f)", lambda v: np.abs(v) ** 1.5, 2e-6),
        ("__tanf(x / 5)", lambda v: np.tan(v / 5), 2e-6),
    ],
)  # fmt: skip
def test_fast_functions(expression: str, reference: object, error: float) -> None:
    source = f"""
    extern "C" __global__ void k(const float* in, float* out) {{
        float x = in[threadIdx.x];
        out[threadIdx.x] = {expression};
    }}"""
    x = np.random.default_rng(6).uniform(-6, 6, 256).astype(np.float32)
    out = np.zeros(256, np.float32)
    Simulated(source).launch("k", 1, 256, x, out)
    assert callable(reference)
    want = reference(x.astype(WIDE))
    assert np.all(np.abs(out - want) <= error * np.maximum(np.abs(want), 1))
