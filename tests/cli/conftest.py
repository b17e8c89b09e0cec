from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from trainer.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as one JSON object, and nothing else beside it."""
        value = json.loads(self.out)
        assert isinstance(value, dict) and value["schema"] == 1
        return value


@pytest.fixture
def warpdojo(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command in this process."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as leaving:  # argparse
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
