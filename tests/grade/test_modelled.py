from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.grade.fakes import DOUBLE, FakeBackend, question
from trainer.bank.model import CaseSpec, Level, Rung
from trainer.grade.grader import Options, grade
from trainer.grade.ladder import Reached, Recorded, RungTime
from trainer.grade.modelled import level_by_model, predicted_us
from trainer.grade.options import Ranks
from trainer.grade.rates import level_reached
from trainer.sim.report import LaunchRecord, Model, SimReport

NAMES = ("Naive", "Tiled", "Beyond")
RUNGS = tuple(
    RungTime(name, name, us, "recorded", "NVIDIA H200", level, name)
    for level, (name, us) in enumerate(zip(NAMES, (900.0, 100.0, 10.0), strict=True))
)
REPORT = SimReport(
    launches=(LaunchRecord("k", (1000, 1, 1), (256, 1, 1), 0, 1.0, 10**6),),
    model=Model("H200", 10**6, 10**6, 1.0, "memory"),
    instruction_mix={"fma": 10**9},
)


@pytest.mark.parametrize(("predicted", "level"), [(5000.0, 0), (120.0, 0), (105.0, 1), (12.0, 1), (1.0, 2)])
def test_a_prediction_reaches_the_levels_whose_times_are_no_shorter(predicted: float, level: int) -> None:
    assert level_by_model(predicted, RUNGS) == Reached(level, NAMES[level], 2, "model")


def test_rungs_without_levels_or_times_give_no_level() -> None:
    assert level_by_model(10.0, [replace(RUNGS[0], level=None), replace(RUNGS[1], median_us=None)]) is None


def test_twice_the_work_takes_about_twice_as_long() -> None:
    small = replace(DOUBLE, modelled=CaseSpec("small", {"N": 10_000}), timed=CaseSpec("same", {"N": 10_000}))
    large = replace(small, timed=CaseSpec("large", {"N": 20_000}))
    once, twice = (predicted_us(task, REPORT, "H200") for task in (small, large))
    assert once is not None and twice == pytest.approx(2 * once, rel=0.05)
    assert predicted_us(small, SimReport(), "H200") is None


def test_a_grade_without_a_time_says_what_level_the_model_gives(tmp_path: Path) -> None:
    text = {"en": "text"}
    rungs = tuple(
        Rung(r.id, text, text, text, text, tmp_path, Level(r.level or 0, {"en": r.level_name})) for r in RUNGS
    )
    recorded = Recorded("NVIDIA H200", {r.id: r.median_us or 0.0 for r in RUNGS})
    ranks = Ranks(rungs=rungs, recorded=recorded)
    backend = FakeBackend(report=REPORT)
    result = grade(question(), "ok", backend, options=Options(seed=9), ranks=ranks)
    assert result.ladder is not None and result.ladder.level is not None
    assert (result.ladder.level.basis, result.ladder.rung) == ("model", None)
    assert level_reached(result.ladder.level).startswith("at least level ")
    other = Options(seed=9, device_model="A100")
    result = grade(question(), "ok", backend, options=other, ranks=ranks)
    assert result.ladder is not None and result.ladder.level is None
