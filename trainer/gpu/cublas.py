"""cuBLAS through ctypes, where it is installed: what matrix products are held against.

Never needed: a task that names a library call is timed without it where the library is missing.
https://docs.nvidia.com/cuda/cublas describes the functions and numbers used here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import byref, c_float, c_int, c_longlong, c_size_t, c_void_p
from dataclasses import dataclass
from pathlib import Path

from trainer.cuda import nvrtc
from trainer.errors import MissingToolError
from trainer.gpu.driver import Driver

_LIBRARIES = ("libcublas.so.13", "libcublas.so.12")
_NO_TRANSPOSE, _COMPUTE_32F, _DEFAULT_ALGORITHM = 0, 68, -1
_TYPES = {"float32": 0, "float16": 2, "bfloat16": 14}  # cudaDataType_t
# What PyTorch gives it on Hopper; without a workspace of the caller's no call can be captured in a graph.
_WORKSPACE_BYTES = 32 << 20


@dataclass(frozen=True)
class Product:
    """result = left x right, row after row, `batch` times one behind the other; dtypes are NumPy names.
    float32 is multiplied in float32 (no TF32), shorter types with float32 sums."""

    left: int
    right: int
    result: int
    rows: int
    inner: int
    columns: int
    batch: int
    dtype: str
    result_dtype: str


class Cublas:
    """One handle that queues its work on the driver's stream. Close it before the context ends."""

    name = "cuBLAS"

    def __init__(self, driver: Driver) -> None:
        """Raises MissingToolError where there is no cuBLAS."""
        self._driver = driver
        self._library = _load()
        handle = c_void_p()
        self._call("cublasCreate_v2", byref(handle))
        self._handle = handle
        self._workspace = driver.allocate(_WORKSPACE_BYTES)
        self._call("cublasSetStream_v2", handle, c_void_p(driver.stream))
        space = c_void_p(self._workspace)
        self._call("cublasSetWorkspace_v2", handle, space, c_size_t(_WORKSPACE_BYTES))

    def multiply(self, product: Product) -> None:
        """Queues one product. cuBLAS counts columns first, so it multiplies the transposes: C' = B' A'."""
        p = product
        one, zero = c_float(1), c_float(0)
        kind, result_kind = c_int(_TYPES[p.dtype]), c_int(_TYPES[p.result_dtype])

        def matrix(address: int, kind: c_int, columns: int, rows: int) -> tuple[object, ...]:
            return c_void_p(address), kind, c_int(columns), c_longlong(rows * columns)

        self._call(
            "cublasGemmStridedBatchedEx",
            self._handle,
            c_int(_NO_TRANSPOSE),
            c_int(_NO_TRANSPOSE),
            c_int(p.columns),
            c_int(p.rows),
            c_int(p.inner),
            byref(one),
            *matrix(p.right, kind, p.columns, p.inner),
            *matrix(p.left, kind, p.inner, p.rows),
            byref(zero),
            *matrix(p.result, result_kind, p.columns, p.rows),
            c_int(p.batch),
            c_int(_COMPUTE_32F),
            c_int(_DEFAULT_ALGORITHM),
        )

    def close(self) -> None:
        self._call("cublasDestroy_v2", self._handle)
        self._driver.free(self._workspace)

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            raise MissingToolError(f"{name} failed with status {status}")


@dataclass(frozen=True)
class Multiply:
    """A product as an operation of a plan."""

    cublas: Cublas
    product: Product

    def issue(self, driver: Driver) -> None:
        self.cublas.multiply(self.product)


def _load() -> ctypes.CDLL:
    for name in (*(str(path) for path in _installed()), *_LIBRARIES):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise MissingToolError("cuBLAS is not installed", hint="pip install nvidia-cublas")


def _installed() -> Iterator[Path]:
    """Beside NVRTC: in the wheels of NVIDIA, or in a toolkit."""
    for root in nvrtc.wheel_roots():
        for folder in (root / "cu13" / "lib", root / "cublas" / "lib"):
            yield from (folder / name for name in _LIBRARIES if (folder / name).exists())
    for root in nvrtc.toolkit_roots():
        yield from (root / "lib64" / name for name in _LIBRARIES if (root / "lib64" / name).exists())
