from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.bank.small_bank import QUESTION, make_bank
from trainer.bank.index import load_index


def test_the_list_needs_neither_numpy_nor_an_oracle(tmp_path: Path) -> None:
    make_bank(tmp_path, oracle="raise SystemExit('imported')\n")
    program = (
        "import sys; from pathlib import Path; from trainer.bank.library import Library\n"
        f"index = Library.open([{str(tmp_path)!r}], {{}}).index\n"
        "assert 'double' in [e.id for e in index.entries] and not index.problems\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_three_hundred_questions_are_listed_quickly(tmp_path: Path) -> None:
    for number in range(300):
        root = make_bank(tmp_path, QUESTION + "# filler\n" * 100, id=f"q{number}")
    start = time.perf_counter()
    assert len(load_index([root]).entries) == 300
    assert time.perf_counter() - start < 0.5  # about 0.05 s when the machine is idle


def test_only_the_head_of_a_file_is_parsed(tmp_path: Path) -> None:
    root = make_bank(tmp_path, QUESTION.replace("hints: [one", "hints: [[[one"))
    assert [e.id for e in load_index([root]).entries] == ["double"]


def test_the_head_may_come_last(tmp_path: Path) -> None:
    head, rest = QUESTION.split("statement:")
    root = make_bank(tmp_path, "statement:" + rest + head)
    (entry,) = load_index([root]).entries
    assert entry.title == {"en": "Double it"}


def test_a_missing_head_key_is_reported(tmp_path: Path) -> None:
    (problem,) = load_index([make_bank(tmp_path, QUESTION.replace("level: easy\n", ""))]).problems
    assert "'level' is missing" in problem.message


def test_a_broken_file_hides_no_other(tmp_path: Path) -> None:
    make_bank(tmp_path, "kind: [", id="broken")
    index = load_index([make_bank(tmp_path)])
    assert [e.id for e in index.entries] == ["double"]
    assert [Path(p.where.file).stem for p in index.problems if p.where] == ["broken"]


def test_an_id_in_two_banks_is_reported_and_the_first_kept(tmp_path: Path) -> None:
    first, second = make_bank(tmp_path / "a"), make_bank(tmp_path / "b", topic="other")
    index = load_index([first, second])
    (entry,) = index.entries
    (problem,) = index.problems
    assert entry.topic == "basics"
    assert "already a question 'double'" in problem.message and str(tmp_path / "a") in problem.message
    assert problem.where is not None and str(tmp_path / "b") in str(problem.where)


def test_ids_come_from_file_names_that_can_be_typed(tmp_path: Path) -> None:
    (problem,) = load_index([make_bank(tmp_path, id="Double_It")]).problems
    assert "'Double_It' cannot be the id" in problem.message


def test_questions_are_ordered_by_topic_then_level(tmp_path: Path) -> None:
    make_bank(tmp_path, QUESTION.replace("level: easy", "level: hard"), id="a", topic="x")
    make_bank(tmp_path, id="b", topic="x")
    root = make_bank(tmp_path, id="c", topic="a")
    assert [e.id for e in load_index([root]).entries] == ["c", "b", "a"]


def test_a_question_file_that_nobody_reads_is_reported(tmp_path: Path) -> None:
    root = make_bank(tmp_path)
    for name in ("loose.yaml", "basics/other.yml", "basics/deeper/third.yaml"):
        path = root.questions / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(QUESTION)
    index = load_index([root])
    assert [e.id for e in index.entries] == ["double"]
    assert {Path(p.where.file).name for p in index.problems if p.where} == {
        "loose.yaml",
        "other.yml",
        "third.yaml",
    }
