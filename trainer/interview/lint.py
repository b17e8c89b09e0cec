"""Proof that a blueprint can be drawn from its bank and the built-in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from trainer.bank.finding import Finding, Severity
from trainer.bank.model import Entry
from trainer.bank.roots import Root
from trainer.errors import ContentError, Location
from trainer.interview.blueprint import blueprint_files, load_blueprint, unknown_names
from trainer.interview.plan import draw_plan


def lint_blueprints(root: Root, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Everything wrong with the blueprints of one bank; `entries` of all banks."""
    for path in blueprint_files([root]).values():
        yield from lint_blueprint(path, entries)


def lint_blueprint(path: Path, entries: Sequence[Entry]) -> Iterator[Finding]:
    try:
        blueprint = load_blueprint(path)
        problems = unknown_names(blueprint, {e.id for e in entries}, {e.topic for e in entries})
        if not problems:
            draw_plan(blueprint, entries, seed=0, now=datetime.now(UTC), last_seen={})
    except ContentError as broken:
        problems = [broken]
    for problem in problems:
        yield Finding(problem.where or Location(path), Severity.ERROR, problem.message, problem.hint)
