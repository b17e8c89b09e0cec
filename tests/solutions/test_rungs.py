"""The reference rungs as files: complete, readable, listed, and compiling without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.bank.model import Question, Rung

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
AT_LEAST = {"reduction": 6, "matrix-multiplication": 6, "matrix-transpose": 5}
TASKS = [e.id for e in Library.open(environ={}).index.entries if e.kind == "kernel"]


def ladder(task: str) -> tuple[Question, tuple[Rung, ...]]:
    library = Library.open(environ={})
    question = library.question(task)
    return question, library.rungs(question)


@pytest.mark.parametrize("task", TASKS)
def test_a_ladder_has_its_rungs_in_order_with_all_texts(task: str) -> None:
    _, rungs = ladder(task)
    assert len(rungs) >= AT_LEAST.get(task, 3)
    assert [rung.id[:3] for rung in rungs] == [f"{i:02}-" for i in range(1, len(rungs) + 1)]
    for rung in rungs:
        assert all(text["en"].strip() for text in (rung.title, rung.idea, rung.removes, rung.watch))


@pytest.mark.parametrize(
    "source", sorted(SOLUTIONS.glob("*/*.cu")), ids=lambda p: f"{p.parent.name}/{p.stem}"
)
def test_a_rung_is_a_short_file_that_explains_itself_first(source: Path) -> None:
    lines = source.read_text().splitlines()
    assert lines[0].startswith("// ")
    assert lines[1].startswith("// ")
    assert "#include <cuda_runtime.h>" in lines
    assert len(lines) <= (250 if any("asm" in line for line in lines) else 150)  # PTX takes room
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("task", TASKS)
def test_rungs_compile_without_warnings_and_spill_nothing(task: str) -> None:
    from trainer.cuda.compile import compile_submission

    question, rungs = ladder(task)
    assert question.task is not None
    for rung in rungs:
        program = compile_submission(rung.source.read_text(), question.task.signature)
        assert not program.diagnostics, (rung.id, program.log)
        assert not any(kernel.spill_bytes for kernel in program.kernels), rung.id
