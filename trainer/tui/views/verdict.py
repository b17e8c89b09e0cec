"""The verdict and what led to it: message, failing cases, compiler messages, hazards, output."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from trainer.cuda.model import Diagnostic, Severity
from trainer.grade.result import Grade
from trainer.grade.verdict import CaseResult, Mismatch, Verdict
from trainer.sim.report import Hazard
from trainer.tui.text import assemble, cut, hung, lines, mark, plain, verdict, words
from trainer.tui.widgets.code import TAB, code_lines

MAX_SHOWN = 12
GUTTER = 9  # cells before a line of the source
_SEVERITY = {
    Severity.ERROR: "bold $text-error",
    Severity.WARNING: "bold $text-warning",
    Severity.NOTE: "bold",
}


def headline(grade: Grade, title: str) -> Content:
    """Verdict, score and where it ran; the message and what to do next below."""
    first = [verdict(grade.verdict.value, bold=True)]
    if grade.verdict is Verdict.ACCEPTED:
        first.append(plain(f"   score {grade.score.total:g} of 100"))
    where = f"{grade.device}, seed {grade.seed}, {grade.elapsed_s:.2f} s"
    rows = [Content("").join(first), plain(grade.message)]
    if grade.hint:
        rows.append(plain(grade.hint, "$text-accent"))
    rows.append(plain(where, "$foreground-muted"))
    return lines(*rows)


def details(grade: Grade, source: str, width: int) -> Content:
    """Everything of the verdict that is not about speed or memory, in lines of `width` cells."""
    page = _Page(source, width)
    rows: list[Content] = []
    if grade.line and not _diagnosed(grade):
        rows += [*page.line(grade.line), Content("")]
    rows += _compiler(grade, page)
    cases, hazards = _cases(grade, page), _hazards(grade.hazards, page)
    # What decided comes first.
    rows += [*hazards, *cases] if grade.verdict is Verdict.HAZARD else [*cases, *hazards]
    rows += _launches(grade)
    if grade.printed:
        rows += [
            heading("Printed"),
            *(page.item(plain(f"  {row}"), 2) for row in grade.printed[:2000].splitlines()),
            Content(""),
        ]
    rows += [page.item(plain(f"note: {note}", "$foreground-muted"), 2) for note in grade.notes]
    return lines(*rows) if rows else plain("nothing to report", "$foreground-muted")


def heading(title: str, remark: str = "") -> Content:
    return assemble((title, "bold $accent"), (f"  {remark}" if remark else "", "$foreground-muted"))


@dataclass(frozen=True)
class _Page:
    """The file that messages are about, and how wide its lines may be shown."""

    source: str
    width: int

    def item(self, row: Content, indent: int) -> Content:
        return hung(row, self.width, indent)

    def line(self, number: int, column: int = 0) -> list[Content]:
        """The user's own line, numbered, with a caret where a column is known; cut around it."""
        shown = code_lines(self.source)
        if not 1 <= number <= len(shown):
            return []
        before = len(self.source.splitlines()[number - 1][: max(column - 1, 0)].expandtabs(TAB))
        row, at = cut(shown[number - 1], max(self.width - GUTTER, 20), before)
        rows = [assemble((f"{number:6d} │ ", "$foreground-muted"), row)]
        if column > 0:
            under = " " * cell_len(row.plain[:at])
            rows.append(assemble(("       │ ", "$foreground-muted"), under, ("^", "bold $text-error")))
        return rows


def _diagnosed(grade: Grade) -> bool:
    return grade.compiled is not None and any(d.line == grade.line for d in grade.compiled.diagnostics)


def _compiler(grade: Grade, page: _Page) -> Iterator[Content]:
    compiled = grade.compiled
    if compiled is None:
        return
    shown = [d for d in compiled.diagnostics if compiled.ok or d.severity is not Severity.NOTE]
    log = compiled.log.strip()
    if not shown and not compiled.ok and log and log != compiled.message:
        yield heading("Compiler")
        yield from (page.item(plain(f"  {row}"), 2) for row in log[:4000].splitlines())
        yield Content("")
    if shown:
        yield heading("Compiler")
        for diagnostic in shown[:MAX_SHOWN]:
            yield from _diagnostic(diagnostic, page)
        yield from _more(len(shown))
        yield Content("")


def _diagnostic(diagnostic: Diagnostic, page: _Page) -> list[Content]:
    place = f"line {diagnostic.line}: " if diagnostic.line else ""
    severity = (diagnostic.severity.value, _SEVERITY[diagnostic.severity])
    first = assemble("  ", place, severity, f": {diagnostic.message}")
    return [page.item(first, 4), *page.line(diagnostic.line, diagnostic.column)]


def _cases(grade: Grade, page: _Page) -> Iterator[Content]:
    if not grade.cases or grade.verdict is Verdict.COMPILE_ERROR:
        return
    failed = [case for case in grade.cases if case.verdict is not Verdict.ACCEPTED]
    yield heading("Cases", f"{len(grade.cases) - len(failed)} of {len(grade.cases)} right")
    for case in failed[:MAX_SHOWN]:
        yield from (page.item(row, 6) for row in _case(case))
    yield from _more(len(failed))
    if grade.not_run:
        yield plain(f"  {grade.not_run}", "$foreground-muted")
    used = [(c.worst.error / c.worst.tolerance, c) for c in grade.cases if c.worst and c.worst.tolerance > 0]
    if not failed and used:
        most, worst = max(used, key=lambda pair: pair[0])
        yield plain(
            f"  largest error: {100 * most:.0f} % of the tolerance ({worst.name})", "$foreground-muted"
        )
    yield Content("")


def _case(case: CaseResult) -> Iterator[Content]:
    symbol, style = mark(case.verdict.value)
    worst = case.worst
    count = f", {worst.wrong} of {case.elements} elements" if worst and worst.wrong else ""
    yield assemble("  ", (symbol, style), f" {case.name}: {words(case.verdict.value)}{count}")
    if worst is not None and worst.wrong:
        yield assemble(
            (f"      {worst.output}[{worst.index}]  ", "$foreground-muted"),
            ("got ", "$foreground-muted"),
            (f"{worst.got:.7g}", "bold $text-error"),
            ("   expected ", "$foreground-muted"),
            (f"{worst.expected:.7g}", "bold $text-success"),
            (_off_by(worst), "$foreground-muted"),
        )


def _off_by(worst: Mismatch) -> str:
    """How far off, in the unit of the tolerance; "" where there is no distance: one is no number."""
    if not math.isfinite(worst.error):
        return ""
    unit = f" {worst.unit}" if worst.unit else ""
    allowed = f", {worst.tolerance:.2g}{unit} allowed" if worst.tolerance else ""
    return f"   off by {worst.error:.2g}{unit}{allowed}"


def _hazards(hazards: Sequence[Hazard], page: _Page) -> Iterator[Content]:
    if not hazards:
        return
    yield heading("Hazards")
    for hazard in hazards[:MAX_SHOWN]:
        style = "bold $text-error" if hazard.fatal else "bold $text-warning"
        times = f" ({hazard.count} times)" if hazard.count > 1 else ""
        advice = "" if hazard.fatal else ", advice only"
        symbol = "✗" if hazard.fatal else "▲"
        told = assemble(
            "  ", (f"{symbol} {words(hazard.kind.value)}", style), f"{times}{advice}: {hazard.message}"
        )
        yield page.item(told, 4)
        at = f" at {hazard.address}" if hazard.address else ""
        party = f"    {_party(hazard.block, hazard.thread)}{at}"
        yield page.item(plain(party, "$foreground-muted"), 4)
        yield from page.line(hazard.line)
        if hazard.other_line is not None or hazard.other_thread is not None:
            yield plain(f"    against {_party(hazard.other_block, hazard.other_thread)}", "$foreground-muted")
            if hazard.other_line and hazard.other_line != hazard.line:
                yield from page.line(hazard.other_line)
    yield from _more(len(hazards))
    yield Content("")


def _party(block: tuple[int, int, int] | None, thread: tuple[int, int, int] | None) -> str:
    parts = [f"{name} {place}" for name, place in (("block", block), ("thread", thread)) if place is not None]
    return ", ".join(parts) or "another thread"


def _launches(grade: Grade) -> Iterator[Content]:
    if not grade.launches:
        return
    resources = {k.name: k for k in grade.compiled.kernels} if grade.compiled else {}
    yield heading("Launches")
    for launch in grade.launches[:MAX_SHOWN]:
        shape = f"<<<{_extent(launch.grid)}, {_extent(launch.block)}>>>"
        parts = [f"{launch.shared_bytes} B shared"] if launch.shared_bytes else []
        kernel = resources.get(launch.kernel)
        parts += [f"{kernel.registers} registers"] if kernel and kernel.registers is not None else []
        parts += [f"{kernel.spill_bytes} B spilled"] if kernel and kernel.spill_bytes else []
        parts += [f"occupancy {launch.occupancy:.0%}"] if launch.occupancy is not None else []
        yield assemble(f"  {launch.kernel} {shape}", (f"  {', '.join(parts)}", "$foreground-muted"))
    yield from _more(len(grade.launches))
    yield Content("")


def _extent(extent: tuple[int, int, int]) -> str:
    x, y, z = extent
    return str(x) if y == z == 1 else f"({x}, {y})" if z == 1 else f"({x}, {y}, {z})"


def _more(count: int) -> Iterator[Content]:
    if count > MAX_SHOWN:
        yield plain(f"  and {count - MAX_SHOWN} more", "$foreground-muted")
