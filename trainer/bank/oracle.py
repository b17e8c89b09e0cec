"""A task's oracle: the Python file beside its YAML, imported when it is first needed.

Importing it brings in NumPy, which showing or listing a question does not need.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from trainer.bank.model import Oracle
from trainer.bank.source import read_text
from trainer.errors import ContentError, Location

_REQUIRED = ("reference", "inputs")


def lazy_oracle(path: Path, *, needs_terms: bool) -> Oracle:
    """The oracle in `path`; nothing is imported until one of its functions is called."""
    return Oracle(
        reference=_function(path, "reference"),
        inputs=_function(path, "inputs"),
        terms=_function(path, "terms") if needs_terms else None,
        mistakes=_function(path, "mistakes"),
    )


def load_module(path: Path, *, needs_terms: bool = False) -> ModuleType:
    """Import an oracle file. Raises ContentError if that fails or a function is missing."""
    module = load_file(path)
    for name in (*_REQUIRED, "terms") if needs_terms else _REQUIRED:
        if not callable(getattr(module, name, None)):
            why = ' (the tolerance is of kind "terms")' if name == "terms" else ""
            raise ContentError(f"has no function {name!r}{why}", where=Location(path))
    return module


def _function(path: Path, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        function = getattr(load_module(path, needs_terms=name == "terms"), name, None)
        if function is None:  # only `mistakes` is optional
            return {}
        return call_in(path, function, *args, **kwargs)

    return call


def call_in(path: Path, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function of a content file; what it raises becomes a ContentError at its line."""
    try:
        return function(*args, **kwargs)
    except ContentError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure(f"{function.__name__}() failed", error, path) from error


def load_file(path: Path) -> ModuleType:
    """Import a Python file of the content, once. Raises ContentError at the line that fails."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise ContentError(f"cannot be read: {error.strerror}", where=Location(path)) from error
    return _run(path, changed)


@lru_cache(maxsize=256)
def _run(path: Path, changed: int) -> ModuleType:
    """The module, run afresh when its file changed; compiled in memory, to leave no files in a bank."""
    module = ModuleType("warpdojo_oracle_" + path.stem.replace("-", "_"))
    module.__file__ = str(path)
    text = read_text(path)
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise _failure("cannot be imported", error, path) from error
    return module


def _failure(what: str, error: BaseException, path: Path) -> ContentError:
    """Names the last line of the oracle file that the error passed through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path]
    line = frames[-1].lineno if frames else None
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line = error.lineno
    message = f"{what}: {type(error).__name__}: {error}"
    return ContentError(message, where=Location(path, line))
