"""The 100 points of a kernel, pinned for fixed facts and answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trainer.bank.library import Library
from trainer.bank.model import KernelTask
from trainer.interview.facts import Facts, as_data, from_data
from trainer.interview.result import Part
from trainer.interview.rubric import bound, kernel_parts
from trainer.strategy.walk import Walk

LIBRARY = Library.open()
FACTS = Facts(
    verdict="accepted",
    message="",
    backend="gpu",
    regular=(6, 6),
    edges=(9, 9),
    median_us=20.0,
    floor_us=8.0,
    rungs=(("naive", 60.0), ("shared", 30.0), ("shuffle", 15.0), ("wide", 10.0)),
    sectors=200,
    ideal_sectors=100,
    wavefronts=30,
    ideal_wavefronts=10,
    spill_bytes=0,
)
TWO_OF_FOUR = Walk(asked=3, passed=2, depth=2, length=4, next=None)
NONE = Walk(0, 0, 0, 0, None)
ANSWERS = {"bound": "memory", "flops": "16.8e6", "bytes": "67 MB"}


def task(name: str = "reduction") -> KernelTask:
    found = LIBRARY.question(name).task
    assert found is not None
    return found


def points(
    facts: Facts | None = FACTS, answers: dict[str, str] = ANSWERS, walk: Walk = TWO_OF_FOUR
) -> dict[str, float | None]:
    parts, _ = kernel_parts(task(), facts, answers, walk)
    return {part.name: part.got for part in parts}


def part(name: str, facts: Facts) -> Part:
    return next(p for p in kernel_parts(task(), facts, ANSWERS, NONE)[0] if p.name == name)


def test_a_right_kernel_half_way_up_the_ladder() -> None:
    size = task().timed.sizes["N"]
    answers = {"bound": "memory", "flops": str(size), "bytes": f"{4 * size / 1e6} MB"}
    assert points(answers=answers) == {
        "correct": 40,
        "boundary": 10,
        "performance": 15,  # 2 of 4 rungs
        "access": 5.5,  # 5 x 100/200 + 3 x 10/30 + 2
        "explanation": 8.8,  # three of 2.5, and 2 of 4 follow-ups
    }


def test_the_arithmetic_is_shown() -> None:
    assert part("performance", FACTS).how == "20.00 us: 2 of 4 rungs reached: 30 x 2/4 = 15"
    access = "sectors 5 x 0.50 + shared memory 3 x 0.33 + no spills 2 x 1 = 5.5"
    assert part("access", FACTS).how == access


@pytest.mark.parametrize(
    ("time", "got"),
    [(11.1, 30.0), (11.2, 22.5), (15.4, 22.5), (15.5, 15.0), (30.0, 15.0), (61.8, 7.5), (61.9, 0.0)],
)
def test_rungs_and_full_marks_near_the_best(time: float, got: float) -> None:
    assert part("performance", replace(FACTS, median_us=time)).got == got


def test_full_marks_at_four_fifths_of_the_floor_even_below_the_best_rung() -> None:
    assert part("performance", replace(FACTS, floor_us=9.0, median_us=11.25)).got == 30


def test_wrong_on_regular_sizes_is_worth_nothing() -> None:
    wrong = replace(FACTS, verdict="wrong_answer", message="off by one", regular=(5, 6), median_us=None)
    assert set(points(wrong).values()) == {0.0}
    assert kernel_parts(task(), wrong, ANSWERS, NONE)[1] == ("wrong answer: off by one",)
    assert set(points(None).values()) == {0.0}


def test_wrong_on_odd_sizes_only_keeps_what_is_right() -> None:
    wrong = replace(FACTS, verdict="hazard", message="past the end", edges=(3, 9), median_us=None)
    found = points(wrong)
    assert (found["correct"], found["boundary"], found["performance"], found["access"]) == (40, 0, 0, 0)


def test_a_rejected_kernel_is_not_right() -> None:
    assert points(replace(FACTS, verdict="rejected"))["correct"] == 0


def test_hazards_cost_half_the_boundary_and_spills_two_points() -> None:
    assert part("boundary", replace(FACTS, hazards=2)).got == 5
    assert part("access", replace(FACTS, spill_bytes=64)).got == 3.5


def test_without_a_gpu_performance_is_not_judged() -> None:
    assert part("performance", replace(FACTS, median_us=None)).got is None


@pytest.mark.parametrize(
    ("answers", "got", "wrong"),
    [
        ({}, 0.0, 3),
        ({"bound": "compute", "flops": "none", "bytes": "1"}, 0.0, 3),
        ({"bound": " Memory "}, 3.3, 2),
        ({"bound": "memory-bound, 0.1 FLOP/byte"}, 3.3, 2),
        ({"bound": "访存"}, 3.3, 2),
        ({"bound": "DRAM bandwidth"}, 3.3, 2),
        ({"bound": "memory or compute"}, 0.0, 3),
        ({"bound": "latency"}, 0.0, 3),
    ],
)
def test_each_part_of_the_explanation_counts(answers: dict[str, str], got: float, wrong: int) -> None:
    parts, missed = kernel_parts(task(), FACTS, answers, NONE)
    assert parts[-1].got == got
    assert sum(reason.startswith("explanation") for reason in missed) == wrong


def test_bounds_follow_the_roofline() -> None:
    assert bound(task()) == "memory" and bound(task("matrix-multiplication")) == "compute"


@pytest.mark.parametrize(("said", "got"), [("latency", 10.0), ("latency of memory", 10.0), ("memory", 0.0)])
def test_a_search_is_bound_by_latency_and_has_no_bytes_to_estimate(said: str, got: float) -> None:
    parts, missed = kernel_parts(task("kth-of-two-sorted-arrays"), FACTS, {"bound": said}, NONE)
    assert parts[-1].got == got
    assert [m for m in missed if m.startswith("explanation")] == (
        [] if got else ["explanation: bound: it is latency-bound at M=16777216, N=16777216, k=16777216"]
    )


def test_facts_survive_being_saved() -> None:
    assert from_data(as_data(FACTS)) == FACTS
