"""The roofline: what memory and arithmetic allow, and where the submission and the rungs are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from trainer.tui.text import lines, plain
from trainer.tui.views.speed import Point, Roof

AXIS = 13  # cells for the numbers at the left
HEIGHT = 13
NARROWEST = 35  # cells; below that there is no plot
OWN = "●◇"


class RooflinePlot(Static):
    """Draws itself anew when its width changes."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._roof: Roof | None = None
        self._points: Sequence[Point] = ()

    def show(self, roof: Roof, points: Sequence[Point]) -> None:
        self._roof, self._points = roof, points
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._roof is None or not self.size.width:
            return
        width = min(self.size.width, 100)
        shown = self._points and width >= NARROWEST
        self.update(plot(self._roof, self._points, width, HEIGHT) if shown else "")


def plot(roof: Roof, points: Sequence[Point], width: int, height: int) -> Content:
    """Both axes logarithmic. A mark whose cell is taken by another one stands beside it."""
    columns = width - AXIS - 1
    low_x, high_x = _span([p.intensity for p in points], roof.peak_gflops / roof.dram_gbps)
    high_y = roof.peak_gflops * 1.5
    low_y = min([p.gflops for p in points] + [roof.at(low_x)]) / 1.5

    def column(intensity: float) -> int:
        return _place(intensity, low_x, high_x, columns)

    def row(gflops: float) -> int:
        return height - 1 - _place(gflops, low_y, high_y, height)

    cells = [[(" ", "")] * columns for _ in range(height)]
    for x in range(columns):
        intensity = low_x * (high_x / low_x) ** (x / max(columns - 1, 1))
        flat = roof.dram_gbps * intensity >= roof.peak_gflops
        cells[row(roof.at(intensity))][x] = ("─" if flat else "╱", "$foreground-muted")
    for point in points:
        style = "bold $accent" if point.mark in OWN else "bold $primary"
        line, x = cells[row(point.gflops)], column(point.intensity)
        taken = [mark.mark for mark in points]
        while line[x][0] in taken and x < columns - 1:
            x += 1
        line[x] = (point.mark, style)
    rows = [_row(label, cells[y]) for y, label in enumerate(_labels(low_y, high_y, height))]
    rows.append(plain(" " * (AXIS - 1) + "└" + "─" * columns, "$foreground-muted"))
    left, right = f"{low_x:.2g}", f"{high_x:.3g} flop a byte"
    rows.append(
        plain(" " * AXIS + left + " " * max(1, columns - len(left) - len(right)) + right, "$foreground-muted")
    )
    return lines(*rows)


def _row(label: str, cells: Sequence[tuple[str, str]]) -> Content:
    parts = [plain(f"{label:>{AXIS - 1}}│", "$foreground-muted")]
    parts += [plain(text, style) for text, style in cells]
    return Content("").join(parts)


def _labels(low: float, high: float, height: int) -> list[str]:
    """A number every fourth row, from the top."""
    values = [high * (low / high) ** (y / max(height - 1, 1)) for y in range(height)]
    return [_rate(value) if y % 4 == 0 else "" for y, value in enumerate(values)]


def _rate(gflops: float) -> str:
    return f"{gflops / 1000:.3g} TFLOP/s" if gflops >= 1000 else f"{gflops:.3g} GFLOP/s"


def _span(intensities: Sequence[float], ridge: float) -> tuple[float, float]:
    return min([*intensities, ridge]) / 4, max([*intensities, ridge]) * 4


def _place(value: float, low: float, high: float, cells: int) -> int:
    share = math.log(max(value, low) / low) / math.log(high / low)
    return min(cells - 1, max(0, round(share * (cells - 1))))
