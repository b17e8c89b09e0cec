"""Kernels of every common form and all reference solutions against an H200's counters, exactly."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from benchmarks.counted import DATA, CountedProgram, Runner, programs
from benchmarks.counters import compiler, differences
from trainer.sim.backend import SimBackend

MEASURED: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
PROGRAMS = list(programs())


@cache
def runner() -> Runner:
    return Runner(SimBackend())


@pytest.fixture(autouse=True)
def same_compiler() -> None:
    """Other compilers make other code, whose counters nobody has read."""
    if compiler() != MEASURED["meta"]["compiler"]:
        pytest.skip(f"measured with {MEASURED['meta']['compiler']}, here is {compiler()}")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_simulator_counts_what_the_hardware_counted(program: CountedProgram) -> None:
    there = MEASURED["programs"].get(program.name)
    if there is None or there["digest"] != program.digest:
        pytest.skip("changed since it was measured: python -m benchmarks.counters measure, on a GPU")
    wrong = differences(there["kernels"], runner().simulated(program))
    if "known_difference" in there:
        assert wrong, "equal now: take its known_difference out of the data file"
    else:
        assert not wrong


def test_only_a_few_differences_are_known_ones() -> None:
    known = [name for name, one in MEASURED["programs"].items() if "known_difference" in one]
    assert len(known) <= len(MEASURED["programs"]) // 20
