from __future__ import annotations

import functools
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from trainer.cli import grading, main
from trainer.worker import client
from trainer.worker.limits import DEFAULT_LIMITS


def processes_with(mark: str) -> list[str]:
    """Command lines of all processes, however far removed, that inherited `mark` in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue  # gone meanwhile, or a zombie without an environment
    return found


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """After the test no process that carries the mark is left, and no temporary file."""
    value = f"mark-{uuid.uuid4()}"
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("WARPDOJO_TEST_MARK", value)
    monkeypatch.setenv("TMPDIR", str(temporary))
    yield value
    end = time.monotonic() + 3
    while processes_with(value) and time.monotonic() < end:
        time.sleep(0.05)
    assert processes_with(value) == []
    assert list(temporary.iterdir()) == []


@dataclass(frozen=True)
class Graded:
    code: int
    json: dict[str, Any]
    err: str


@pytest.fixture
def grade(
    mark: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Graded]:
    """`warpdojo grade ... --json --backend sim` (or gpu) with short limits, through a real worker."""
    limits = replace(DEFAULT_LIMITS, compile_s=5.0, run_grace_s=2.0)
    monkeypatch.setattr(client, "RemoteBackend", functools.partial(client.RemoteBackend, limits=limits))
    real = grading.options_of

    def run(
        source: str | bytes, task: str = "relu", backend: str = "sim", budget_s: float = 2.0
    ) -> Graded:
        monkeypatch.setattr(grading, "options_of", lambda args: replace(real(args), run_budget_s=budget_s))
        path = tmp_path / "submission.cu"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        capsys.readouterr()
        code = main(["grade", task, str(path), "--json", "--backend", backend])
        captured = capsys.readouterr()
        return Graded(code, json.loads(captured.out), captured.err)

    return run
