from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from tests.grade.fakes import Call, FakeBackend, double, question, timing
from trainer.grade.backend import LibraryTime
from trainer.grade.grader import Options, grade
from trainer.grade.result import explain_json, grade_json
from trainer.grade.score import score
from trainer.grade.verdict import CaseResult, Verdict
from trainer.sim.report import Access, Space

FIELDS = [
    *("schema", "task", "language", "backend", "device", "verdict", "message", "seed", "compile"),
    *("launches", "cases", "hazards", "access", "timing", "model", "ladder", "score"),
]


def test_the_json_of_a_grade_has_every_field_of_the_contract() -> None:
    result = grade(question(), "ok", FakeBackend(), options=Options(seed=9))
    data = grade_json(result)
    assert list(data) == FIELDS
    assert data["schema"] == 1 and data["verdict"] == "accepted" and data["seed"] == 9
    assert set(data["compile"]) == {"ok", "log", "diagnostics", "kernels"}
    assert set(data["compile"]["kernels"][0]) == {"name", "registers", "shared_bytes", "spill_bytes"}
    assert set(data["launches"][0]) == {"kernel", "grid", "block", "shared_bytes", "occupancy"}
    assert set(data["cases"][0]) == {"name", "verdict", "elements", "worst"}
    assert set(data["cases"][0]["worst"]) == {"index", "got", "expected", "error", "tolerance"}
    assert data["timing"] is None and data["model"] is None and data["ladder"] is None
    assert set(data["score"]) == {"total", "parts"}
    assert set(explain_json(result)) == {
        "schema",
        "task",
        "launches",
        "access",
        "hazards",
        "divergence",
        "model",
    }


def test_fields_are_there_even_when_nothing_compiled() -> None:
    data = grade_json(grade(question(), "error", FakeBackend(), options=Options(seed=9)))
    assert list(data) == FIELDS
    assert data["compile"]["ok"] is False and data["compile"]["diagnostics"][0]["line"] == 1
    assert data["cases"] == [] and data["launches"] == []


def test_nan_and_infinity_do_not_break_json() -> None:
    def fill(call: Call) -> None:
        call["output"][:] = np.nan

    data = grade_json(grade(question(), "ok", FakeBackend(fill), options=Options(seed=9)))
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text)["cases"][0]["worst"]["got"] == "nan"


def test_a_measured_grade_shows_its_time() -> None:
    backend = FakeBackend(double, name="gpu")
    backend.timing = timing(10.0)
    data = grade_json(grade(question(), "ok", backend, options=Options(seed=9)))
    assert set(data["timing"]) == {
        "median_us",
        "p5_us",
        "p95_us",
        "samples",
        "cold",
        "gbps",
        "tflops",
        "floor_us",
        "floor_fraction",
        "efficiency",
        "bandwidth_use",
        "library",
    }
    assert data["timing"]["library"] is None
    backend.timing = replace(timing(10.0), library=LibraryTime("cuBLAS", 9.0))
    data = grade_json(grade(question(), "ok", backend, options=Options(seed=9)))
    assert data["timing"]["library"] == {"name": "cuBLAS", "median_us": 9.0, "ratio": 0.9}


def test_a_wrong_answer_scores_less_than_half_and_a_rejected_one_nothing() -> None:
    cases = [CaseResult("a", Verdict.ACCEPTED, 1, None), CaseResult("b", Verdict.WRONG_ANSWER, 1, None)]
    assert score(Verdict.WRONG_ANSWER, cases, (), None, None).total == 15
    assert score(Verdict.REJECTED, cases, (), None, None).total == 0


def test_speed_counts_against_the_best_that_is_known() -> None:
    cases = [CaseResult("a", Verdict.ACCEPTED, 1, None)]
    fast = score(Verdict.ACCEPTED, cases, (), timing(10.0, floor_us=9.0), None)
    slow = score(Verdict.ACCEPTED, cases, (), timing(20.0, floor_us=9.0), None)
    assert fast.total == 100
    assert slow.parts["speed"] == 15


def test_without_a_time_wasted_memory_traffic_costs_points() -> None:
    cases = [CaseResult("a", Verdict.ACCEPTED, 1, None)]
    lean = Access("k", 1, "", Space.GLOBAL, "load", 4, 10, 40, 40, None, None)
    wasteful = replace(lean, sectors=320)
    assert score(Verdict.ACCEPTED, cases, (), None, None, [lean]).total == 100
    poor = score(Verdict.ACCEPTED, cases, (), None, None, [wasteful])
    assert poor.parts["memory"] == 3.8 and poor.total < 75
    timed = score(Verdict.ACCEPTED, cases, (), timing(10.0, floor_us=9.0), None, [wasteful])
    assert timed.total == 100 and timed.parts["memory"] is None
