from __future__ import annotations

import os
from pathlib import Path

import pytest

from trainer.errors import CompileError, UsageError
from trainer.grade.submission import MAX_BYTES, read_submission


def test_text_comes_back_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"\xef\xbb\xbf// \xc3\xa9\r\nvoid solve();\r\n")
    assert read_submission(path) == "// é\r\nvoid solve();\r\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        ("// a\n".encode("utf-16"), "UTF-16, not UTF-8"),
        (b"\x7fELF\0\0\0", "binary"),
        (b"// a\n// b \xff\n", "a.cu:2: the file is not UTF-8: byte 0xff"),
        (b"x" * (MAX_BYTES + 1), "larger than 1000 kB"),
    ],
)
def test_what_is_no_source_text_is_a_compile_error(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    with pytest.raises(CompileError, match=message):
        read_submission(path)


def test_what_is_no_file_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_submission(tmp_path / "missing.cu")
    with pytest.raises(UsageError, match="folder"):
        read_submission(tmp_path)
    os.mkfifo(tmp_path / "pipe.cu")
    with pytest.raises(UsageError, match="not a regular file"):
        read_submission(tmp_path / "pipe.cu")
    with pytest.raises(UsageError, match="Python"):
        read_submission(tmp_path / "a.py")
