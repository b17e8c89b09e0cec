"""Where things lie: history and crash reports in the data folder, the user's files in the workspace."""

from __future__ import annotations

import os
from pathlib import Path

from trainer.errors import UsageError


def data_dir() -> Path:
    """$WARPDOJO_HOME, else $XDG_DATA_HOME/warpdojo, else ~/.local/share/warpdojo; not created here."""
    own = os.environ.get("WARPDOJO_HOME")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else _home() / ".local" / "share") / "warpdojo"


def cache_dir() -> Path:
    """$XDG_CACHE_HOME/warpdojo, else ~/.cache/warpdojo: what can be made again (measured ceilings)."""
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else _home() / ".cache") / "warpdojo"


def config_file() -> Path:
    """config.toml in $WARPDOJO_HOME, else in $XDG_CONFIG_HOME/warpdojo, else in ~/.config/warpdojo."""
    own = os.environ.get("WARPDOJO_HOME")
    if own:
        return Path(own).expanduser() / "config.toml"
    shared = os.environ.get("XDG_CONFIG_HOME")
    return (Path(shared) if shared else _home() / ".config") / "warpdojo" / "config.toml"


def workspace_dir() -> Path:
    """$WARPDOJO_WORKSPACE, else ~/warpdojo: where `start` puts starters."""
    own = os.environ.get("WARPDOJO_WORKSPACE")
    return Path(own).expanduser() if own else _home() / "warpdojo"


def unwritable(folder: Path) -> str:
    """Why nothing can be written to the folder, or to the one it would be made in; "" where it can be."""
    from tempfile import mkdtemp  # not for every command

    place = folder
    try:
        while not place.exists() and place.parent != place:
            place = place.parent
        if not place.is_dir():
            return f"{place} is a file, not a folder"
        os.rmdir(mkdtemp(dir=place))  # rights alone do not tell: /proc gives root all of them
        return ""
    except OSError as problem:
        return f"{folder} cannot be written: {problem.strerror}"
    except ValueError as problem:
        return f"{folder} cannot be: {problem}"


def history_file() -> Path:
    return data_dir() / "history.sqlite3"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as problem:
        raise UsageError(
            "there is no home folder to keep the history in", hint="set WARPDOJO_HOME to a folder"
        ) from problem
