"""Answers in the many styles that people write them in, each with the verdict it deserves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.grade.grader import grade
from trainer.grade.options import Options
from trainer.grade.submission import read_submission
from trainer.sim.backend import SimBackend

LIBRARY = Library.open(environ={})
SUBMISSIONS = Path(__file__).parent.parent / "submissions"
FILES = sorted(SUBMISSIONS.glob("*/*.cu"))
OPTIONS = Options(seed=1, speed=False, explain=False)


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    simulator = SimBackend()
    yield simulator
    simulator.close()


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_submission_gets_the_verdict_that_its_first_line_names(file: Path, backend: SimBackend) -> None:
    source = read_submission(file)
    expected = re.match(r"\ufeff?// .+ -> (\w+)\r?\n", source)
    assert expected, f"{file.name} does not say what it expects"
    result = grade(LIBRARY.question(file.parent.name), source, backend, options=OPTIONS)
    assert result.verdict.value == expected[1], result.message
