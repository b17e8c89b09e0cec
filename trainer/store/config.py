"""Settings in a file that people can edit: TOML, with their comments left as they are.

    [settings]
    theme = "dojo-dark"

    [keys]
    "task.grade" = "f5"
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
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
_CHOICES = {"backend": BACKENDS, "language": LANGUAGES}
_HEADER = "# Warp Dojo. Change what you like; the settings screen changes single lines.\n\n"


def read_config(path: Path | None = None) -> Config:
    """The settings; the defaults where there is no file. Raises UsageError for a broken one."""
    path = path or config_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"the settings cannot be read: {problem}", where=Location(path)) from problem
    return _parse(text, path)


def _parse(text: str, path: Path) -> Config:
    import tomllib  # only where there is a file

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise UsageError(f"the settings are not valid TOML: {problem}", where=Location(path)) from problem
    _refuse_unknown(tables, ("settings", "keys"), path)
    settings, keys = tables.get("settings", {}), tables.get("keys", {})
    for table in (settings, keys):
        if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()):
            raise UsageError("settings and keys are texts in quotes", where=Location(path))
    _refuse_unknown(settings, SETTINGS, path)
    for name, choices in _CHOICES.items():
        if settings.get(name, choices[0]) not in choices:
            known = ", ".join(repr(choice) for choice in choices)
            raise UsageError(f"{name} is {settings[name]!r}, not one of {known}", where=Location(path))
    return Config(**settings, keys=keys)


def _refuse_unknown(table: Mapping[str, object], known: tuple[str, ...], path: Path) -> None:
    for name in table:
        if name not in known:
            hint = f"known here: {', '.join(known)}"
            raise UsageError(f"there is no setting {name!r}", where=Location(path), hint=hint)


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
