"""Differences of packed bytes and half words, from CUDA's intrinsics."""

from __future__ import annotations

import numpy as np

from tests.ptx.device import Simulated


def test_packed_absolute_values_and_sums_of_differences() -> None:
    source = r"""
    extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* out) {
        unsigned i = threadIdx.x, x = a[i], y = b[i];
        out[i] = __vabs4(x);
        out[64 + i] = __vsads4(x, y);
        out[128 + i] = __vsadu4(x, y);
        out[192 + i] = __vabsdiffu4(x, y);
        out[256 + i] = __vabsdiffs2(x, y);
        out[320 + i] = __vsadu2(x, y);
        out[384 + i] = __vabsss4(x);
    }"""
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 1 << 32, 64, dtype=np.uint32) for _ in range(2))
    a[:3] = 0x80808080, 0x7F80FF01, 0x8000FFFF
    out = np.zeros(7 * 64, np.uint32)
    Simulated(source).launch("k", 1, 64, a, b, out)

    def parts(values: np.ndarray, dtype: str) -> np.ndarray:
        return values.view(dtype).reshape(64, -1).astype(np.int64)

    def packed(values: np.ndarray, bits: int) -> np.ndarray:
        places = bits * np.arange(32 // bits)
        return ((values & ((1 << bits) - 1)) << places).sum(axis=1).astype(np.uint32)

    signed, other = parts(a, "<i1"), parts(b, "<i1")
    bytes_, more = parts(a, "<u1"), parts(b, "<u1")
    words, wider = parts(a, "<i2"), parts(b, "<i2")
    want = [
        packed(np.abs(signed), 8),
        np.abs(signed - other).sum(axis=1),
        np.abs(bytes_ - more).sum(axis=1),
        packed(np.abs(bytes_ - more), 8),
        packed(np.abs(words - wider), 16),
        np.abs(parts(a, "<u2") - parts(b, "<u2")).sum(axis=1),
        packed(np.minimum(np.abs(signed), 127), 8),
    ]
    np.testing.assert_array_equal(out, np.concatenate(want).astype(np.uint32))
