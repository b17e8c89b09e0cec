"""The parts that need no app: colours of code, plots, bars."""

from __future__ import annotations

from collections import Counter
from datetime import date

from trainer.tui.text import fit, meter
from trainer.tui.views.diff import diff
from trainer.tui.views.heatmap import heatmap
from trainer.tui.views.speed import Point, Roof, bar, roof
from trainer.tui.widgets.code import listing
from trainer.tui.widgets.roofline import plot


def test_a_listing_is_the_text_with_numbers() -> None:
    shown = listing("smem[TILE][TILE+1];\n\t[/red]\n", {2: ("✗", "$text-error")}).plain
    assert shown == "    1 smem[TILE][TILE+1];\n✗   2     [/red]"


def test_a_diff_keeps_brackets() -> None:
    assert "+b[/red]" in diff("a\n", "b[/red]\n").plain
    assert diff("a\n", "a\n").plain == "no difference"


def test_the_roofline_rises_and_flattens() -> None:
    rows = plot(Roof("H200", 4800, 66900), [Point("●", "you", 0.25, 900)], 60, 12).plain.splitlines()
    assert "╱" in "".join(rows) and "─" in rows[1] and any("●" in row for row in rows)
    assert max(map(len, rows)) <= 60


def test_marks_that_meet_stand_side_by_side() -> None:
    points = [Point(str(n), "", 0.25, 900) for n in (1, 2, 3)] + [Point("●", "", 0.25, 900)]
    assert "123●" in plot(Roof("H200", 4800, 66900), points, 60, 12).plain


def test_a_roof_is_that_of_the_named_gpu() -> None:
    assert roof("NVIDIA H100 80GB HBM3").device == "H100" and roof("unknown").device == "H200"


def test_the_heatmap_is_twelve_weeks_and_fits_forty_columns() -> None:
    today = date(2026, 11, 25)  # a Wednesday
    rows = heatmap(Counter({today: 9, date(2026, 11, 24): 1}), today).plain.splitlines()
    assert rows[3].startswith(" Wed ") and rows[3].endswith("██") and rows[2].endswith("░░")
    assert len(rows[4].rstrip()) < len(rows[3]) and max(map(len, rows)) <= 40


def test_bars_and_meters_fit() -> None:
    assert len(bar("x" * 60, 100.0, 100.0, "", here=True).plain) <= 76
    assert meter(0, 4).plain == "─" * 8 and meter(1, 100).plain.startswith("━")
    assert fit("a\nb", 5) == "a b  " and fit("abcdef", 4) == "abc…"
    assert fit("跨步", 6) == "跨步  " and fit("跨步访问", 6) == "跨步 …"
