from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bank.small_bank import make_bank
from trainer.bank.library import Library
from trainer.errors import ContentError, UsageError


def test_the_built_in_bank_has_the_twelve_tasks() -> None:
    ids = {e.id for e in Library.open(environ={}).index.entries}
    assert ids >= {"vector-addition", "matrix-addition", "relu", "matrix-transpose", "softmax"}
    assert len(ids) >= 12


def test_banks_of_ones_own_stand_beside_the_built_in_one(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        make_bank(tmp_path / name, id=name)
    environ = {"WARPDOJO_BANK": os.pathsep.join([str(tmp_path / "two"), str(tmp_path / "three"), ""])}
    library = Library.open([tmp_path / "one"], environ)
    assert {"one", "two", "three", "relu"} <= {e.id for e in library.index.entries}
    assert library.question("two").title == {"en": "Double it"}


def test_a_bank_given_twice_counts_once(tmp_path: Path) -> None:
    make_bank(tmp_path)
    library = Library.open([tmp_path, tmp_path], {"WARPDOJO_BANK": str(tmp_path)})
    assert len(library.roots) == 2 and not library.index.problems


def test_a_bank_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        Library.open([tmp_path / "nowhere"], {})


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="questions"):
        Library.open([], {"WARPDOJO_BANK": str(tmp_path)})


def test_an_unknown_id_gets_the_nearest_ones() -> None:
    with pytest.raises(UsageError) as caught:
        Library.open(environ={}).question("vector-adition")
    assert "vector-addition" in caught.value.hint


def test_asking_for_a_broken_question_says_what_is_broken(tmp_path: Path) -> None:
    make_bank(tmp_path, "kind: [")
    with pytest.raises(ContentError, match="not valid YAML"):
        Library.open([tmp_path], {}).question("double")
