"""A bug of ours: kept in a file that can be sent, told in two lines."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from trainer import __version__
from trainer.errors import WarpDojoError
from trainer.store.paths import data_dir


def report(problem: BaseException) -> str:
    """Write the traceback to a file; what to tell the user. Never raises."""
    head = f"warpdojo: internal error: {type(problem).__name__}: {problem}"
    text = "".join(
        [
            f"Warp Dojo {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
            f"{' '.join(sys.argv)}\n\n",
            *traceback.format_exception(problem),
        ]
    )
    name = f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
    for folder in (_reports(), Path(tempfile.gettempdir())):
        if folder is None:
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="replace")
        except OSError:
            continue
        return f"{head}\n  This is a fault of Warp Dojo, not yours. Details are in {path}; please report it."
    return f"{head}\n  This is a fault of Warp Dojo, not yours; please report it."


def _reports() -> Path | None:
    try:
        return data_dir() / "crashes"
    except WarpDojoError:
        return None
