"""A small binding to NVRTC: CUDA C++ text in, PTX and cubin out. Needs no GPU, no nvcc, no CuPy.

The library and the CUDA headers come from the `nvidia-cuda-*` wheels of CUDA 13 or 12, else from a
CUDA toolkit on the machine. https://docs.nvidia.com/cuda/nvrtc describes the functions used here.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from trainer.errors import MissingToolError

_LIBRARY_NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
_INSTALL = "pip install nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl"
_SUCCESS = 0


@dataclass(frozen=True)
class NvrtcOutput:
    """What one compile yields. `ptx` and `cubin` are empty when `ok` is False or not produced."""

    ok: bool
    log: str
    ptx: str
    cubin: bytes
    seconds: float


def compile_text(
    text: str, options: Sequence[str], *, name: str = "submission.cu", name_expressions: Sequence[str] = ()
) -> NvrtcOutput:
    """Compiles one translation unit; `name` is what the log and `.file` call it.

    With `-arch=sm_XX` both PTX and cubin come back, with `-arch=compute_XX` only PTX.
    Raises MissingToolError without NVRTC.
    """
    library = _library()
    started = time.perf_counter()
    handle = ctypes.c_void_p()
    created = library.nvrtcCreateProgram(ctypes.byref(handle), text.encode(), name.encode(), 0, None, None)
    _check(created, "nvrtcCreateProgram")
    try:
        for expression in name_expressions:
            _check(library.nvrtcAddNameExpression(handle, expression.encode()), "nvrtcAddNameExpression")
        arguments = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        status = library.nvrtcCompileProgram(handle, len(options), arguments)
        log = _fetch(library, "ProgramLog", handle).replace(b"\0", b"").decode(errors="replace")
        ok = status == _SUCCESS
        ptx = _fetch(library, "PTX", handle).rstrip(b"\0").decode() if ok else ""
        cubin = _fetch(library, "CUBIN", handle) if ok else b""
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(handle))
    return NvrtcOutput(ok, log, ptx, cubin, time.perf_counter() - started)


def version() -> tuple[int, int]:
    """NVRTC's version, e.g. (13, 0). Raises MissingToolError without NVRTC."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return major.value, minor.value


def without_cache() -> tuple[str, ...]:
    """Options for a compile whose log matters. Since 12.9, where a driver is, NVRTC keeps what it has
    compiled, and a file that it finds there comes without what ptxas said about it."""
    return ("--no-cache",) if version() >= (12, 9) else ()


def library_path() -> Path:
    """The NVRTC library that is used. Raises MissingToolError."""
    for folder in _library_folders():
        for name in _LIBRARY_NAMES:
            if (folder / name).exists():
                return folder / name
    raise MissingToolError(
        "NVRTC, the compiler for CUDA files, is not installed.",
        hint=f"{_INSTALL}  (for a CUDA 12 driver: the same names ending in -cu12)",
    )


@cache
def include_folders() -> tuple[Path, ...]:
    """Folders of the CUDA headers: runtime first, then CCCL. Raises MissingToolError naming the wheel."""
    for folders in _header_folders():
        if (folders[0] / "cuda_runtime.h").exists():
            break
    else:
        raise MissingToolError("The CUDA headers are not installed.", hint=_INSTALL)
    for header, wheel in _NEEDED_HEADERS.items():
        if not any((folder / header).exists() for folder in folders):
            raise MissingToolError(
                f"The CUDA header <{header}> is missing.",
                hint=f"pip install {wheel}  (CUDA 12: {wheel}-cu12)",
            )
    return folders


_NEEDED_HEADERS = {
    "crt/mma.h": "nvidia-cuda-crt",
    "cub/block/block_reduce.cuh": "nvidia-cuda-cccl",
}


def wheel_roots() -> Iterator[Path]:
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(place)


def toolkit_roots() -> Iterator[Path]:
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    yield Path("/usr/local/cuda")


def _library_folders() -> Iterator[Path]:
    for root in wheel_roots():
        yield root / "cu13" / "lib"
        yield root / "cuda_nvrtc" / "lib"
    for root in toolkit_roots():
        yield root / "lib64"
    yield Path("/usr/lib/x86_64-linux-gnu")


def _header_folders() -> Iterator[tuple[Path, ...]]:
    """Complete sets, never mixed: CUDA 13 wheels share one folder, those of CUDA 12 have one each."""
    for root in wheel_roots():
        yield root / "cu13" / "include", root / "cu13" / "include" / "cccl"
        yield tuple(root / wheel / "include" for wheel in ("cuda_runtime", "cuda_nvcc", "cuda_cccl"))
    for root in toolkit_roots():
        yield root / "include", root / "include" / "cccl"


@cache
def _library() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise MissingToolError(f"NVRTC cannot be loaded from {path}: {error}", hint=_INSTALL) from error
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _fetch(library: ctypes.CDLL, what: str, handle: ctypes.c_void_p) -> bytes:
    """The result called `what`, in NVRTC's two steps: ask for its size, then for its bytes."""
    size = ctypes.c_size_t()
    if getattr(library, f"nvrtcGet{what}Size")(handle, ctypes.byref(size)) != _SUCCESS or not size.value:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{what}")(handle, buffer), f"nvrtcGet{what}")
    return buffer.raw


def _check(status: int, call: str) -> None:
    if status != _SUCCESS:
        reason = _library().nvrtcGetErrorString(status).decode()
        raise MissingToolError(f"{call} failed: {reason}", hint=f"Reinstall NVRTC: {_INSTALL}")
