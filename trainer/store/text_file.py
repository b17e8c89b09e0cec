"""A text file that is edited: what nobody changed keeps its bytes, line ends among them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from trainer.errors import Location, UsageError

_NO_TEXT = re.compile("[\0\ufdd0-\ufdef]")
_END = re.compile(r"(\r\n|\r|\n)")


class NotTextError(UsageError):
    """A file whose bytes cannot all be shown and written back as text."""


@dataclass(frozen=True)
class TextFile:
    """`data` as it lies on the disk, and `text`: the same with "\\n" for every line end."""

    data: bytes
    text: str

    @classmethod
    def read(cls, path: Path) -> TextFile:
        """Raises UsageError where the file cannot be read, NotTextError where it is not UTF-8 text."""
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise UsageError(
                f"cannot be read: {problem.strerror or problem}", where=Location(path)
            ) from problem
        try:
            return cls.of(data)
        except ValueError as problem:
            raise NotTextError("not UTF-8 text: edit it with e", where=Location(path)) from problem

    @classmethod
    def of(cls, data: bytes) -> TextFile:
        """Raises ValueError, also for characters that no text has."""
        text = data.decode("utf-8")
        if _NO_TEXT.search(text):
            raise ValueError("a NUL or a noncharacter")
        return cls(data, _END.sub("\n", text))

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def changed_to(self, text: str) -> bytes:
        """What to write for `text`: lines that were there keep their ends, others get the usual one."""
        parts = _END.split(self.data.decode("utf-8"))
        ends = parts[1::2]
        usual = Counter(ends).most_common(1)[0][0] if ends else "\n"
        if len(set(ends)) > 1:
            return _with_ends(text.split("\n"), parts[::2], ends, usual).encode("utf-8")
        return text.replace("\n", usual).encode("utf-8")


def _with_ends(rows: list[str], old: list[str], ends: list[str], usual: str) -> str:
    """`old` has one row more than `ends`: after the last row nothing stands."""
    found = [usual] * len(rows)
    for old_start, start, length in SequenceMatcher(None, old, rows).get_matching_blocks():
        known = ends[old_start : old_start + length]
        found[start : start + len(known)] = known
    return "".join(row + end for row, end in zip(rows, [*found[: len(rows) - 1], ""], strict=True))
