"""Memory accesses by source line: what each costs, against the least it could cost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from textual.content import Content

from trainer.bank.quiz import Analysis
from trainer.quiz.picture import draw_marked
from trainer.quiz.run import Marked
from trainer.sim.pictures import bank_grid, sector_strip
from trainer.sim.ranking import excess
from trainer.sim.report import Access, Divergence, Space
from trainer.tui.text import assemble, fit, lines, plain
from trainer.tui.widgets.code import code_line

UNITS = "each and ideal in sectors of 32 B a request, in shared memory in passes"
COLUMNS = f"{UNITS}\n"
COLUMNS += f"{'line':>5}  {'access':<27}{'requests':>10}{'each':>8}{'ideal':>8}{'excess':>9}"


def row(access: Access) -> Content:
    """Two lines: the numbers, and the user's line they belong to."""
    cost, ideal = cost_and_ideal(access)
    requests = max(access.requests, 1)
    space = "" if access.space is Space.GLOBAL else f"{access.space.value} "
    what = fit(f"{space}{access.op.replace('_', ' ')}, {access.bytes_per_lane} B a lane", 27)
    worse = excess(access) > 0
    ratio = f"▲ {cost / ideal:.1f} x" if worse and ideal else "▲ all" if worse else "✓ none"
    return lines(
        assemble(
            f"{access.line:5d}  {what}{access.requests:10,}{cost / requests:8.2f}",
            (f"{ideal / requests:8.2f}", "$foreground-muted"),
            (f"{ratio:>9}", "$text-warning" if worse else "$text-success"),
        ),
        assemble("       ", code_line(access.source.strip())),
    )


_MARKED = re.compile(r"^[ \t]*(\S.*?)[ \t]*// (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class MarkedLine:
    mark: str
    code: str


def marked_lines(analysis: Analysis) -> list[MarkedLine]:
    """The lines that an analysis asks about."""
    return [MarkedLine(m[2], m[1]) for m in _MARKED.finditer(analysis.source)]


def pictures_of(counted: Iterable[Marked]) -> Content:
    """The costliest request of each marked line, or its branch, below the line itself."""
    rows: list[Content | str] = []
    for line in counted:
        rows += [
            assemble(
                (f"{line.mark}  ", "bold $accent"),
                code_line(line.code),
                (f"   {line.told}", "$foreground-muted"),
            ),
            shaded(draw_marked(line)),
            "",
        ]
    return lines(*rows)


_CELLS = re.compile("(■+|□+|█+|▒+|·+)")
_SHADES = {
    "■": "$text-warning",
    "□": "$accent",
    "█": "$text-success",
    "▒": "$text-warning",
    "·": "$foreground-disabled",
}


def shaded(picture: str) -> Content:
    """A picture of banks or sectors with its marks coloured."""
    return assemble(*(_shade(part) for part in _CELLS.split(picture)))


def _shade(part: str) -> tuple[str, str]:
    return part, _SHADES.get(part[:1], "")


def cost_and_ideal(access: Access) -> tuple[int, int]:
    """Wavefronts of a shared access, else sectors."""
    if access.space is Space.SHARED:
        return access.wavefronts or 0, access.ideal_wavefronts or 0
    return access.sectors or 0, access.ideal_sectors or 0


def picture(access: Access) -> Content | None:
    """The costliest request of a line, as it met banks or sectors; None where none was kept."""
    if access.worst is None:
        return None
    draw = bank_grid if access.space is Space.SHARED else sector_strip
    return shaded(draw(access.worst, access.bytes_per_lane))


def explanation(access: Access) -> Content:
    """What the numbers of a row mean, in one or two sentences."""
    cost, ideal = cost_and_ideal(access)
    requests = max(access.requests, 1)
    if access.space is Space.SHARED:
        unit, meaning = (
            "wavefronts",
            "A wavefront is one pass over the 32 banks; lanes that want different words of one bank wait.",
        )
    else:
        unit, meaning = (
            "sectors",
            "A sector is 32 bytes, the least that memory moves; unused bytes move for nothing.",
        )
    text = f"{cost / requests:.2f} {unit} a request where {ideal / requests:.2f} would do. {meaning}"
    if access.hardware_wavefronts is not None and access.hardware_wavefronts != access.wavefronts:
        text += (
            f" The compiler joins neighbours: profilers show {access.hardware_requests:,} requests "
            f"and {access.hardware_wavefronts:,} wavefronts here."
        )
    return plain(text, "$foreground-muted")


def divergence_row(entry: Divergence) -> Content:
    lanes = entry.active_lanes / max(entry.executions, 1)
    return assemble(
        f"{entry.line:5d}  {fit(entry.source, 32)}",
        (f"{entry.divergent_branches:9,} splits, {lanes:4.1f} of 32 lanes", "$foreground-muted"),
    )
