"""Programs on the other side of a terminal.

Not by `pty.fork`: this process may have mapped more memory than the system lets a copy of it have.
"""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Mapping, Sequence


def start_in_terminal(
    command: Sequence[str], environment: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], int]:
    """The process, and the descriptor of its terminal: what it shows is read there, keys are written."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    return process, ours
