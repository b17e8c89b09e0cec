"""Answers about sectors and wavefronts against what an H200 counted for the same draws, every one.

`python -m benchmarks.draws`, on a GPU with Nsight Compute, measures them again.
"""

from __future__ import annotations

import json
from typing import Any

from benchmarks.draws import DATA, SEEDS, draws, mismatches

MEASURED: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))


def test_every_draw_costs_what_the_gpu_counted() -> None:
    assert list(mismatches(MEASURED)) == []


def test_every_template_that_asks_for_the_cost_of_a_request_was_measured() -> None:
    measured = {(template, seed) for template, seed, *_ in MEASURED["draws"]}
    assert measured == {(one.template, one.seed) for one in draws()}
    assert len(measured) >= 300
    assert len({template for template, _ in measured}) * SEEDS == len(measured)
    assert "H200" in MEASURED["meta"]["device"]
