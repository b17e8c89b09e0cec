from __future__ import annotations

from pathlib import Path

import pytest

from tests.bank.small_bank import make_bank
from trainer.bank.index import load_index, read_entry
from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.bank.roots import Root
from trainer.bank.schema import load_question
from trainer.bank.schema_strategy import read_followups
from trainer.bank.strategy import Aspect, Discussion, NumberAsked, QuizAsked
from trainer.errors import ContentError

STRATEGY = """\
kind: strategy
level: hard
title: {en: Copy, zh: 拷贝}
source: exam
gpu: H200
minutes: 10
statement: {en: Make a copy fast., zh: 让拷贝更快。}
givens:
  n: 1_000_000
  rate: 4.8e12
numbers:
  - ask: How long?
    answer:
      value: 8 * n / rate * 1e6
      unit: us
      relative: 0.1
      mistakes: [{value: 4 * n / rate * 1e6, why: It is read and written.}]
    why: Bytes over rate.
  - {ask: How much?, answer: {value: 8, unit: MB}, why: n floats.}
points:
  - bound: {en: memory, zh: 内存}
  - work: eight bytes
answer: Use wide loads.
followups:
  - float4-on-a-vector-add
  - ask: Why?
    points: [it is, so]
    answer: Because.
    otherwise:
      - {ask: How many?, answer: {value: 2 * n}, why: Twice.}
  - {quiz: sector-efficiency, otherwise: [strided-loads]}
"""
LINE = "followups:\n  - {ask: Why?, points: [so], answer: Because.}\n"


def load(folder: Path, text: str) -> Question:
    path = folder / "questions" / "basics" / "copy.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_question(Root(folder), read_entry(path))


def test_a_strategy_question_is_read_whole(tmp_path: Path) -> None:
    strategy = load(tmp_path, STRATEGY).strategy
    assert strategy is not None
    assert (strategy.minutes, strategy.gpu, strategy.prompt["zh"]) == (10, "H200", "让拷贝更快。")
    time, size = strategy.numbers
    assert time.answer.value == pytest.approx(8e6 / 4.8e12 * 1e6)
    assert (time.answer.relative, time.formula) == (0.1, "8 * n / rate * 1e6")
    assert [m.value for m in time.answer.mistakes] == [pytest.approx(4e6 / 4.8e12 * 1e6)]
    assert (size.answer.value, size.answer.relative) == (8, 0.05)
    assert [p.aspect for p in strategy.points] == [Aspect.BOUND, Aspect.WORK]


def test_followups_are_a_tree_of_quizzes_numbers_and_discussions(tmp_path: Path) -> None:
    strategy = load(tmp_path, STRATEGY).strategy
    assert strategy is not None
    first, second, third = strategy.followups
    assert first.item == QuizAsked("float4-on-a-vector-add")
    assert isinstance(second.item, Discussion) and len(second.item.points) == 2
    easier = second.otherwise[0].item
    assert isinstance(easier, NumberAsked) and easier.answer.value == 2e6
    assert (third.item, third.otherwise[0].item) == (
        QuizAsked("sector-efficiency"),
        QuizAsked("strided-loads"),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("minutes: 10", "minutes: 90", 6, "from 1 to 60"),
        ("8 * n / rate", "8 * m / rate", 14, "'m', which is not given"),
        ("  rate: 4.8e12", "  rate: 4.8e12\n  k: 3", 11, "no formula uses 'k'"),
        ("  rate: 4.8e12", "  1x: 4.8e12", 10, "'1x' is no name"),
        ("value: 8 * n /", "value: 8 n /", 14, "cannot evaluate"),
        ("{value: 8, unit: MB}", "{unit: MB}", 19, "'value' is missing"),
        ("value: 4 * n", "value: 8 * n", 17, "would be accepted"),
        ("  - work:", "  - worth:", 22, "'worth' is not known"),
        ("  - work: eight bytes", "  - {work: eight, bound: two}", 22, "one aspect"),
        ("[it is, so]", "[so, So]", 27, "equal point"),
        ("[it is, so]", "[]", 27, "at least one point"),
        ("[strided-loads]", "[]", 31, "at least one question"),
        ("answer: Use wide loads.\n", "", 1, "'answer' is missing"),
        ("source: exam", "source: dream", 4, "'dream' is not known"),
    ],
)
def test_a_mistake_is_reported_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert old in STRATEGY
    with pytest.raises(ContentError, match=message) as caught:
        load(tmp_path, STRATEGY.replace(old, new))
    where = caught.value.where
    assert where is not None and where.line == line


def test_a_kernel_task_has_the_line_of_its_id_or_of_its_topic() -> None:
    library = Library.open(environ={})
    task = library.question("vector-addition")
    path = library.roots[0].followups / "elementwise.yaml"
    assert library.followups(task) == read_followups(path) != ()


def test_quizzes_have_the_questions_that_they_name() -> None:
    library = Library.open(environ={})
    quiz = library.question("thirty-percent-of-bandwidth")
    assert [f.item for f in library.followups(quiz)] == [
        QuizAsked("bytes-in-flight"), QuizAsked("sector-efficiency"),
    ]  # fmt: skip


def test_files_of_followups_are_no_questions(tmp_path: Path) -> None:
    load(tmp_path, STRATEGY)
    (tmp_path / "questions" / "followups").mkdir()
    (tmp_path / "questions" / "followups" / "basics.yaml").write_text(LINE)
    index = load_index([Root(tmp_path)])
    assert ([e.id for e in index.entries], index.problems) == (["copy"], ())


def test_an_exhibit_is_shown_with_its_counters_and_kept_to_be_run(tmp_path: Path) -> None:
    exhibit = """\
exhibit:
  kernel: |
    __global__ void every_other(const float* x, float* y, int n) {
        y[threadIdx.x] = x[2 * threadIdx.x];  // 1
    }
  measure: sectors
  grid: 1
  block: 32
  floats: 64
  answers: [8]
"""
    strategy = load(tmp_path, STRATEGY + exhibit).strategy
    assert strategy is not None and strategy.exhibit is not None
    assert "    __global__ void every_other(" in strategy.prompt["en"]
    assert strategy.prompt["en"].endswith(
        "The simulator counts at the marked lines: 8 sectors a request at 1."
    )
    assert strategy.prompt["zh"].endswith("模拟器在标记行上的计数: 第 1 行 8 sectors/请求.")
    assert strategy.exhibit.costs == (8,)
    assert "every_other<<<1, 32>>>(x, y, n);" in strategy.exhibit.source


def test_a_task_of_ones_own_has_its_own_line_or_the_built_in_one_of_its_topic(tmp_path: Path) -> None:
    make_bank(tmp_path, topic="elementwise")
    library = Library.open([tmp_path], environ={})
    task, built_in = library.question("double"), library.question("vector-addition")
    assert library.followups(task) == library.followups(built_in)
    (tmp_path / "questions" / "followups").mkdir()
    (tmp_path / "questions" / "followups" / "double.yaml").write_text(LINE)
    assert [type(f.item) for f in library.followups(task)] == [Discussion]


def test_a_task_of_a_topic_without_a_line_has_no_follow_ups(tmp_path: Path) -> None:
    make_bank(tmp_path)
    library = Library.open([tmp_path], environ={})
    assert library.followups(library.question("double")) == ()
