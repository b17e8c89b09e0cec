"""The text of a verdict: units, lines cut around their caret, and what goes on below stands set in."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.driving import drive, text_of, until
from tests.tui.test_quiz import ask, drawn
from tests.tui.test_result import hostile_grade
from trainer.bank.quiz import Form, Option
from trainer.cuda.model import Diagnostic, Severity
from trainer.grade.backend import Compiled
from trainer.grade.verdict import CaseResult, Mismatch, Verdict
from trainer.sim.report import Hazard, HazardKind
from trainer.tui.services import Services
from trainer.tui.text import assemble, cut, hung
from trainer.tui.views.verdict import details
from trainer.tui.widgets.roofline import _rate

BASE = replace(hostile_grade(), compiled=None, line=0, cases=(), notes=(), printed="")
LONG = "    float v = " + " + ".join(f"input[{i}]" for i in range(30)) + ";"


def _case(error: float, tolerance: float, unit: str) -> str:
    mismatch = Mismatch("out", 3, 1.5, 2.5, error, tolerance, 4, unit)
    case = CaseResult("N = 8", Verdict.WRONG_ANSWER, 8, mismatch)
    return details(replace(BASE, cases=(case,)), "", 80).plain


@pytest.mark.parametrize(
    ("error", "tolerance", "unit", "words"),
    [
        (1.6e7, 2.0, "ulp", "off by 1.6e+07 ulp, 2 ulp allowed"),
        (0.5, 0.1, "", "off by 0.5, 0.1 allowed"),
        (3.0, 0.0, "", "off by 3\n"),
    ],
)
def test_a_distance_has_the_unit_of_what_is_allowed(
    error: float, tolerance: float, unit: str, words: str
) -> None:
    assert words in _case(error, tolerance, unit)


def test_where_a_value_is_no_number_there_is_no_distance() -> None:
    assert "off by" not in _case(math.nan, 2.0, "ulp") + _case(math.inf, 2.0, "ulp")


def test_rates_beside_the_roofline_have_a_unit() -> None:
    assert (_rate(238.4), _rate(66900)) == ("238 GFLOP/s", "66.9 TFLOP/s")


@pytest.mark.parametrize("column", [5, 30, 150, len(LONG)])
@pytest.mark.parametrize("width", [40, 76])
def test_a_long_source_line_is_cut_around_its_caret(column: int, width: int) -> None:
    diagnostic = Diagnostic(1, column, Severity.ERROR, "no")
    compiled = Compiled(False, "", (), (diagnostic,), "", 0.1)
    rows = details(replace(BASE, verdict=Verdict.COMPILE_ERROR, compiled=compiled), LONG, width).plain
    line, caret = rows.splitlines()[2:4]
    at = caret.index("^")
    assert line[at] == LONG[column - 1]
    assert len(line) <= width and "…" in line


def test_what_goes_on_below_a_hazard_stands_below_its_text() -> None:
    message = "thread (1, 0, 0) of block (0, 0, 0) reads s[1] that thread (2, 0, 0) wrote at line 3"
    hazard = Hazard(HazardKind.SHARED_RACE, 1, "k", (0, 0, 0), (1, 0, 0), "s[1]", message)
    rows = details(replace(BASE, hazards=(hazard,)), LONG, 60).plain.splitlines()
    first = next(i for i, row in enumerate(rows) if "shared race" in row)
    assert rows[first + 1].startswith("    ") and rows[first + 1][4] != " "
    assert all(len(row) <= 60 for row in rows)


def test_a_finding_without_a_place_in_memory_ends_with_its_thread() -> None:
    hazard = Hazard(HazardKind.RUNAWAY, 1, "k", (0, 0, 0), (1, 0, 0), "", "k is still running")
    assert (
        "    block (0, 0, 0), thread (1, 0, 0)\n" in details(replace(BASE, hazards=(hazard,)), LONG, 80).plain
    )


def test_text_of_two_cells_a_character_is_cut_and_hung_by_cells() -> None:
    row = assemble("  ", ("✗ ", "$text-error"), "读写" * 20)
    assert max(part.cell_length for part in hung(row, 30, 4).split("\n")) <= 30
    shown, at = cut(assemble("读写" * 20), 30, 3)
    assert shown.cell_length <= 30 and shown.plain[at] == "写"


def test_long_options_and_what_is_said_of_them_go_on_below_their_text(services: Services) -> None:
    long = Option({"en": "word " * 30}, True, {"en": "because " * 20})

    async def scenario(pilot: Pilot[int]) -> None:
        app: Any = pilot.app
        await ask(pilot, drawn(Form.MULTIPLE, long, long, solution=(0, 1)))
        await until(pilot, lambda: text_of(app).count("[ ] ") == 2)
        assert text_of(app).count(f"\n{' ' * 11}word word") == 4
        await pilot.press("a", "b", "enter")
        await until(pilot, lambda: "✓ a  because" in text_of(app))
        assert f"\n{' ' * 8}because because" in text_of(app)

    drive(services, scenario)
