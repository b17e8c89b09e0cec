"""The list of questions, quickly: only the head of each file is parsed, and no oracle is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.bank.head_cache import HeadCache
from trainer.bank.model import LEVELS, Entry, Kind
from trainer.bank.roots import Root
from trainer.errors import ContentError, Location

if TYPE_CHECKING:
    from trainer.bank.source import Value

_HEAD = ("kind", "level", "title")
# The start of the first line that begins a top-level key which is not in _HEAD.
_FIRST_OTHER_KEY = re.compile(r"^(?!kind:|level:|title:|[\s#]|$)", re.MULTILINE)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Index:
    """Every question that can be listed, by topic and level, and what is wrong with the others."""

    entries: tuple[Entry, ...]
    problems: tuple[ContentError, ...]


def load_index(roots: Iterable[Root], cache: Path | None = None) -> Index:
    """All questions of all banks. A broken file becomes a problem and hides nothing else. `cache` is a
    file that remembers heads from one start to the next."""
    entries: dict[str, Entry] = {}
    heads = HeadCache(cache)
    roots = tuple(roots)
    problems = [_misplaced(path) for root in roots for path in _stray_files(root)]
    for path in (path for root in roots for path in question_files(root)):
        try:
            entry = heads.entry(path) or _read_and_keep(path, heads)
        except ContentError as problem:
            problems.append(problem)
            continue
        first = entries.setdefault(entry.id, entry)
        if first is not entry:
            message = f"there is already a question {entry.id!r}, in {first.path}"
            problems.append(ContentError(message, where=Location(path), hint="Rename one of the two files."))
    heads.save()
    ordered = sorted(entries.values(), key=lambda e: (e.topic, LEVELS.index(e.level), e.id))
    return Index(tuple(ordered), tuple(problems))


def _read_and_keep(path: Path, heads: HeadCache) -> Entry:
    entry = read_entry(path)
    heads.add(entry)
    return entry


def question_files(root: Root) -> list[Path]:
    """The question files of one bank, in a fixed order."""
    other = root.followups
    return sorted(path for path in root.questions.glob("*/*.yaml") if path.parent != other)


def followup_files(root: Root) -> list[Path]:
    """The files of one bank that hold follow-ups to kernel tasks."""
    return sorted(root.followups.glob("*.yaml"))


def _stray_files(root: Root) -> list[Path]:
    """Files that look like questions and lie or end where none is looked for."""
    patterns = ("*.yaml", "*.yml", "*/*.yml", "*/*/*.yaml")
    return sorted(path for pattern in patterns for path in root.questions.glob(pattern))


def _misplaced(path: Path) -> ContentError:
    hint = "Questions are files questions/<topic>/<id>.yaml."
    return ContentError("is not read, because of its place or ending", where=Location(path), hint=hint)


def read_entry(path: Path) -> Entry:
    """Id and topic from the file's place, the rest from its head. Raises ContentError."""
    for part, name in (("topic", path.parent.name), ("id", path.stem)):
        if not _NAME.fullmatch(name):
            hint = "Use lower-case letters, digits and single hyphens."
            message = f"{name!r} cannot be the {part} of a question"
            raise ContentError(message, where=Location(path), hint=hint)
    head = _read_head(path)
    return Entry(
        id=path.stem,
        kind=Kind(head["kind"].choice(list(Kind))),
        topic=path.parent.name,
        level=head["level"].choice(LEVELS),
        title=head["title"].text(),
        path=path,
    )


def _read_head(path: Path) -> dict[str, Value]:
    """The values of the head keys; the rest of the file is only parsed if they do not come first."""
    from trainer.bank.source import compose, read_text  # with YAML: 20 ms, for files not seen before

    text = read_text(path)
    end = _FIRST_OTHER_KEY.search(text)
    if end and all(re.search(rf"^{key}:", text[: end.start()], re.MULTILINE) for key in _HEAD):
        text = text[: end.start()]
    return compose(text, path).fields(required=_HEAD)
