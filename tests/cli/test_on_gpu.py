"""The command line on a machine with a GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
pytestmark = [pytest.mark.gpu, pytest.mark.timeout(180)]

Run = Callable[..., Any]


@pytest.fixture
def rung() -> Path:
    return sorted((SOLUTIONS / "vector-addition").glob("*.cu"))[1]


def test_auto_takes_the_gpu_and_the_simulator_explains(warpdojo: Run, rung: Path) -> None:
    ran = warpdojo("grade", "vector-addition", rung, "--json")
    data = ran.json
    assert ran.code == 0, data["message"]
    assert data["backend"] == "gpu" and data["verdict"] == "accepted"
    assert data["timing"]["median_us"] > 0 and data["timing"]["samples"] >= 20
    assert data["access"] and data["model"] is not None
    assert data["ladder"]["rung"] is not None
    assert data["score"]["parts"]["speed"] is not None


def test_registers_are_told_of_a_file_that_was_compiled_before(warpdojo: Run, rung: Path) -> None:
    """Where a driver is, NVRTC keeps compiled files: the first grade compiles this rung, too."""
    for backend in ("gpu", "gpu", "sim"):
        ran = warpdojo("grade", "vector-addition", rung, "--json", "--backend", backend)
        kernels = ran.json["compile"]["kernels"]
        assert kernels and all(kernel["registers"] for kernel in kernels), backend
        assert all(kernel["spill_bytes"] == 0 for kernel in kernels), backend


def test_speed_can_be_skipped_and_the_simulator_asked_for(warpdojo: Run, rung: Path) -> None:
    assert warpdojo("grade", "vector-addition", rung, "--json", "--no-speed").json["timing"] is None
    assert warpdojo("grade", "vector-addition", rung, "--json", "--backend", "sim").json["backend"] == "sim"


def test_the_ladder_is_measured_with_a_file_among_its_rungs(warpdojo: Run, rung: Path) -> None:
    data = warpdojo("ladder", "vector-addition", "--against", rung, "--json").json
    assert all(r["source"] == "measured" and r["median_us"] > 0 for r in data["ladder"]["rungs"])
    assert data["median_us"] > 0 and data["ladder"]["rung"] is not None


def test_a_file_that_does_not_compile_has_no_place(warpdojo: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text("nonsense\n")
    assert warpdojo("ladder", "vector-addition", "--against", file).code == 1


def test_a_race_is_a_hazard_on_a_gpu_too(warpdojo: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        "__global__ void sum(const float* input, float* output, int N) {\n"
        "    for (int i = threadIdx.x; i < N; i += 256) *output = *output + input[i];\n}\n"
        'extern "C" void solve(const float* input, float* output, int N) {\n'
        "    sum<<<1, 256>>>(input, output, N);\n}\n"
    )
    data = warpdojo("grade", "reduction", file, "--json").json
    assert data["verdict"] in ("hazard", "wrong_answer") and data["hazards"]


def test_the_doctor_finds_the_gpu(warpdojo: Run) -> None:
    checks = {check["name"]: check for check in warpdojo("doctor", "--json").json["checks"]}
    assert checks["gpu"]["ok"] and checks["driver"]["ok"] and checks["nvrtc for gpu"]["ok"]
