"""Heads that are remembered are those of the files, or none."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.bank.small_bank import QUESTION, make_bank
from trainer.bank import index
from trainer.bank.index import load_index
from trainer.bank.roots import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return make_bank(tmp_path / "bank")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read."""
    found: list[Path] = []
    read = index.read_entry

    def noted(path: Path) -> Any:
        found.append(path)
        return read(path)

    monkeypatch.setattr(index, "read_entry", noted)
    return found


def test_an_unchanged_file_is_read_once(root: Root, tmp_path: Path, reads: list[Path]) -> None:
    first = load_index([root], tmp_path / "cache" / "heads.json")
    second = load_index([root], tmp_path / "cache" / "heads.json")
    assert first == second and len(reads) == 1


def test_a_changed_file_is_read_again(root: Root, tmp_path: Path) -> None:
    cache = tmp_path / "heads.json"
    (before,) = load_index([root], cache).entries
    before.path.write_text(QUESTION.replace("level: easy", "level: hard"))
    os.utime(before.path, ns=(1, 1))
    (after,) = load_index([root], cache).entries
    assert (before.level, after.level) == ("easy", "hard")


def test_a_broken_file_is_reported_each_time(root: Root, tmp_path: Path) -> None:
    path = next(root.questions.glob("*/*.yaml"))
    path.write_text(QUESTION.replace("level: easy\n", ""))
    for _ in range(2):
        (problem,) = load_index([root], tmp_path / "heads.json").problems
        assert "'level' is missing" in problem.message


BROKEN = '{"format": "heads 1", "heads": {"a": {"title": 3}}}'


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1}', '{"format": "heads 1"}', BROKEN])
def test_a_broken_cache_is_none(root: Root, tmp_path: Path, text: str) -> None:
    cache = tmp_path / "heads.json"
    cache.write_text(text)
    assert load_index([root], cache) == load_index([root])
    assert json.loads(cache.read_text())["heads"]


def test_a_cache_that_cannot_be_written_costs_nothing(root: Root, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert load_index([root], tmp_path / "file" / "heads.json") == load_index([root])
