"""A grade for people: verdict first, then what the compiler said, cases, hazards, memory, time, ladder.

Everything fits 80 columns and goes through `Text`, so that no source line is taken for markup.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from trainer.cli.columns import Column, Step
from trainer.cli.render_access import render_access
from trainer.cli.text import body, heading, source_line, table
from trainer.cuda.model import Diagnostic, Severity
from trainer.grade.backend import Compiled, Model, Timing
from trainer.grade.ladder import Ladder
from trainer.grade.rates import level_reached, rates, times_of
from trainer.grade.result import Grade
from trainer.grade.verdict import CaseResult, Verdict
from trainer.sim.report import Hazard, LaunchRecord
from trainer.text import clean

MAX_SHOWN = 8
"""Diagnostics, failing cases and hazards of which more would only scroll the first ones away."""

_SEVERITY = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def render_grade(console: Console, grade: Grade, source: str) -> None:
    lines = source.splitlines()
    _verdict(console, grade, lines)
    if grade.compiled is not None:
        _compiler(console, grade.compiled, lines)
    if grade.verdict is not Verdict.COMPILE_ERROR:
        _cases(console, grade.cases, grade.not_run)
        render_hazards(console, grade.hazards, lines)
        render_launches(console, grade.launches)
        render_access(console, grade.access)
        _timing(console, grade.timing)
        render_model(console, grade.model)
        if grade.ladder is not None:
            render_ladder(console, grade.ladder, grade.timing)
    if grade.printed:
        heading(console, "Printed")
        console.print(Padding(Text(grade.printed[:2000].rstrip()), (0, 0, 0, 2), expand=False))
    for note in grade.notes:
        console.print(Text(f"note: {note}", style="dim"))


def _verdict(console: Console, grade: Grade, lines: Sequence[str]) -> None:
    style = "bold green" if grade.verdict is Verdict.ACCEPTED else "bold red"
    name = grade.verdict.value.replace("_", " ")
    console.print(Text.assemble((name, style), f"  {grade.task}"))
    body(console, grade.message)
    if grade.line:
        source_line(console, grade.line, lines)
    if grade.hint:
        body(console, grade.hint)
    if grade.verdict is Verdict.ACCEPTED:
        body(console, f"score {grade.score.total:g} of 100")
    if grade.compiled is not None:
        body(console, f"{grade.device}, seed {grade.seed}, {grade.elapsed_s:.2f} s", "dim")


def _compiler(console: Console, compiled: Compiled, lines: Sequence[str]) -> None:
    shown = [d for d in compiled.diagnostics if compiled.ok or d.severity is not Severity.NOTE]
    if shown:
        heading(console, "Compiler")
    for diagnostic in shown[:MAX_SHOWN]:
        _diagnostic(console, diagnostic, lines)
    if len(shown) > MAX_SHOWN:
        body(console, f"and {len(shown) - MAX_SHOWN} more", "dim")
    if not compiled.ok and not shown and compiled.log.strip() and compiled.log.strip() != compiled.message:
        heading(console, "Compiler")
        body(console, compiled.log.strip()[:4000])
    if compiled.kernels:
        _kernels(console, compiled)


def _diagnostic(console: Console, diagnostic: Diagnostic, lines: Sequence[str]) -> None:
    place = f"line {diagnostic.line}: " if diagnostic.line else ""
    severity = diagnostic.severity.value
    text = Text.assemble(place, (severity, _SEVERITY[diagnostic.severity]), f": {clean(diagnostic.message)}")
    console.print(Padding(text, (0, 0, 0, 2), expand=False))
    source_line(console, diagnostic.line, lines, diagnostic.column)


def _kernels(console: Console, compiled: Compiled) -> None:
    heading(console, "Kernels")
    rows = []
    for kernel in compiled.kernels:
        spilled = "none" if kernel.spill_bytes == 0 else _known(kernel.spill_bytes, " B")
        rows.append((kernel.name, _known(kernel.registers), _known(kernel.shared_bytes, " B"), spilled))
    columns = (Column("kernel"), *(Column(title, right=True) for title in ("registers", "shared", "spilled")))
    table(console, columns, rows, (Step("kernel", 12), Step("shared")))


def _known(count: int | None, unit: str = "") -> str:
    return "" if count is None else f"{count}{unit}"


def _cases(console: Console, cases: Sequence[CaseResult], not_run: str) -> None:
    if not cases:
        return
    failed = [case for case in cases if case.verdict is not Verdict.ACCEPTED]
    heading(console, "Cases", f"{len(cases) - len(failed)} of {len(cases)} right")
    for case in failed[:MAX_SHOWN]:
        wrong = f", {case.worst.wrong} of {case.elements} elements" if case.worst and case.worst.wrong else ""
        body(console, f"{case.name}: {case.verdict.value.replace('_', ' ')}{wrong}")
    if len(failed) > MAX_SHOWN:
        body(console, f"and {len(failed) - MAX_SHOWN} more", "dim")
    if not_run:
        body(console, not_run, "dim")
    used = [(c.worst.error / c.worst.tolerance, c) for c in cases if c.worst and c.worst.tolerance > 0]
    if not failed and used:
        most, case = max(used, key=lambda pair: pair[0])
        body(console, f"largest error: {100 * most:.0f} % of the tolerance ({case.name})")


def render_hazards(console: Console, hazards: Sequence[Hazard], lines: Sequence[str]) -> None:
    if not hazards:
        return
    heading(console, "Hazards")
    for hazard in hazards[:MAX_SHOWN]:
        kind = hazard.kind.value.replace("_", " ")
        times = f" ({hazard.count} times)" if hazard.count > 1 else ""
        style = "red" if hazard.fatal else "yellow"
        text = Text.assemble((kind, style), f"{times}: {clean(hazard.message)}")
        console.print(Padding(text, (0, 0, 0, 2), expand=False))
        if hazard.address not in hazard.message:
            body(console, f"{_party(hazard.block, hazard.thread)} at {hazard.address}", "dim")
        source_line(console, hazard.line, lines)
        if hazard.other_line is not None or hazard.other_thread is not None:
            body(console, f"against {_party(hazard.other_block, hazard.other_thread)}", "dim")
            if hazard.other_line and hazard.other_line != hazard.line:
                source_line(console, hazard.other_line, lines)
    if len(hazards) > MAX_SHOWN:
        body(console, f"and {len(hazards) - MAX_SHOWN} more", "dim")


def _party(block: tuple[int, int, int] | None, thread: tuple[int, int, int] | None) -> str:
    parts = [f"{name} {place}" for name, place in (("block", block), ("thread", thread)) if place is not None]
    return ", ".join(parts) or "another thread"


def render_launches(console: Console, launches: Sequence[LaunchRecord]) -> None:
    """Equal launches in a row become one line with their number."""
    if not launches:
        return
    heading(console, "Launches")
    groups: list[tuple[LaunchRecord, int]] = []
    for launch in launches:
        if groups and _same(groups[-1][0], launch):
            groups[-1] = (launch, groups[-1][1] + 1)
        else:
            groups.append((launch, 1))
    for launch, count in groups[:MAX_SHOWN]:
        occupancy = f", occupancy {launch.occupancy:.0%}" if launch.occupancy is not None else ""
        shared = f", {launch.shared_bytes} B shared" if launch.shared_bytes else ""
        times = f"{count} x " if count > 1 else ""
        shape = f"<<<{_dim(launch.grid)}, {_dim(launch.block)}>>>"
        body(console, f"{times}{launch.kernel} {shape}{shared}{occupancy}")
    if len(groups) > MAX_SHOWN:
        body(console, f"and {len(groups) - MAX_SHOWN} more", "dim")


def _same(a: LaunchRecord, b: LaunchRecord) -> bool:
    return (a.kernel, a.grid, a.block, a.shared_bytes) == (b.kernel, b.grid, b.block, b.shared_bytes)


def _dim(extent: tuple[int, int, int]) -> str:
    x, y, z = extent
    return str(x) if y == z == 1 else f"({x}, {y})" if z == 1 else f"({x}, {y}, {z})"


def _timing(console: Console, timing: Timing | None) -> None:
    if timing is None:
        return
    cache = "cold" if timing.cold else "warm"
    heading(console, "Time", f"measured, {timing.samples} samples, {cache} L2")
    body(console, f"median {timing.median_us:.2f} us (p5 {timing.p5_us:.2f}, p95 {timing.p95_us:.2f})")
    floor = f"{timing.floor_fraction:.0%} of the floor of {timing.floor_us:.2f} us"
    body(console, ", ".join([*rates(timing), floor]))
    state = [f"{timing.sm_clock_mhz} MHz"] if timing.sm_clock_mhz else []
    state += [f"{timing.temperature_c} °C"] if timing.temperature_c else []
    if state:
        body(console, ", ".join(state), "dim")


def render_model(console: Console, model: Model | None) -> None:
    if model is None:
        return
    heading(console, "Model", f"modelled for {model.device}, not measured")
    work = f"{model.dram_bytes / 1e6:.2f} MB through DRAM, {model.flops / 1e6:.2f} MFLOP"
    body(console, f"{work}; at best {model.floor_us:.2f} us, bound by {model.bound}")
    if model.predicted_us is not None:
        parts = ", ".join(f"{name} {us:.2f}" for name, us in model.parts_us.items() if us >= 0.005)
        body(console, f"predicted {model.predicted_us:.2f} us; alone each part would need: {parts}")


def render_ladder(console: Console, ladder: Ladder, timing: Timing | None) -> None:
    heading(console, "Ladder", times_of(ladder))
    rows = [
        (
            f"{'>' if rung.id == ladder.rung else ' '} {rung.id}",
            rung.title,
            "" if rung.median_us is None else f"{rung.median_us:.2f}",
            rung.source or "",
        )
        for rung in ladder.rungs
    ]
    if timing is not None:
        rows.append(("  your file", "", f"{timing.median_us:.2f}", "measured"))
    columns = (Column("  rung"), Column("title"), Column("us", right=True), Column("source"))
    steps = (Step("title", 24), Step("source"), Step("title", 8), Step("title"), Step("  rung", 10))
    styles = [""] * len(ladder.rungs) + ["bold"] * (timing is not None)
    table(console, columns, rows, steps, styles=styles)
    if ladder.level:
        body(console, level_reached(ladder.level))
