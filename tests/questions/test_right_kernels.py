"""Correct kernels in unusual dress are accepted: no task and no tolerance may demand a style."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.grade.grader import Options, grade
from trainer.grade.verdict import Verdict
from trainer.sim.backend import SimBackend

LIBRARY = Library.open(environ={})
KERNELS = sorted((Path(__file__).parent.parent / "right").glob("*/*.cu"))


@pytest.mark.parametrize("source", KERNELS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_right_kernel_is_accepted(source: Path) -> None:
    backend = SimBackend()
    try:
        question = LIBRARY.question(source.parent.name)
        result = grade(
            question, source.read_text(), backend, options=Options(seed=3, speed=False, explain=False)
        )
    finally:
        backend.close()
    assert result.verdict is Verdict.ACCEPTED, result.message
