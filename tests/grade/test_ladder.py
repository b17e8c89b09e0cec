from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trainer.bank.model import RecordedTime, Recording, Rung
from trainer.grade.ladder import Reached, RungTime, place, recorded_times, rung_times


def rung(name: str, median_us: float | None) -> RungTime:
    return RungTime(name, name.title(), median_us, None if median_us is None else "recorded")


LADDER = (rung("a", 100.0), rung("b", 50.0), rung("c", 10.0))


@pytest.mark.parametrize(
    ("median_us", "expected"),
    [
        (200.0, (None, (None, "a"))),
        (70.0, ("a", ("a", "b"))),
        (51.0, ("b", ("b", "c"))),
        (9.0, ("c", ("c", None))),
        (None, (None, (None, None))),
    ],
)
def test_a_time_has_a_place_between_two_rungs(
    median_us: float | None, expected: tuple[str | None, tuple[str | None, str | None]]
) -> None:
    ladder = place(median_us, LADDER)
    assert (ladder.rung, ladder.between) == expected


@pytest.mark.parametrize(
    ("times_us", "median_us", "expected"),
    [
        ((60.0, 100.0, 50.0, 10.0), 100.0, ("b", "c")),  # the first is faster than the second: no step up
        ((60.0, 100.0, None, 10.0), 100.0, ("b", "d")),
        ((60.0, 100.0, 50.0, 10.0), 200.0, (None, "a")),
        ((60.0, 100.0, 50.0, 10.0), 60.0, ("a", "c")),  # the second was reached with the first
        ((60.0, 50.0, 10.0, 30.0), 30.0, ("d", "c")),  # nothing further up, yet one is faster
        ((60.0, 50.0, 10.0, 30.0), 10.0, ("c", None)),
    ],
)
def test_next_is_the_first_rung_further_up_that_is_faster(
    times_us: tuple[float | None, ...], median_us: float, expected: tuple[str | None, str | None]
) -> None:
    rungs = [rung(name, time_us) for name, time_us in zip("abcd", times_us, strict=True)]
    assert place(median_us, rungs).between == expected


@pytest.mark.parametrize(("median_us", "level"), [(200.0, None), (70.0, (0, "Naive")), (9.0, (2, "Beyond"))])
def test_a_time_reaches_the_level_of_the_rungs_below_it(
    median_us: float, level: tuple[int, str] | None
) -> None:
    names = ("Naive", "Naive", "Beyond")
    rungs = [
        replace(rung, level=2 * (name == "Beyond"), level_name=name)
        for rung, name in zip(LADDER, names, strict=True)
    ]
    reached = place(median_us, rungs).level
    assert reached == (Reached(*level, highest=2, basis="time") if level else None)


def test_a_ladder_without_levels_reaches_none() -> None:
    assert place(9.0, LADDER).level is None


def test_rungs_without_times_give_no_place() -> None:
    assert place(5.0, [rung("a", None)]).rung is None


def test_a_time_measured_now_wins_over_a_recorded_one() -> None:
    text = {"en": "Title", "zh": "标题"}
    rungs = [Rung(name, text, text, text, text, Path(name)) for name in ("a", "b", "c")]
    times = rung_times(rungs, "zh", {"a": 1.0}, {"a": 2.0, "b": 3.0}, "NVIDIA H200")
    assert [(t.median_us, t.source) for t in times] == [(1.0, "measured"), (3.0, "recorded"), (None, None)]
    assert times[0].title == "标题" and times[1].device == "NVIDIA H200"


def recording(device: str, median_us: float) -> Recording:
    times = {"relu": {"01-naive": RecordedTime(median_us, median_us, median_us, 20, True)}}
    return Recording(device, "580", "2026-11-29", "warpdojo ladder", times, Path(device))


def test_recorded_times_of_the_same_gpu_are_preferred() -> None:
    recordings = [recording("NVIDIA A100", 9.0), recording("NVIDIA H200", 4.0)]
    assert recorded_times(recordings, "relu", "NVIDIA H200").times_us == {"01-naive": 4.0}
    assert recorded_times(recordings, "relu", "a simulator").device == "NVIDIA A100"
    assert recorded_times(recordings, "other", "NVIDIA H200").times_us == {}
    assert recorded_times([], "relu", "").times_us == {}
