"""Whole kernels against the counters that Nsight Compute read on an H200."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sim.submissions import given, number, run, wanted
from trainer.grade.backend import ArgumentValue
from trainer.sim.report import Access, Space

DATA = Path(__file__).parents[1] / "data" / "hardware" / "whole_kernels.json"
KERNELS: dict[str, Any] = json.loads(DATA.read_text())["kernels"]
ELEMENTS = 65536


def arguments_of(kernel: dict[str, Any], name: str) -> list[ArgumentValue]:
    """Buffers of 65536 floats and the scalars that the measurement used, in the kernel's order."""
    parameters = re.search(rf"void\s+{name}\s*\(([^)]*)\)", kernel["source"])
    assert parameters
    scalars = dict(re.findall(r"(\w+)=(\d+)", kernel["args"]))
    found = []
    for text in parameters.group(1).split(","):
        own = re.findall(r"\w+", text)[-1]
        if "*" not in text:
            found.append(number(own, int(scalars[own])))
        elif "const" in text:
            found.append(given(own, np.random.default_rng(3).random(ELEMENTS, dtype=np.float32)))
        else:
            found.append(wanted(own, ELEMENTS, zeroed=True))
    return found


def submission(kernel: dict[str, Any], name: str, arguments: list[ArgumentValue]) -> str:
    grid, block = (", ".join(map(str, kernel[key])) for key in ("grid", "block"))
    declared = ", ".join(f"{a.ctype} {a.name}" for a in arguments)
    passed = ", ".join(a.name for a in arguments)
    launch = f"{name}<<<dim3({grid}), dim3({block}), {kernel['dynamic_shared']}>>>({passed});"
    return f'{kernel["source"]}\nextern "C" void solve({declared}) {{ {launch} }}\n'


def counters_of(access: tuple[Access, ...]) -> dict[str, int]:
    counters = {}
    for op in ("load", "store"):
        glob = [a for a in access if a.space is Space.GLOBAL and a.op == op]
        shared = [a for a in access if a.space is Space.SHARED and a.op == op]
        counters[f"global_{op}_requests"] = sum(a.requests for a in glob)
        counters[f"global_{op}_sectors"] = sum(a.sectors or 0 for a in glob)
        counters[f"shared_{op}_requests"] = sum(a.hardware_requests or 0 for a in shared)
        counters[f"shared_{op}_wavefronts"] = sum(a.hardware_wavefronts or 0 for a in shared)
    return counters


@pytest.mark.parametrize("name", KERNELS)
def test_all_eight_counters_are_those_of_the_hardware(name: str) -> None:
    kernel = KERNELS[name]
    arguments = arguments_of(kernel, name)
    outcome = run(submission(kernel, name, arguments), *arguments)
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    got = counters_of(outcome.report.access)
    assert got == {key: kernel["counters"][key] for key in got}
