from __future__ import annotations

from pathlib import Path

import pytest

from trainer.bank.index import read_entry
from trainer.bank.model import Kind, Question
from trainer.bank.quiz import Form
from trainer.bank.roots import Root
from trainer.bank.schema import load_question
from trainer.errors import ContentError, UsageError
from trainer.quiz.draw import draw
from trainer.quiz.judge import judge, parse_answer, solution

TEXT = """\
kind: analysis
level: easy
title: Two strides
source: derived
statement: One warp.
kernel: |
  __global__ void strides(const float* x, float* y, int n) {
      float v = x[2 * threadIdx.x];    // 1
      y[threadIdx.x] = v;              // 2
  }
measure: sectors
grid: 1
block: 32
floats: 64
answers: [8, 4]
explanation: Half of each sector is used.
"""


def load(folder: Path, text: str = TEXT) -> Question:
    path = folder / "questions" / "basics" / "strides.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_question(Root(folder), read_entry(path))


def test_an_analysis_is_asked_with_its_kernel_and_answered_line_by_line(tmp_path: Path) -> None:
    question = load(tmp_path)
    drawn = draw(question, 1)
    assert (question.kind, drawn.form) == (Kind.ANALYSIS, Form.LINES)
    assert "    float v = x[2 * threadIdx.x];    // 1" in drawn.quiz.prompt["en"]
    assert "sectors" in drawn.quiz.prompt["en"]
    assert drawn.quiz.analysis is not None and "strides<<<1, 32>>>(x, y, n);" in drawn.quiz.analysis.source
    assert solution(drawn) == "8 4"
    assert judge(drawn, parse_answer(drawn, "8, 4")).right
    wrong = judge(drawn, parse_answer(drawn, "8 8"))
    assert not wrong.right and [(r.letter, r.text["en"]) for r in wrong.remarks] == [("2", "it is 4, not 8")]


@pytest.mark.parametrize("typed", ["", "8", "8 4 1", "8 x", "-8 4", "8.0 4"])
def test_what_is_no_answer_is_refused_with_advice(tmp_path: Path, typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_answer(draw(load(tmp_path), 1), typed)
    assert "2 whole numbers" in caught.value.hint


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("answers: [8, 4]", "answers: [8]", 15, "1 answers for the marked lines"),
        ("// 2", "// 3", 15, "marked lines"),
        ("measure: sectors", "measure: speed", 11, "'speed' is not known"),
        ("int n", "int m", 6, "should hold"),
        ("block: 32", "blok: 32", 13, "'blok' is not known"),
    ],
)
def test_a_mistake_is_reported_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    with pytest.raises(ContentError, match=message) as caught:
        load(tmp_path, TEXT.replace(old, new))
    assert caught.value.where is not None and caught.value.where.line == line


@pytest.mark.parametrize(
    ("measure", "asked"),
    [
        ("sectors", "32-byte sectors"),
        ("wavefronts", "wavefronts"),
        ("lanes", "active"),
        ("divergent", "divergent"),
    ],
)
def test_the_question_asks_for_what_is_measured_in_both_languages(
    tmp_path: Path, measure: str, asked: str
) -> None:
    text = TEXT.replace("measure: sectors", f"measure: {measure}")
    text = text.replace("statement: One warp.", "statement: {en: One warp., zh: 一个 warp。}")
    prompt = draw(load(tmp_path, text), 1).quiz.prompt
    assert asked in prompt["en"].splitlines()[-1]
    assert prompt["zh"].splitlines()[-1].endswith("？")
