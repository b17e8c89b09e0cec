"""What is held against which library call, at which size, and what is promised of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Tensors = Mapping[str, Any]  # by argument name: torch tensors, and numbers
Call = Callable[[Tensors], Any]

GEMM = {"M": 4096, "N": 4096, "K": 4096}
LARGE_GEMM = {"M": 8192, "N": 8192, "K": 8192}


@dataclass(frozen=True)
class Row:
    """`rung` None is the last one of the ladder.

    `ratio` is the promised speed relative to the library, `ceiling` that relative to the rate of a
    plain copy, `floor` that relative to the floor of bytes and flops; None where nothing is promised.
    """

    task: str
    sizes: Mapping[str, int]
    library: str = "-"
    call: Call | None = None
    rung: str | None = None
    ratio: float | None = None
    ceiling: float | None = None
    floor: float | None = None
    tolerance: float = 1e-4


def _softmax(x: Tensors) -> Any:
    return x["input"].softmax(-1)


def _attention(x: Tensors) -> Any:
    """The fastest of torch's backends on an H200."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        return scaled_dot_product_attention(x["Q"], x["K"], x["V"], is_causal=True)


def _layer_norm(x: Tensors) -> Any:
    from torch.nn.functional import layer_norm

    return layer_norm(x["input"], (x["C"],), x["weight"], x["bias"], x["eps"])


def _matmul(x: Tensors) -> Any:
    return x["A"] @ x["B"]


def _rms_norm(x: Tensors) -> Any:
    from torch.nn.functional import rms_norm

    return rms_norm(x["x"] + x["residual"], (x["C"],), x["weight"], x["eps"])


def _attention(x: Tensors, is_causal: bool = False) -> Any:
    """The fastest of torch's backends for this on an H200, cuDNN's."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        return scaled_dot_product_attention(x["Q"], x["K"], x["V"], is_causal=is_causal)


def _causal_attention(x: Tensors) -> Any:
    return _attention(x, is_causal=True)


def _plain_attention(x: Tensors) -> Any:
    return (x["Q"] @ x["K"].T * x["d"] ** -0.5).softmax(-1) @ x["V"]


def _cumsum(x: Tensors) -> Any:
    return x["input"].cumsum(0)


def _blur(x: Tensors) -> Any:
    from torch.nn.functional import conv2d

    return conv2d(x["input"][None, None], x["kernel"][None, None], padding="same")[0, 0]


ROWS = (
    Row("reduction", {"N": 1 << 28}, "torch.sum", lambda x: x["input"].sum(), ratio=1.03, ceiling=0.97),
    Row(
        "matrix-transpose",
        {"rows": 8192, "cols": 8192},
        "torch .t().contiguous()",
        lambda x: x["input"].t().contiguous(),
        ratio=2.8,
    ),
    Row(
        "layer-normalization",
        {"N": 65536, "C": 1024},
        "torch layer_norm",
        _layer_norm,
        ceiling=0.90,
    ),
    Row("row-softmax", {"rows": 8192, "cols": 8192}, "torch softmax", _softmax, ceiling=0.90),
    Row("rms-norm", {"N": 16384, "C": 4096}, "torch rms_norm", _rms_norm, ceiling=0.90),
    Row("softmax-attention", {"M": 16384, "N": 4096, "d": 64}, "torch, fp32", _plain_attention),
    Row(
        "causal-flash-attention",
        {"B": 4, "H": 32, "N": 4096},
        "torch SDPA, cuDNN",
        _causal_attention,
        ratio=0.60,
        tolerance=1e-2,
    ),
    Row("mla-decode", {"B": 32, "H": 128, "N": 4096}),
    Row(
        "decode-attention",
        {"B": 64, "H": 8, "G": 4, "N": 8192},
        "torch SDPA, cuDNN",
        _attention,
        floor=0.85,
        tolerance=1e-2,
    ),
    Row("matrix-addition", {"N": 16384}, "torch add", lambda x: x["A"] + x["B"], ceiling=0.97),
    Row("vector-addition", {"N": 1 << 28}, "torch add", lambda x: x["A"] + x["B"], ceiling=0.97),
    Row("relu", {"N": 1 << 28}, "torch relu", lambda x: x["input"].relu(), ceiling=0.97),
    Row("matrix-multiplication", GEMM, "cuBLAS fp32", _matmul, ratio=0.97),
    Row("matrix-multiplication", LARGE_GEMM, "cuBLAS fp32", _matmul, ratio=0.97),
    Row("bf16-matrix-multiplication", LARGE_GEMM, "cuBLAS bf16", _matmul, "05", tolerance=1e-2),
    Row("bf16-matrix-multiplication", LARGE_GEMM, "cuBLAS bf16", _matmul, "06", 0.60, tolerance=1e-2),
    Row("bf16-matrix-multiplication", LARGE_GEMM, "cuBLAS bf16", _matmul, "07", tolerance=1e-2),
    Row("bf16-matrix-multiplication", LARGE_GEMM, "cuBLAS bf16", _matmul, "08", 0.95, tolerance=1e-2),
    Row("bf16-matrix-multiplication", LARGE_GEMM, "cuBLAS bf16", _matmul, ratio=0.95, tolerance=1e-2),
    Row("dot-product", {"N": 1 << 28}, "torch dot", _matmul),
    Row("histogramming", {"N": 1 << 28, "num_bins": 256}, floor=0.85),  # torch's cannot be captured
    Row("top-k", {"N": 1 << 27, "k": 100}, floor=0.85),
    Row("prefix-sum", {"N": 1 << 27}, "torch.cumsum", _cumsum, floor=0.85, tolerance=1e-2),
    Row(
        "gaussian-blur",
        {"input_rows": 8192, "input_cols": 8192, "kernel_rows": 5, "kernel_cols": 5},
        "torch conv2d",
        _blur,
        floor=0.85,
    ),
)
