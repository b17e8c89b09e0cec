"""A task's oracle: the Python file beside its YAML, imported when it is first needed.

Importing it brings in NumPy, which showing or listing a question does not need.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from trainer.bank.model import Oracle
from trainer.bank.source import read_text
from trainer.errors import ContentError, Location

_REQUIRED = ("reference", "inputs")
_NUMBERS = "biuf"  # kinds of NumPy types that an array may have; those of bfloat16 have a name instead


def lazy_oracle(path: Path, *, needs_terms: bool) -> Oracle:
    """The oracle in `path`; nothing is imported until one of its functions is called."""
    return Oracle(
        reference=oracle_function(path, "reference"),
        inputs=oracle_function(path, "inputs"),
        terms=oracle_function(path, "terms") if needs_terms else None,
        mistakes=oracle_function(path, "mistakes"),
        where=lambda name: defined_at(path, getattr(load_module(path), name, None)),
    )


def load_module(path: Path, *, needs_terms: bool = False) -> ModuleType:
    """Import an oracle file. Raises ContentError if that fails or a function is missing."""
    module = load_file(path)
    for name in (*_REQUIRED, "terms") if needs_terms else _REQUIRED:
        if not callable(getattr(module, name, None)):
            why = ' (the tolerance is of kind "terms")' if name == "terms" else ""
            raise ContentError(f"has no function {name!r}{why}", where=Location(path))
    return module


def oracle_function(path: Path, name: str) -> Callable[..., Any]:
    """A function of the oracle in `path`: {} if there is none, ContentError for what nobody can compare."""

    def call(*args: Any, **kwargs: Any) -> Any:
        function = getattr(load_module(path, needs_terms=name == "terms"), name, None)
        if function is None:  # only `mistakes` is optional
            return {}
        result = call_in(path, function, *args, **kwargs)
        where = defined_at(path, function)
        if name == "inputs":
            return _inputs(result, where)
        if name != "mistakes":
            return _arrays(result, f"{name}()", where)
        mistakes = _mapping(result, "mistakes()", "{mistake: {output: array}}", where)
        return {m: _arrays(outputs, f"mistakes()[{m!r}]", where) for m, outputs in mistakes.items()}

    return call


def defined_at(path: Path, function: object) -> Location:
    """Where a function of a content file begins; the file alone if it comes from elsewhere."""
    code = getattr(function, "__code__", None)
    own = isinstance(code, CodeType) and code.co_filename == str(path)
    return Location(path, code.co_firstlineno if own and code else None)


def _mapping(result: Any, what: str, wanted: str, where: Location) -> Mapping[str, Any]:
    if not isinstance(result, Mapping):
        given = "nothing" if result is None else type(result).__name__
        raise ContentError(f"{what} gives {given}, not {wanted}", where=where)
    return result


def _inputs(result: Any, where: Location) -> dict[str, Any]:
    """Arrays and numbers by name, as they are."""
    import numpy as np

    inputs = dict(_mapping(result, "inputs()", "{argument: array or number}", where))
    for name, value in inputs.items():
        if not isinstance(value, np.ndarray | np.generic | int | float):
            message = f"inputs() gives {name!r} as {type(value).__name__}, not as NumPy array or number"
            raise ContentError(message, where=where)
    return inputs


def _arrays(result: Any, what: str, where: Location) -> dict[str, Any]:
    """Arrays of numbers by name; lists and numbers become arrays."""
    import numpy as np

    from trainer.bank.dtypes import is_float

    arrays = {}
    for name, value in _mapping(result, what, "{output: array}", where).items():
        try:
            arrays[name] = np.asarray(value)
        except ValueError as problem:
            raise ContentError(f"{what} gives no array for {name!r}: {problem}", where=where) from problem
        dtype = arrays[name].dtype
        if dtype.kind not in _NUMBERS and not is_float(dtype):
            raise ContentError(f"{what} gives {name!r} as {dtype}, not as real numbers", where=where)
    return arrays


def call_in(path: Path, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function of a content file; what it raises becomes a ContentError at its line."""
    try:
        return function(*args, **kwargs)
    except ContentError:
        raise
    except (Exception, SystemExit) as error:
        failure = _failure(f"{function.__name__}() failed", error, path)
        if failure.where is None or failure.where.line is None:  # it could not even be called
            failure.where = defined_at(path, function)
        raise failure from error


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
    module.__dict__["print"] = _print  # standard output belongs to the command
    text = read_text(path)
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise _failure("cannot be imported", error, path) from error
    return module


def _print(*args: Any, **kwargs: Any) -> None:
    print(*args, **{"file": sys.stderr, **kwargs})


def _failure(what: str, error: BaseException, path: Path) -> ContentError:
    """Names the last line of the oracle file that the error passed through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path]
    line = frames[-1].lineno if frames else None
    told = str(error)
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line, told = error.lineno, error.msg
    return ContentError(f"{what}: {type(error).__name__}: {told}", where=Location(path, line))
