"""Every number that a quiz states, computed again from what the question gives."""

from __future__ import annotations

from collections import Counter

ANSWERS: dict[str, float] = {
    "adamw-bytes": 7 * 4,
    "compulsory-intensity": 2 * 4096**3 / (3 * 4 * 4096**2),
    "copy-of-a-sum-in-pytorch": 5 * 4,
    "copy-of-one-gibibyte": 1 + 1,
    "doubling-a-fifth": 1 / (0.8 + 0.2 / 2),
    "exam-row-and-four-columns": max(Counter(132 * t % 32 for t in range(32)).values()),
    "exam-vector-add-bytes": (2 + 1) * 4,
    "floor-of-a-large-sum": 4 * 2**30 / 4800e9 * 1e6,
    "floor-of-a-transpose": 2 * 8192**2 * 4 / 4800e9 * 1e6,
    "flops-of-a-convolution": 2 * 64 * 128 * 9 * 64 * 128 / 1e9,
    "flops-of-a-product": 2 * 4096**3 / 1e9,
    "fma-of-one-wgmma": 64 * 256 * 16,
    "gqa-intensity": 8 * 2 * 2 / (2 * 2),
    "histogram-floor": 50e6 * 4 / 4800e9 * 1e6,
    "mla-cache-ratio": 2 * 128 * 128 / 576,
    "model-on-pcie": 1 / 25 * 1e3,
    "one-block-too-many": 100 * 133 / 264,
    "online-against-three-passes": 16 / 12,
    "register-file-bytes": 65536 * 4 / 1024,
    "scan-with-look-back": (1 + 1) * 4,
    "shared-bandwidth-of-a-chip": 132 * 128 * 1.98e9 / 1e12,
    "smallest-time-of-an-addition": 12 * 2**28 / 4800e9 * 1e6,
    "speedup-of-the-slides": 8.054 / 0.268,
    "sum-of-ones-in-fp32": 2**24,
    "tensor-against-cuda-cores": 989.4 / 66.9,
    "thirty-three-registers": 100 * 32 * (65536 // (-(-33 * 32 // 256) * 256 * 32)) / 64,
    "warps-for-dependent-fma": 4 * 4,
    "where-batch-turns-compute-bound": 989.4e12 / 4800e9,
    "winograd-saving": 4 * 9 / 16,
}
