"""Files of the user when the disk has no room."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.errors import UsageError
from trainer.store.paths import unwritable
from trainer.store.workspace import Draft, place_starter, put_beside, write_file


@contextmanager
def files_end_at(nbytes: int) -> Iterator[None]:
    """No file may grow further, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_starter_that_does_not_fit_leaves_no_file_in_the_way(tmp_path: Path) -> None:
    question = Library.open().question("relu")
    with files_end_at(16), pytest.raises(UsageError, match="cannot be written"):
        place_starter(question, tmp_path)
    assert not list(tmp_path.iterdir())
    assert place_starter(question, tmp_path).read_bytes()


def test_a_folder_is_tried_and_not_only_asked_for_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert unwritable(tmp_path / "new" / "deeper") == "" and not (tmp_path / "new").exists()
    assert unwritable(file / "below") == f"{file} is a file, not a folder"
    assert unwritable(Path("/proc/warpdojo")).startswith("/proc/warpdojo cannot be written: ")
    assert list(tmp_path.iterdir()) == [file]


def test_a_save_that_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("my work")
    with files_end_at(16), pytest.raises(UsageError, match="cannot be written"):
        write_file(path, b"x" * 10_000)
    assert path.read_text() == "my work"
    with files_end_at(16), pytest.raises(UsageError):
        write_file(tmp_path / "new.cu", b"x" * 10_000)
    assert not (tmp_path / "new.cu").exists()


def test_a_draft_knows_what_it_was_begun_from_and_has_one_writer(tmp_path: Path) -> None:
    draft, other = Draft(tmp_path / "a.cu"), Draft(tmp_path / "a.cu")
    draft.keep("mine", "abc")
    assert (other.read(), other.begun_from()) == ("mine", "abc")
    assert draft.claim() and draft.claim() and not other.claim()
    draft.release()
    assert other.claim()
    other.release()
    other.drop()
    assert draft.read() is None


def test_another_version_never_replaces_one_that_lies_there(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    names = [put_beside(path, "theirs", data).name for data in (b"1", b"2")]
    assert names == ["a.cu.theirs", "a.cu.theirs2"]
    assert (tmp_path / names[0]).read_bytes() == b"1"
