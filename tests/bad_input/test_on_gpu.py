"""The same bad inputs on a GPU: none is accepted, none is left running, and the next grade works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.bad_input.sources import BAD, Bad, kernel

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(120)]

# What the GPU itself reports, and the simulator calls by its kind. A barrier that not all reach hangs.
FAULTS = {"hazard": ("hazard", "runtime_error")}
HANGS = {"barrier in a divergent branch"}

# The driver formats half a million lines of the flood in about two seconds, and ends a process after a fault
# in 0.4 s, or in up to three while others make theirs (measured on an H200).
BUDGET_S = 6.0


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name.replace(" ", "-"))
def test_a_bad_submission_gets_its_verdict_on_a_gpu(bad: Bad, grade: Callable[..., Any]) -> None:
    graded = grade(bad.source, backend="gpu", budget_s=BUDGET_S)
    result = graded.json
    told = f"{result['verdict']}: {result['message']}\n{graded.err}"
    allowed = {v for each in bad.verdicts for v in FAULTS.get(each, (each,))}
    assert result["verdict"] in (("timed_out",) if bad.name in HANGS else allowed), told
    assert "Traceback" not in told and "internal error" not in told
    print(f"{bad.name}: {told}")


def test_after_a_fault_a_right_file_is_accepted(grade: Callable[..., Any]) -> None:
    fault = kernel("    if (i == 0) *(float*)nullptr = 1.0f;")
    graded = grade(fault, backend="gpu", budget_s=BUDGET_S)
    assert graded.json["verdict"] in ("hazard", "runtime_error")
    assert grade(kernel(""), backend="gpu").json["verdict"] == "accepted"
