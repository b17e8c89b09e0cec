from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bank.small_bank import ORACLE
from trainer.bank.oracle import lazy_oracle, load_module
from trainer.errors import ContentError


def write(folder: Path, text: str) -> Path:
    path = folder / "some-task.py"
    path.write_text(text)
    return path


def failure(path: Path, *, needs_terms: bool = False) -> str:
    with pytest.raises(ContentError) as caught:
        load_module(path, needs_terms=needs_terms)
    return str(caught.value)


def test_an_oracle_is_imported_when_it_is_first_asked(tmp_path: Path) -> None:
    path = write(tmp_path, ORACLE)
    oracle = lazy_oracle(path, needs_terms=False)
    inputs = oracle.inputs(np.random.default_rng(0), {"N": 3}, "random")
    assert np.array_equal(oracle.reference(**inputs)["y"], 2.0 * np.asarray(inputs["x"], np.float64))
    assert oracle.mistakes is not None and oracle.mistakes(**inputs) == {}


def test_a_missing_function_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "def inputs(rng, sizes, values): ...\n")
    assert failure(path) == f"{path}: has no function 'reference'"


def test_terms_are_demanded_where_the_tolerance_needs_them(tmp_path: Path) -> None:
    assert "has no function 'terms'" in failure(write(tmp_path, ORACLE), needs_terms=True)


def test_a_failing_import_is_reported_at_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "x = 1\nimport no_such_module_at_all\n")
    assert failure(path).startswith(f"{path}:2: cannot be imported: ModuleNotFoundError")


def test_a_syntax_error_is_reported_at_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "x = 1\n\ndef f(:\n")
    assert failure(path).startswith(f"{path}:3: cannot be imported: SyntaxError")


def test_a_failing_call_is_reported_at_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "def inputs(rng, sizes, values):\n    return sizes['M']\n\ndef reference(): ...\n")
    with pytest.raises(ContentError) as caught:
        lazy_oracle(path, needs_terms=False).inputs(np.random.default_rng(0), {"N": 1}, "random")
    assert str(caught.value).startswith(f"{path}:2: inputs() failed: KeyError: 'M'")


def test_an_oracle_cannot_end_the_program(tmp_path: Path) -> None:
    path = write(tmp_path, "x = 1\nraise SystemExit(0)\n")
    assert failure(path).startswith(f"{path}:2: cannot be imported: SystemExit")
