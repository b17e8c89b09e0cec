"""Settings in a file that people can edit: TOML, with their comments left as they are.

[settings]
theme = "dojo-dark"

[keys]
"task.grade" = "f5"
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from trainer.errors import Location, UsageError
from trainer.store.paths import config_file

BACKENDS = ("auto", "gpu", "sim")
LANGUAGES = ("", "en", "zh")


@dataclass(frozen=True)
class Config:
    """What a user can choose. "" means: what the system says."""

    theme: str = "dojo-dark"
    editor: str = ""
    """Command that opens a file, e.g. "code --wait"; else $VISUAL, else $EDITOR."""
    backend: str = "auto"
    """Where to grade: "auto", "gpu" or "sim"."""
    device: str = "H200"
    """The GPU that the simulator models."""
    workspace: str = ""
    """Folder of your files; else $WARPDOJO_WORKSPACE, else ~/warpdojo."""
    language: str = ""
    """"en" or "zh"; else what the locale says."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Other keys for actions, by the id that the help screen shows."""


SETTINGS = tuple(f.name for f in fields(Config) if f.name != "keys")
_TABLES = ("settings", "keys")
_CHOICES = {"backend": BACKENDS, "language": LANGUAGES}
_HEADER = "# Warp Dojo. Change what you like; the settings screen changes single lines.\n\n"
_MOST_MISTAKES = 20
"""Lines that are no TOML, after which the rest is not looked at."""
_HEAD = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_ENTRY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*=""")


@dataclass(frozen=True)
class Mistake:
    """One wrong entry, for which its default holds. `name`: of the setting or action, "" for none."""

    name: str
    problem: UsageError

    @property
    def short(self) -> str:
        """In one line, where the file is known."""
        line = self.problem.where.line if self.problem.where else None
        place = f"line {line}: " if line else ""
        return f"{place}{self.problem.message}; {self.problem.hint}".removesuffix("; ")

    def __str__(self) -> str:
        return str(self.problem)


@dataclass(frozen=True)
class Reading:
    """What the file says: every sound entry is in `config`, every other one a mistake."""

    config: Config
    mistakes: tuple[Mistake, ...] = ()
    places: Mapping[str, Location] = field(default_factory=dict)
    """Where settings and actions stand, by name."""

    def mistake(self, name: str, message: str, hint: str = "") -> Mistake:
        """About an entry that reads well but means nothing: only the app knows its themes and keys."""
        return Mistake(name, UsageError(message, where=self.places.get(name), hint=hint))


def read_config(path: Path | None = None) -> Reading:
    """The settings, entry by entry; the defaults where there is no file or none that can be read."""
    path = path or config_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Reading(Config())
    except (OSError, UnicodeDecodeError) as problem:
        told = UsageError(f"the settings cannot be read: {problem}", where=Location(path))
        return Reading(Config(), (Mistake("", told),))
    tables, mistakes = _tables(text, path)
    reading = Reading(Config(), tuple(mistakes), _places(text, path))
    return _checked(tables, reading)


def _tables(text: str, path: Path) -> tuple[dict[str, object], list[Mistake]]:
    """What the file holds without the lines that are no TOML: a missing quote costs one line, not all."""
    import tomllib  # only where there is a file

    rows, mistakes = text.split("\n"), list[Mistake]()
    while True:
        try:
            return tomllib.loads("\n".join(rows)), mistakes
        except tomllib.TOMLDecodeError as problem:
            at = re.search(r"line (\d+)", str(problem))
            line = int(at[1]) if at else max((n for n, row in enumerate(rows, 1) if row.strip()), default=1)
            bad = rows[line - 1].strip()
            entry = _ENTRY.match(bad)
            hint = 'texts stand in quotes: name = "value"' if entry else "tables are [settings] and [keys]"
            told = UsageError(f"this is not valid TOML: {bad}", where=Location(path, line), hint=hint)
            mistakes.append(Mistake(_name(entry) if entry else "", told))
            rows[line - 1] = ""
            if not bad or len(mistakes) == _MOST_MISTAKES:
                return {}, mistakes


def _name(entry: re.Match[str]) -> str:
    return entry[1] or entry[2] or entry[3] or ""


def _places(text: str, path: Path) -> dict[str, Location]:
    """Where each entry stands: the library does not tell."""
    places: dict[str, Location] = {}
    for line, row in enumerate(text.splitlines(), 1):
        head, entry = _HEAD.match(row), _ENTRY.match(row)
        if head or entry:
            places.setdefault(head[1] if head else _name(entry) if entry else "", Location(path, line))
    return places


def _checked(tables: Mapping[str, object], reading: Reading) -> Reading:
    mistakes = list(reading.mistakes)
    settings: dict[str, str] = {}
    keys: dict[str, str] = {}
    for table, entries in tables.items():
        if table not in _TABLES or not isinstance(entries, dict):
            hint = "what can be set stands below [settings], keys below [keys]"
            mistakes.append(reading.mistake(table, f"{table} means nothing here", hint))
            continue
        for name, value in _flat(entries):
            problem = _problem(table, name, value)
            if problem is not None:
                mistakes.append(reading.mistake(name, *problem))
            else:
                (settings if table == "settings" else keys)[name] = str(value)
    mistakes.sort(key=lambda mistake: (mistake.problem.where and mistake.problem.where.line) or 0)
    return replace(reading, config=Config(**settings, keys=keys), mistakes=tuple(mistakes))


def _flat(entries: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Entries with their whole names: without quotes around it, task.grade is a table with a grade."""
    for name, value in entries.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def _problem(table: str, name: str, value: object) -> tuple[str, str] | None:
    """What is wrong with an entry, and what may stand there."""
    if table == "settings" and name not in SETTINGS:
        return f"there is no setting {name!r}", f"known: {', '.join(SETTINGS)}"
    if not isinstance(value, str):
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        return f"{name} is {shown}, not a text", f'texts stand in quotes: {name} = "..."'
    return setting_problem(name, value) if table == "settings" else None


def setting_problem(name: str, value: str) -> tuple[str, str] | None:
    """What is wrong with the value of a setting, and what is allowed; None for a sound one."""
    if name in _CHOICES and value not in _CHOICES[name]:
        allowed = ", ".join(f'"{choice}"' for choice in _CHOICES[name] if choice)
        return f'{name} is "{value}"', f"allowed: {allowed}"
    if name == "workspace":
        try:
            Path(value).expanduser()
        except RuntimeError:
            return f'workspace is "{value}", whose home folder is not known', "allowed: any folder"
    if name == "device":
        from trainer.sim.devices import find  # only where one is chosen

        try:
            find(value)
        except UsageError as problem:
            return f'device is "{value}", a GPU that is not modelled', problem.hint
    return None


def write_setting(name: str, value: str, path: Path | None = None) -> None:
    """Change one setting and nothing else in the file. Raises UsageError where it cannot be written."""
    path = path or config_file()
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else _HEADER
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, _with_setting(text, name, value))
    except OSError as problem:
        message = f"the settings cannot be written: {problem.strerror or problem}"
        raise UsageError(message, where=Location(path)) from problem


def _with_setting(text: str, name: str, value: str) -> str:
    escaped = "".join(f"\\{c}" if c in '"\\' else c for c in value if c.isprintable())
    line = f'{name} = "{escaped}"\n'
    head = re.search(r"^\[settings\][^\n]*(\n|\Z)", text, re.MULTILINE)
    if head is None:
        return f"{text.rstrip()}\n\n[settings]\n{line}".lstrip()
    end = re.compile(r"^\[", re.MULTILINE).search(text, head.end())
    stop = end.start() if end else len(text)
    body = text[head.end() : stop]
    old = re.compile(rf"^{name}[ \t]*=[^\n]*(\n|\Z)", re.MULTILINE)
    changed = old.sub(lambda _: line, body, count=1) if old.search(body) else line + body
    start = text[: head.end()]
    return (start if start.endswith("\n") else start + "\n") + changed + text[stop:]


def _replace(path: Path, text: str) -> None:
    """All or nothing, also when the disk is full or the process is killed."""
    import tempfile  # only to write

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".config-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
