"""How fast: measured times with their spread, what is modelled, and the place on the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask
from trainer.grade.backend import Model, Timing
from trainer.grade.ladder import Ladder, RungTime
from trainer.grade.rates import level_reached, rates, times_of
from trainer.grade.result import Grade
from trainer.sim.devices import MODELS
from trainer.sim.devices import Model as Device
from trainer.tui.text import assemble, fit, lines, plain
from trainer.tui.views.verdict import heading

BAR = 24


def timing(measured: Timing | None) -> Content:
    if measured is None:
        return lines(
            heading("Time"),
            plain(
                "  not measured: times need an NVIDIA GPU. Below is what can be said without one.",
                "$foreground-muted",
            ),
        )
    cache = "cold" if measured.cold else "warm"
    state = [f"{measured.sm_clock_mhz} MHz"] if measured.sm_clock_mhz else []
    state += [f"{measured.temperature_c} °C"] if measured.temperature_c else []
    floor = f"{measured.floor_fraction:.0%} of the floor of {microseconds(measured.floor_us)}"
    return lines(
        heading("Time", f"measured, {measured.samples} samples, {cache} L2"),
        assemble(
            "  median ",
            (microseconds(measured.median_us), "bold"),
            (
                f"   5 % below {microseconds(measured.p5_us)}, 5 % above {microseconds(measured.p95_us)}",
                "$foreground-muted",
            ),
        ),
        plain(f"  {', '.join([*rates(measured), floor, *state])}"),
    )


def model(modelled: Model | None) -> Content:
    if modelled is None:
        return Content("")
    work = f"{modelled.dram_bytes / 1e6:.2f} MB through DRAM, {modelled.flops / 1e6:.2f} MFLOP"
    return lines(
        heading("Model", f"modelled for {modelled.device}, not measured"),
        plain(f"  {work}; at best {microseconds(modelled.floor_us)}, bound by {modelled.bound}"),
    )


def ladder(placed: Ladder | None, own: Timing | None) -> Content:
    """Bars on one scale: short is fast. The submission is among them where it has a time."""
    if placed is None or not placed.rungs:
        return Content("")
    slowest = max([r.median_us or 0.0 for r in placed.rungs] + [own.median_us if own else 0.0])
    rows = [heading("Ladder", times_of(placed))]
    for rung in placed.rungs:
        rows.append(bar(_name(rung), rung.median_us, slowest, "$primary", here=rung.id == placed.rung))
    if own is not None:
        rows.append(bar("your file", own.median_us, slowest, "$accent", here=placed.rung is None))
    return lines(*rows, place(placed, own))


def place(placed: Ladder, own: Timing | None) -> Content:
    level = f"; {level_reached(placed.level)}" if placed.level else ""
    if own is None:
        return plain(f"  your place needs a time: grade on a GPU{level}", "$foreground-muted")
    below, above = placed.between
    if below and above:
        return plain(f"  you are level with {below}; {above} is next{level}")
    if below:
        return plain(f"  you are level with the top rung, {below}{level}", "$text-success")
    return plain(
        f"  below the ladder; {above} is next" if above else "  no rung has a time", "$foreground-muted"
    )


def bar(name: str, median_us: float | None, slowest_us: float, style: str, *, here: bool) -> Content:
    """One row of 76 cells at most."""
    label = fit(name, 34)
    if median_us is None:
        return assemble("  ", label, ("  no time", "$foreground-muted"))
    length = max(1, round(BAR * median_us / slowest_us)) if slowest_us else 1
    return assemble(
        ("▸ " if here else "  ", "bold $accent"),
        label,
        " ",
        ("━" * length, style),
        (f" {microseconds(median_us)}", "bold" if here else "$foreground-muted"),
    )


def microseconds(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:.1f} ms"
    return f"{value:.2f} µs" if value < 100 else f"{value:.0f} µs"


def _name(rung: RungTime) -> str:
    return f"{rung.id.split('-')[0]} {rung.title}"


@dataclass(frozen=True)
class Point:
    """On the roofline: `intensity` in flop a byte of DRAM traffic, `gflops` reached."""

    mark: str
    label: str
    intensity: float
    gflops: float


@dataclass(frozen=True)
class Roof:
    """`dram_gbps` and `peak_gflops` of one GPU, as its vendor states them."""

    device: str
    dram_gbps: float
    peak_gflops: float

    def at(self, intensity: float) -> float:
        return min(self.peak_gflops, self.dram_gbps * intensity)


def roof(device: str) -> Roof:
    """The roof of the GPU that `device` names ("NVIDIA H200", "H100"), else of an H200."""
    found: Device = MODELS["H200"]
    for name, candidate in MODELS.items():
        if name.lower() in device.lower():
            found = candidate
    return Roof(found.name, found.dram_gbps, 1000 * found.fp32_tflops)


def points(grade: Grade, task: KernelTask) -> Sequence[Point]:
    """Rungs and the submission, at the least traffic that the task needs. Tasks without arithmetic
    count moved bytes instead, four to a "flop": they lie on the slope all the same."""
    flops = evaluate(task.cost.flops, task.timed.sizes)
    dram = evaluate(task.cost.dram_bytes, task.timed.sizes)
    flops = flops or dram // 4
    intensity = flops / dram
    found = []
    for number, rung in enumerate(grade.ladder.rungs if grade.ladder else (), 1):
        if rung.median_us:
            found.append(Point(str(number % 10), rung.title, intensity, flops / rung.median_us / 1000))
    if grade.timing is not None:
        found.append(Point("●", "your file", intensity, flops / grade.timing.median_us / 1000))
    elif grade.model is not None and grade.model.dram_bytes and grade.model.floor_us:
        work = grade.model.flops or grade.model.dram_bytes // 4
        own = work / grade.model.dram_bytes
        found.append(Point("◇", "your file at best, modelled", own, work / grade.model.floor_us / 1000))
    return found
