"""What an interview is made of, as YAML says it: blueprints/<id>.yaml of any bank.

    title, about             texts
    movement                 "section": one section after the other; "free": all questions at any time
    sections                 each with title, minutes, weight, questions, and optional: true where leaving
                             it out costs nothing
    questions                each draws `count` from kinds, topics and levels, or from the listed ids

Every mistake is a ContentError with file and line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from trainer.bank.model import LEVELS, Kind, Text
from trainer.bank.roots import Root
from trainer.bank.source import Value, nearest, place_of, read
from trainer.errors import ContentError, UsageError


class Run(StrEnum):
    """What may be done with a kernel before it is handed in."""

    NONE = "none"
    COMPILE = "compile"
    GRADE = "grade"


class Movement(StrEnum):
    SECTION = "section"
    FREE = "free"


@dataclass(frozen=True)
class Draw:
    """`count` questions to draw. Empty tuples leave open what they would restrict. `points` weighs each
    against the others of its section, `minutes` is planned for each (None: by its kind). Of kernels:
    `run`, the `stages` they are handed in for one after the other, and whether the `best` run counts
    instead of the last file."""

    count: int
    kinds: tuple[Kind, ...]
    topics: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    points: float = 1.0
    minutes: float | None = None
    run: Run = Run.GRADE
    best: bool = False
    stages: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Section:
    title: Text
    minutes: float
    weight: float
    draws: tuple[Draw, ...]
    optional: bool = False


@dataclass(frozen=True)
class Blueprint:
    id: str
    title: Text
    about: Text
    movement: Movement
    sections: tuple[Section, ...]
    path: Path

    @property
    def minutes(self) -> float:
        return sum(section.minutes for section in self.sections)


_DRAW = ("count", "kinds", "topics", "levels", "ids", "points", "minutes", "run", "best", "stages")


def blueprint_files(roots: Iterable[Root]) -> dict[str, Path]:
    """Every blueprint by its id; of two of the same id the first bank's."""
    found: dict[str, Path] = {}
    for root in roots:
        for path in sorted(root.blueprints.glob("*.yaml")):
            found.setdefault(path.stem, path)
    return found


def find_blueprint(roots: Sequence[Root], blueprint_id: str) -> Blueprint:
    """Raises UsageError for an unknown id and ContentError for a broken file."""
    files = blueprint_files(roots)
    if blueprint_id not in files:
        raise UsageError(f"there is no interview {blueprint_id!r}", hint=nearest(blueprint_id, files))
    return load_blueprint(files[blueprint_id])


def load_blueprints(roots: Sequence[Root]) -> tuple[tuple[Blueprint, ...], tuple[ContentError, ...]]:
    """Those that can be used, shortest first, and what is wrong with the others."""
    good: list[Blueprint] = []
    problems: list[ContentError] = []
    for path in blueprint_files(roots).values():
        try:
            good.append(load_blueprint(path))
        except ContentError as problem:
            problems.append(problem)
    return tuple(sorted(good, key=lambda b: (b.minutes, b.id))), tuple(problems)


def load_blueprint(path: Path) -> Blueprint:
    """Raises ContentError."""
    needed = ("title", "about", "sections")
    fields = read(path).fields((*needed, "movement"), required=needed)
    sections = tuple(_section(value) for value in fields["sections"].items())
    if not sections:
        fields["sections"].fail("should have at least one section")
    movement = fields["movement"].choice(list(Movement)) if "movement" in fields else Movement.SECTION
    return Blueprint(
        id=path.stem,
        title=fields["title"].text(),
        about=fields["about"].text(),
        movement=Movement(movement),
        sections=sections,
        path=path,
    )


def _section(value: Value) -> Section:
    needed = ("title", "minutes", "weight", "questions")
    fields = value.fields((*needed, "optional"), required=needed)
    draws = tuple(_draw(item) for item in fields["questions"].items())
    if not draws:
        fields["questions"].fail("should have at least one question")
    return Section(
        title=fields["title"].text(),
        minutes=_positive(fields["minutes"]),
        weight=_positive(fields["weight"]),
        draws=draws,
        optional="optional" in fields and fields["optional"].boolean(),
    )


def _draw(value: Value) -> Draw:
    fields = value.fields(_DRAW)
    if "ids" not in fields and "kinds" not in fields:
        value.fail("'kinds' or 'ids' is missing", "Say what to draw: kinds: [quiz], or ids: [reduction].")
    for key in ("kinds", "topics", "levels"):
        if "ids" in fields and key in fields:
            fields[key].fail("does not go with 'ids'")
    ids = _words(fields["ids"]) if "ids" in fields else ()
    count = fields["count"].integer() if "count" in fields else 1
    if count < 1 or (ids and count > len(ids)):
        fields["count"].fail(f"should be from 1{f' to {len(ids)}' if ids else ' on'}")
    kinds = tuple(Kind(v.choice(list(Kind))) for v in fields["kinds"].items()) if "kinds" in fields else ()
    return Draw(
        count=count,
        kinds=kinds,
        topics=_words(fields["topics"]) if "topics" in fields else (),
        levels=tuple(v.choice(LEVELS) for v in fields["levels"].items()) if "levels" in fields else (),
        ids=ids,
        points=_positive(fields["points"]) if "points" in fields else 1.0,
        minutes=_positive(fields["minutes"]) if "minutes" in fields else None,
        run=Run(fields["run"].choice(list(Run))) if "run" in fields else Run.GRADE,
        best="best" in fields and fields["best"].boolean(),
        stages=tuple(v.text() for v in fields["stages"].items()) if "stages" in fields else (),
    )


def _words(value: Value) -> tuple[str, ...]:
    words = tuple(item.string() for item in value.items())
    if not words:
        value.fail("should not be empty")
    return words


def _positive(value: Value) -> float:
    number = value.number()
    if not 0 < number < 1e4:
        value.fail("should be above 0 and below 10,000")
    return number


def unknown_names(blueprint: Blueprint, ids: Iterable[str], topics: Iterable[str]) -> list[ContentError]:
    """What the blueprint draws from and no bank has."""
    known_ids, known_topics = set(ids), set(topics)
    problems = []
    for draw in (draw for section in blueprint.sections for draw in section.draws):
        wrong = [("question", i, known_ids) for i in draw.ids if i not in known_ids]
        wrong += [("topic", t, known_topics) for t in draw.topics if t not in known_topics]
        for what, name, known in wrong:
            message = f"there is no {what} {name!r}"
            where = place_of(name, blueprint.path)
            problems.append(ContentError(message, where=where, hint=nearest(name, known)))
    return problems
