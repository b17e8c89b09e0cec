"""What opening the app costs, and what it must never load."""

from __future__ import annotations

import subprocess
import sys

_GRADE = """
import asyncio, sys
from tests.tui.driving import FakeRemote, drive, graded, make_services, open_task
from tests.tui.conftest import NOW
async def scenario(pilot):
    await open_task(pilot)
    await graded(pilot)
    await pilot.press("1", "2", "3", "4", "l")
    pilot.app.open_quiz(["strided-loads"])
    await pilot.pause()
drive(make_services(FakeRemote(), NOW), scenario)
print(" ".join(sys.modules))
"""
_LIST = """
import sys
from trainer.cli import main
main(["list"])
print(" ".join(sys.modules), file=sys.stderr)
"""


def modules(code: str, stream: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return {name.partition(".")[0] for name in getattr(done, stream).split()}


def test_the_app_never_loads_a_compiler_or_a_gpu_library() -> None:
    loaded = modules(_GRADE, "stdout")
    assert "textual" in loaded
    assert not loaded & {"cupy", "torch", "llvmlite", "triton", "pynvml"}


def test_a_command_never_loads_the_app() -> None:
    assert "textual" not in modules(_LIST, "stderr")


def test_home_comes_before_all_that_compiles_runs_and_grades() -> None:
    code = "import sys; import trainer.tui.app; print(*(m.replace('trainer.', '', 1) for m in sys.modules))"
    assert not modules(code, "stdout") & {"cuda", "sim", "gpu", "ptx", "grade", "worker", "yaml"}


def test_home_comes_before_numpy_and_tree_sitter() -> None:
    code = "import sys; import trainer.tui.app; print(' '.join(sys.modules))"
    assert not modules(code, "stdout") & {"numpy", "tree_sitter", "tree_sitter_cuda"}
