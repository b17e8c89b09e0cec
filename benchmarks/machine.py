"""What a benchmark ran on, for the head of its table and the name of its file."""

from __future__ import annotations

import os
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from trainer.gpu.probe import probe


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def cpu() -> str:
    """e.g. "2 cores of an AMD EPYC 7B13"."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return f"{os.cpu_count()} cores of {match.group(1) if match else platform.machine()}"


def gpu() -> str:
    """Its name and driver, or "no GPU"."""
    found = probe()
    if not found.usable:
        return "no GPU"
    cuda = "{}.{}".format(*found.cuda_version) if found.cuda_version else "?"
    return f"{found.name}, driver {found.driver_version or '?'} (CUDA {cuda})"


def slug() -> str:
    """For file names: "nvidia-h200" or "2-cores"."""
    name = probe().name if probe().usable else f"{os.cpu_count()}-cores"
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def heading(title: str) -> str:
    command = "python -m " + " ".join(["benchmarks." + Path(sys.argv[0]).stem, *sys.argv[1:]])
    return (
        f"# {title}\n\n"
        f"{today()} · {cpu()} · {gpu()} · Python {platform.python_version()}\n\n"
        f"Command: `{command}`\n"
    )
