"""Proof that a blueprint can be drawn from its bank and the built-in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from trainer.bank.finding import Finding, Severity
from trainer.bank.model import Entry
from trainer.bank.roots import Root, built_in
from trainer.bank.source import place_of
from trainer.errors import ContentError, Location
from trainer.interview.blueprint import Blueprint, blueprint_files, load_blueprint, unknown_names
from trainer.interview.plan import Plan, draw_plan


def lint_blueprints(root: Root, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Everything wrong with the blueprints of one bank; `entries` of all banks."""
    own = root.path == built_in().path
    there = {} if own else blueprint_files([built_in()])
    for name, path in blueprint_files([root]).items():
        if name in there:
            message = f"there is a built-in interview {name!r}, which hides this one"
            yield Finding(Location(path), Severity.ERROR, message, "Rename this one.")
        yield from lint_blueprint(path, entries)
    for path in sorted(root.blueprints.glob("*.yml")):
        hint = "Interviews are files blueprints/<id>.yaml."
        yield Finding(Location(path), Severity.ERROR, "is not read, because of its ending", hint)


def _too_few(blueprint: Blueprint, plan: Plan) -> Iterator[Finding]:
    for section, planned in zip(blueprint.sections, plan.sections, strict=True):
        wanted, found = sum(draw.count for draw in section.draws), len(planned.asked)
        if found < wanted:
            message = f"the section {section.title['en']!r} asks for {wanted} questions; there are {found}"
            hint = "Ask for fewer, or draw from more kinds."
            yield Finding(place_of(section.title["en"], blueprint.path), Severity.WARNING, message, hint)


def lint_blueprint(path: Path, entries: Sequence[Entry]) -> Iterator[Finding]:
    try:
        blueprint = load_blueprint(path)
        problems = unknown_names(blueprint, {e.id for e in entries}, {e.topic for e in entries})
        if not problems:
            plan = draw_plan(blueprint, entries, seed=0, now=datetime.now(UTC), last_seen={})
            yield from _too_few(blueprint, plan)
    except ContentError as broken:
        problems = [broken]
    for problem in problems:
        yield Finding(problem.where or Location(path), Severity.ERROR, problem.message, problem.hint)
