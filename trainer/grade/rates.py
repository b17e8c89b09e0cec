"""How good a time is, in words: rates, shares of what the GPU can do, the library beside it, a level."""

from __future__ import annotations

from trainer.grade.backend import Timing
from trainer.grade.ladder import Ladder, Reached


def rates(timing: Timing) -> list[str]:
    """`1834 GB/s (43% of a copy)`, `35.20 TFLOP/s (55% of the peak)`, `0.92 x cuBLAS`: those that apply."""
    found = []
    if timing.gbps:
        share = f" ({timing.bandwidth_use:.0%} of a copy)" if timing.bandwidth_use else ""
        found.append(f"{timing.gbps:.0f} GB/s{share}")
    if timing.tflops:
        share = f" ({timing.efficiency:.0%} of the peak)" if timing.efficiency else ""
        found.append(f"{timing.tflops:.2f} TFLOP/s{share}")
    if timing.library:
        found.append(f"{library_ratio(timing):.2f} x {timing.library.name}")
    return found


def times_of(ladder: Ladder) -> str:
    """`recorded on NVIDIA H200, N=1024`, `measured now, N=1024`; "" where no rung has a time."""
    recorded = sorted({rung.device for rung in ladder.rungs if rung.source == "recorded"})
    told = ["measured now"] if any(rung.source == "measured" for rung in ladder.rungs) else []
    told += [f"recorded on {device}" for device in recorded]
    return ", ".join([*told, ladder.size]) if told and ladder.size else ", ".join(told)


def level_reached(level: Reached) -> str:
    """`level 4 of 7, "Double buffered", by time`, `at least level 3 of 7, "Vectorised", by model`."""
    least = "at least " if level.basis == "model" else ""
    return f'{least}level {level.number} of {level.highest}, "{level.name}", by {level.basis}'


def library_ratio(timing: Timing) -> float | None:
    """The speed relative to the library's: above 1 is faster."""
    return timing.library.median_us / timing.median_us if timing.library else None
