"""What ptxas said about the kernels, and what nobody said."""

from __future__ import annotations

import pytest

from trainer.cuda import compile as compiling
from trainer.cuda.model import KernelResources, Signature
from trainer.cuda.nvrtc import NvrtcOutput, compile_text
from trainer.cuda.resources import kernel_resources

PTX = ".visible .entry _Z1kPf(\n)\n.maxntid 256\n{\n}\n.visible .entry _Z1lPf(\n)\n{\n}\n"
LOG = """ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    8 bytes stack frame, 12 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 4096 bytes smem
"""


def test_each_kernel_has_what_its_own_report_says() -> None:
    reported, _ = kernel_resources(PTX, LOG)
    assert reported == KernelResources("k", "_Z1kPf", 0, 40, 4096, 12, max_threads=256)


def test_a_kernel_without_a_report_has_no_numbers() -> None:
    _, silent = kernel_resources(PTX, LOG)
    assert (silent.registers, silent.shared_bytes, silent.spill_bytes) == (None, None, None)


def test_a_file_is_never_taken_from_a_cache_that_has_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def watched(text: str, options: tuple[str, ...], **more: object) -> NvrtcOutput:
        asked.append(tuple(options))
        return compile_text(text, options, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(compiling.nvrtc, "compile_text", watched)
    monkeypatch.setattr(compiling.nvrtc, "without_cache", lambda: ("-DWITHOUT_CACHE",))
    source = '__global__ void k() {} extern "C" void solve() { k<<<1, 1>>>(); }'
    program = compiling.compile_submission(source, Signature("solve", ()))
    reporting = [options for options in asked if "--ptxas-options=-v" in options]
    assert reporting and all("-DWITHOUT_CACHE" in options for options in reporting)
    assert "-DWITHOUT_CACHE" not in program.options
