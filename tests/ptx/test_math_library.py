# ruff: noqa: E501
"""CUDA's math library, as NVRTC inlines it, within the errors that NVIDIA documents (plus rounding)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import compile_cuda, run_kernel

# name, NumPy's function in double, documented ulps (CUDA C++ Programming Guide, mathematical functions), range
ONE: tuple[tuple[str, Callable[..., Any], float, tuple[float, float]], ...] = (
    ("sinf", np.sin, 2, (-1e6, 1e6)),
    ("cosf", np.cos, 2, (-1e6, 1e6)),
    ("tanf", np.tan, 4, (-1e5, 1e5)),
    ("expf", np.exp, 2, (-80, 80)),
    ("exp2f", np.exp2, 2, (-120, 120)),
    ("exp10f", lambda x: 10.0**x, 2, (-36, 36)),
    ("expm1f", np.expm1, 1, (-10, 80)),
    ("logf", np.log, 1, (1e-30, 1e30)),
    ("log2f", np.log2, 1, (1e-30, 1e30)),
    ("log10f", np.log10, 2, (1e-30, 1e30)),
    ("log1pf", np.log1p, 1, (-0.9, 1e10)),
    ("tanhf", np.tanh, 2, (-20, 20)),
    ("sinhf", np.sinh, 3, (-80, 80)),
    ("atanf", np.arctan, 2, (-1e6, 1e6)),
    ("asinf", np.arcsin, 2, (-1, 1)),
    ("cbrtf", np.cbrt, 1, (-1e10, 1e10)),
    ("rsqrtf", lambda x: 1 / np.sqrt(x), 2, (1e-20, 1e20)),
    ("erff", np.vectorize(math.erf), 2, (-5, 5)),
    ("lgammaf", np.vectorize(math.lgamma), 6, (0.1, 100)),
    ("roundf", lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5), 0, (-1e5, 1e5)),
    ("sin", np.sin, 2, (-1e8, 1e8)),
    ("exp", np.exp, 1, (-700, 700)),
    ("log", np.log, 1, (1e-300, 1e300)),
    ("tanh", np.tanh, 2, (-20, 20)),
    ("sqrt", np.sqrt, 0, (0, 1e300)),
    ("erfc", np.vectorize(math.erfc), 5, (-5, 20)),
)
TWO: tuple[tuple[str, Callable[..., Any], float, tuple[float, float]], ...] = (
    ("powf", np.power, 4, (0.01, 20)),
    ("atan2f", np.arctan2, 3, (-100, 100)),
    ("fmodf", np.fmod, 0, (-1e6, 1e6)),
    ("hypotf", np.hypot, 3, (-1e15, 1e15)),
    ("fdividef", np.divide, 2, (0.1, 1e9)),
    ("pow", np.power, 2, (0.01, 50)),
    ("fmod", np.fmod, 0, (-1e9, 1e9)),
)


def _ulps(got: Any, exact: Any, kind: Any) -> float:
    unit = np.spacing(np.maximum(np.abs(exact), np.finfo(kind).tiny).astype(kind)).astype(np.float64)
    return float(np.max(np.abs(got.astype(np.float64) - exact) / unit))


def _inputs(low: float, high: float, kind: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    if low > 0 and high / low > 1e6:
        values = np.exp(rng.uniform(math.log(low), math.log(high), 512))
    else:
        values = np.concatenate([rng.uniform(low, high, 256), rng.uniform(max(low, -2), min(high, 2), 256)])
    return values.astype(kind)


def _names() -> str:
    lines = []
    for name, *_ in ONE:
        kind = "float" if name.endswith("f") and name != "erf" else "double"
        lines.append(f"OP({name}, {kind}, {name}(a[i]))")
    for name, *_ in TWO:
        kind = "float" if name.endswith("f") else "double"
        lines.append(f"OP({name}, {kind}, {name}(a[i], b[i]))")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def library() -> Any:
    source = """#define OP(n, t, e) extern "C" __global__ void k_##n(const t* a, const t* b, t* out) { \\
        int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = e; }\n"""
    return compile_cuda(source + _names())


@pytest.mark.parametrize(("name", "exact", "allowed", "bounds"), (*ONE, *TWO), ids=lambda v: v if isinstance(v, str) else "")
def test_math_functions_stay_within_documented_errors(
    library: Any, name: str, exact: Any, allowed: float, bounds: tuple[float, float]
) -> None:
    kind = np.float32 if name.endswith("f") else np.float64
    a, b = (_inputs(*bounds, kind, seed) for seed in (1, 2))
    out = np.zeros_like(a)
    run_kernel(library, f"k_{name}", [a, b, out], grid=4, block=128)
    arguments = [v.astype(np.float64) for v in ((a, b) if any(name == n for n, *_ in TWO) else (a,))]
    assert _ulps(out, exact(*arguments), kind) <= allowed + 0.6
