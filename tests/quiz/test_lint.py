"""Templates and follow-ups that an author got wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bank.small_bank import make_bank
from trainer.bank import time_limit
from trainer.bank.finding import Finding
from trainer.bank.lint import lint_file

HEAD = "kind: quiz\nlevel: easy\ntitle: {en: Bytes, zh: 字节}\nsource: derived\n"
TEMPLATE = """\
from trainer.quiz.build import Wrong, ask_number, text

def draw(rng):
    n = rng.randrange(1, 1000)
    return ask_number(
        rng, text(f"{n} floats?", f"{n} 个 float？"), 8.0 * n, text("bytes", "字节"),
        [Wrong(4.0 * n, text("Twice.", "两倍。")), Wrong(2.0 * n, text("No.", "不。")),
         Wrong(1.0 * n, text("Bytes.", "字节。"))],
        text("Eight.", "八。"),
    )
"""


def lint(folder: Path, template: str = TEMPLATE, more: str = "") -> list[Finding]:
    root = make_bank(folder, HEAD + more + "template: double.py\n", template)
    return list(lint_file(root, root.questions / "basics" / "double.yaml"))


def test_a_sound_template_has_no_findings(tmp_path: Path) -> None:
    assert lint(tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong", "told", "line"),
    [
        ('text("No.", "不。")', '"No."', "draw() gives 'No.' where texts by language belong", 3),
        ("    return ask", "    ask", "draw() should return a Quiz, not nothing", 3),
        ("rng.randrange", "__import__('random').randrange", "the same seed gives another question", None),
        ('text("No.", "不。")', '{"en": "No."}', "seed 0 and 49 more: a reason has no text in 'zh'", None),
    ],
)
def test_a_mistake_in_a_template_is_told_once_and_at_its_place(
    tmp_path: Path, right: str, wrong: str, told: str, line: int | None
) -> None:
    (finding,) = lint(tmp_path, TEMPLATE.replace(right, wrong))
    assert finding.message.startswith(told) and finding.where.line == line


def test_a_template_that_never_returns_is_told_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    (finding,) = lint(tmp_path, TEMPLATE.replace("    n =", "    while True: pass\n    n ="))
    assert finding.message == "draw() failed: TimeoutError: takes longer than 0.2 s"
    assert finding.where.line == 4


def test_a_slip_in_the_name_of_a_followup_is_told_at_its_line(tmp_path: Path) -> None:
    (finding,) = lint(tmp_path, more="followups: [overlaping-copies]\n")
    assert finding.where.line == 5 and finding.hint == "did you mean 'overlapping-copies'?"
