"""`warpdojo mock` where nobody can type: lists, what would be asked, and reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.interview.steps import Watch
from tests.interview.test_report import sit
from trainer.store.interviews import InterviewLog

Run = Any


def test_the_list_has_all_interviews_and_those_that_were(warpdojo: Run) -> None:
    with InterviewLog.open() as log:
        interview = sit(log, Watch())
    ran = warpdojo("mock", "--list", "--json")
    assert {b["id"] for b in ran.json["blueprints"]} == {
        "written-exam", "phone-screen", "kernel-onsite", "performance-reasoning", "first-round", "take-home",
    }  # fmt: skip
    assert [(i["id"], i["phase"], i["total"]) for i in ran.json["interviews"]] == [(interview, "done", 73.8)]
    told = warpdojo("mock", "--list")
    assert "written-exam" in told.out and "73.8 of 100" in told.out


def test_without_a_terminal_it_says_what_would_be_asked_and_makes_no_history(
    warpdojo: Run, own_home: Path
) -> None:
    ran = warpdojo("mock", "written-exam", "--minutes", 30, "--seed", 4)
    assert ran.code == 0 and "Concepts: 9 min, weight 30" in ran.out and "needs a terminal" in ran.err
    data = warpdojo("mock", "written-exam", "--minutes", 30, "--seed", 4, "--practice", "--json").json
    assert data["minutes"] == 30 and data["strict"] is False and len(data["sections"]) == 3
    assert data == warpdojo("mock", "written-exam", "--minutes", 30, "--seed", 4, "--practice", "--json").json
    assert not (own_home / "data" / "warpdojo").exists()
    assert "phone-screen" in warpdojo("mock").out


def test_the_report_is_text_markdown_or_json(warpdojo: Run) -> None:
    with InterviewLog.open() as log:
        interview = sit(log, Watch())
    assert "73.8 of 100" in warpdojo("mock", "--report").out
    assert warpdojo("mock", "--report", interview, "--format", "md").out.startswith("# Test: 73.8 of 100\n")
    assert warpdojo("mock", "--report", "--json").json["total"] == 73.8


def test_mistakes_are_explained(warpdojo: Run) -> None:
    for words, told in [
        (("mock", "writen-exam"), "did you mean 'written-exam'"),
        (("mock", "written-exam", "--minutes", 2), "from 5 to 1000"),
        (("mock", "--report"), "no interview"),
        (("mock", "--report", "20200101-000000-0000"), "no interview"),
    ]:
        ran = warpdojo(*words)
        assert ran.code == 2 and told in ran.err


def test_check_finds_what_is_wrong_with_a_blueprint(warpdojo: Run, tmp_path: Path) -> None:
    (tmp_path / "questions").mkdir()
    (tmp_path / "blueprints").mkdir()
    path = tmp_path / "blueprints" / "mine.yaml"
    section = "{title: A, minutes: 5, weight: 1, questions: [{ids: [reductoin]}]}"
    path.write_text(f"title: Mine\nabout: Mine.\nsections:\n  - {section}\n")
    for where in (path, tmp_path):
        ran = warpdojo("check", where)
        assert ran.code == 2 and "there is no question 'reductoin'" in ran.out
    path.write_text(path.read_text().replace("reductoin", "reduction"))
    assert warpdojo("check", path).code == 0
