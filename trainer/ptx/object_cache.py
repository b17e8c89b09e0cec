"""Native code of the fixed routines, kept on disk: compiling them takes longer than many a kernel runs.

Nothing here may fail a run: a cache that cannot be read or written is no cache.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def folder() -> Path:
    """$XDG_CACHE_HOME/warpdojo/jit, else ~/.cache/warpdojo/jit."""
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "warpdojo" / "jit"


def key(text: str, *environment: object) -> str:
    """A name for the code that `text` compiles to with this compiler on this machine."""
    return hashlib.sha256("\0".join([text, *map(str, environment)]).encode()).hexdigest()[:40]


def load(name: str) -> bytes | None:
    """The object file, or None. A file that another version or a crash left broken is None too."""
    try:
        data = (folder() / f"{name}.o").read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    body, check = data[:-32], data[-32:]
    return body if hashlib.sha256(body).digest() == check else None


def store(name: str, data: bytes) -> None:
    """Keep an object file; readers never see half of one."""
    try:
        where = folder()
        where.mkdir(parents=True, exist_ok=True)
        partial = where / f"{name}.{os.getpid()}"
        partial.write_bytes(data + hashlib.sha256(data).digest())
        partial.replace(where / f"{name}.o")
    except (OSError, RuntimeError):
        return
