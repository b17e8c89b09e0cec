"""Blueprints as files, and what is drawn from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.interview.steps import entry
from trainer.bank.library import Library
from trainer.bank.model import Kind
from trainer.bank.roots import Root
from trainer.errors import ContentError, UsageError
from trainer.interview.blueprint import (
    Blueprint,
    Movement,
    find_blueprint,
    load_blueprint,
    load_blueprints,
    unknown_names,
)
from trainer.interview.lint import lint_blueprints
from trainer.interview.plan import draw_plan

NOW = datetime(2026, 11, 29, tzinfo=UTC)
GOOD = """\
title: Mine
about: Short.
movement: free
sections:
  - title: Concepts
    minutes: 20
    weight: 30
    questions:
      - {count: 4, kinds: [quiz]}
  - title: Kernel
    minutes: 20
    weight: 70
    optional: true
    questions:
      - {ids: [kernel-a], run: compile, stages: [first, second], best: true, points: 2}
"""
ENTRIES = [entry(f"quiz-{i}", topic=f"topic-{i % 4}") for i in range(12)]
ENTRIES += [entry("kernel-a", Kind.KERNEL), entry("kernel-b", Kind.KERNEL)]


def blueprint(folder: Path, text: str = GOOD) -> Blueprint:
    path = folder / "mine.yaml"
    path.write_text(text)
    return load_blueprint(path)


def test_all_built_in_interviews_can_be_drawn_at_any_length() -> None:
    library = Library.open()
    blueprints, problems = load_blueprints(library.roots)
    assert len(blueprints) >= 6 and not problems
    entries = library.index.entries
    for one in blueprints:
        assert unknown_names(one, {e.id for e in entries}, {e.topic for e in entries}) == []
        for minutes in (None, 20, 240):
            plan = draw_plan(one, entries, seed=5, now=NOW, last_seen={}, minutes=minutes)
            assert plan.minutes == pytest.approx(minutes or one.minutes)
            assert all(section.asked for section in plan.sections)


def test_a_user_may_add_interviews(tmp_path: Path) -> None:
    (tmp_path / "blueprints").mkdir()
    blueprint(tmp_path / "blueprints")
    roots = (*Library.open().roots, Root(tmp_path))
    mine = find_blueprint(roots, "mine")
    assert mine.movement is Movement.FREE and mine.minutes == 40 and mine.sections[1].optional
    with pytest.raises(UsageError, match="there is no interview 'mien'") as problem:
        find_blueprint(roots, "mien")
    assert "mine" in str(problem.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("movement", "movment", 3, "did you mean 'movement'"),
        ("minutes: 20\n    weight: 30", "minutes: -1\n    weight: 30", 6, "above 0"),
        ("[quiz]", "[quizz]", 9, "did you mean 'quiz'"),
        ("{count: 4, kinds: [quiz]}", "{count: 4}", 9, "'kinds' or 'ids'"),
        ("run: compile", "run: fast", 15, "'fast' is not known"),
        ("ids: [kernel-a]", "ids: [kernel-a], count: 2", 15, "from 1 to 1"),
        ("    weight: 30\n", "", 5, "'weight' is missing"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(ContentError, match=words) as problem:
        blueprint(tmp_path, GOOD.replace(old, new))
    assert problem.value.where is not None and problem.value.where.line == line


def test_names_that_no_bank_has_are_found(tmp_path: Path) -> None:
    (problem,) = unknown_names(blueprint(tmp_path), ["kernel-b"], [])
    assert "'kernel-a'" in str(problem) and "kernel-b" in str(problem)


def test_one_seed_draws_the_same_again_and_another_something_else(tmp_path: Path) -> None:
    mine = blueprint(tmp_path)

    def drawn(seed: int) -> list[str]:
        plan = draw_plan(mine, ENTRIES, seed=seed, now=NOW, last_seen={})
        return [asked.question for asked in plan.asked]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(5)}) > 1


def test_what_was_not_seen_lately_comes_first_and_topics_differ(tmp_path: Path) -> None:
    seen = {f"quiz-{i}": NOW - timedelta(days=1) for i in range(4)}
    seen |= {f"quiz-{i}": NOW - timedelta(days=90) for i in range(4, 9)}
    plan = draw_plan(blueprint(tmp_path), ENTRIES, seed=3, now=NOW, last_seen=seen)
    asked = plan.sections[0].asked
    assert {"quiz-9", "quiz-10", "quiz-11"} < {a.question for a in asked}
    assert len({a.topic for a in asked}) == 4


def test_a_shorter_interview_asks_less_but_keeps_every_section(tmp_path: Path) -> None:
    plan = draw_plan(blueprint(tmp_path), ENTRIES, seed=3, now=NOW, last_seen={}, minutes=10)
    assert [len(section.asked) for section in plan.sections] == [1, 1]
    assert plan.minutes == 10 and sum(a.minutes for a in plan.asked) == pytest.approx(10)
    with pytest.raises(UsageError, match="from 5 to 1000"):
        draw_plan(blueprint(tmp_path), ENTRIES, seed=3, now=NOW, last_seen={}, minutes=2)


def test_a_bank_that_lacks_what_is_to_be_drawn_is_told(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="kernel-a"):
        draw_plan(blueprint(tmp_path), ENTRIES[:12], seed=3, now=NOW, last_seen={})


def lint(folder: Path, name: str = "mine.yaml", text: str = GOOD) -> list[str]:
    (folder / "blueprints").mkdir()
    (folder / "blueprints" / name).write_text(text)
    return [f"{f.where.line}: {f.message}" for f in lint_blueprints(Root(folder), ENTRIES)]


def test_an_interview_that_asks_for_more_than_there_is_gets_a_warning(tmp_path: Path) -> None:
    told = lint(tmp_path, text=GOOD.replace("count: 4", "count: 40"))
    assert told == ["5: the section 'Concepts' asks for 40 questions; there are 12"]


def test_a_name_that_no_bank_has_is_told_at_its_line(tmp_path: Path) -> None:
    assert lint(tmp_path, text=GOOD.replace("kernel-a", "kernel-c")) == [
        "15: there is no question 'kernel-c'"
    ]


def test_an_interview_that_would_never_be_found_is_told(tmp_path: Path) -> None:
    assert lint(tmp_path, "phone-screen.yaml")[0].startswith("None: there is a built-in interview")


def test_an_interview_with_another_ending_is_told(tmp_path: Path) -> None:
    assert lint(tmp_path, "mine.yml") == ["None: is not read, because of its ending"]
