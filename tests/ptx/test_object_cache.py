from __future__ import annotations

from pathlib import Path

import pytest

from trainer.ptx import object_cache


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_what_was_stored_comes_back(home: Path) -> None:
    object_cache.store("code", b"\x7fELF")
    assert object_cache.load("code") == b"\x7fELF"
    assert object_cache.load("other") is None


def test_a_damaged_file_is_no_code(home: Path) -> None:
    object_cache.store("code", b"\x7fELF" * 20)
    file = home / "warpdojo" / "jit" / "code.o"
    file.write_bytes(file.read_bytes()[:-5])
    assert object_cache.load("code") is None


def test_a_folder_that_cannot_be_made_is_no_error(home: Path) -> None:
    (home / "warpdojo").write_text("in the way")
    object_cache.store("code", b"x")
    assert object_cache.load("code") is None


def test_another_compiler_or_machine_gets_another_name() -> None:
    assert object_cache.key("text", 1, "zen4") != object_cache.key("text", 1, "skylake")
