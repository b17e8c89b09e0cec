"""Text files keep the bytes that nobody changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.store.text_file import NotTextError, TextFile


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"a\r\nb\r\n", "a\nnew\nb\n", b"a\r\nnew\r\nb\r\n"),
        (b"a\nb", "a\nb\nc", b"a\nb\nc"),
        (b"a\rb\r", "b\n", b"b\r"),
        (b"", "a\nb\n", b"a\nb\n"),
        (b"a\r\nb\nc\r\n", "a\nnew\nb\nc\n", b"a\r\nnew\r\nb\nc\r\n"),
        (b"a\r\nb\nc\r\nd", "d\nb\nc\nd", b"d\r\nb\nc\r\nd"),
        (b"a\x0cb\r\nc\n", "a\x0cb\nC\n", b"a\x0cb\r\nC\r\n"),
    ],
    ids=["windows", "unix", "old mac", "empty", "mixed", "mixed without a last end", "form feed"],
)
def test_lines_keep_their_ends_and_new_ones_get_the_usual_one(before: bytes, text: str, after: bytes) -> None:
    file = TextFile.of(before)
    assert file.changed_to(file.text) == before
    assert file.changed_to(text) == after


@pytest.mark.parametrize(
    "data", [b"caf\xe9", b"a\0b", "\ufdd0".encode()], ids=["latin 1", "nul", "noncharacter"]
)
def test_what_is_not_utf_8_text_is_no_text_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    with pytest.raises(NotTextError, match="not UTF-8 text: edit it with e"):
        TextFile.read(path)
