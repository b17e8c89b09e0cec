from __future__ import annotations

from dataclasses import replace

from tests.grade.fakes import timing
from trainer.grade.backend import LibraryTime
from trainer.grade.ladder import RungTime, place
from trainer.grade.rates import rates, times_of


def test_rates_say_what_share_of_the_gpu_they_are_and_how_the_library_does() -> None:
    time = replace(timing(10.0), gbps=2000.0, tflops=50.0, bandwidth_use=0.5, efficiency=0.78)
    assert rates(time) == ["2000 GB/s (50% of a copy)", "50.00 TFLOP/s (78% of the peak)"]
    beside = replace(time, library=LibraryTime("cuBLAS", 9.5))
    assert rates(beside)[-1] == "0.95 x cuBLAS"


def test_a_time_without_traffic_or_arithmetic_has_no_rates() -> None:
    assert rates(replace(timing(10.0), gbps=None, tflops=None)) == []


def test_the_times_of_a_ladder_say_where_and_at_which_size_they_were_taken() -> None:
    rung = RungTime("a", "A", 10.0, "recorded", "NVIDIA H200")
    here = replace(rung, source="measured", device="")
    assert times_of(place(None, [rung], "N=8")) == "recorded on NVIDIA H200, N=8"
    assert times_of(place(9.0, [here, rung], "N=8")) == "measured now, recorded on NVIDIA H200, N=8"
    assert times_of(place(None, [replace(rung, median_us=None, source=None)], "N=8")) == ""
