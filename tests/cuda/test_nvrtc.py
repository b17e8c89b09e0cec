"""NVRTC through ctypes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trainer.cuda import nvrtc
from trainer.errors import MissingToolError


def test_a_text_compiles_to_ptx_without_a_gpu() -> None:
    output = nvrtc.compile_text("__global__ void k(float* p) { p[0] = 1; }", ["-arch=compute_90"])
    assert output.ok and ".entry _Z1kPf" in output.ptx and output.cubin == b""


def test_a_real_architecture_gives_a_cubin_too() -> None:
    output = nvrtc.compile_text("__global__ void k() {}", ["-arch=sm_90", "--ptxas-options=-v"])
    assert output.cubin.startswith(b"\x7fELF") and "registers" in output.log


@pytest.mark.parametrize(
    ("version", "options"), [((12, 8), ()), ((12, 9), ("--no-cache",)), ((13, 0), ("--no-cache",))]
)
def test_the_cache_is_left_out_where_there_is_one(
    version: tuple[int, int], options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc, "version", lambda: version)
    assert nvrtc.without_cache() == options


def test_a_mistake_gives_a_log_and_nothing_else() -> None:
    output = nvrtc.compile_text("oops", ["-arch=compute_90"], name="file.cu")
    assert not output.ok and output.ptx == "" and "file.cu(1): error" in output.log


def test_the_version_is_told() -> None:
    assert nvrtc.version() >= (12, 0)


def test_headers_of_runtime_crt_and_cccl_are_found() -> None:
    folders = nvrtc.include_folders()
    for header in ("cuda_runtime.h", "crt/mma.h", "cub/block/block_reduce.cuh"):
        assert any((folder / header).exists() for folder in folders)


def test_a_missing_library_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(nvrtc, "_library_folders", lambda: iter([tmp_path]))
    with pytest.raises(MissingToolError) as caught:
        nvrtc.library_path()
    assert "nvidia-cuda-nvrtc" in caught.value.hint


def test_missing_headers_name_the_package_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cuda_runtime.h").write_text("")
    monkeypatch.setattr(nvrtc, "_header_folders", lambda: iter([(tmp_path,)]))
    nvrtc.include_folders.cache_clear()
    try:
        with pytest.raises(MissingToolError, match="crt/mma.h") as caught:
            nvrtc.include_folders()
        assert "nvidia-cuda-crt" in caught.value.hint
    finally:
        nvrtc.include_folders.cache_clear()


def test_loading_the_front_end_imports_neither_cupy_nor_llvm_nor_numpy() -> None:
    code = "import sys, trainer.cuda.compile, trainer.cuda.host\n"
    code += "print([m for m in ('cupy', 'llvmlite', 'numpy') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
