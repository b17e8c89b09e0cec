"""An answer that was not handed in yet, as text: numbers as they were typed, and words."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Written:
    """`numbers` are in the order of the question, "" where there is none."""

    numbers: tuple[str, ...] = ()
    words: str = ""

    @property
    def is_empty(self) -> bool:
        return not any(text.strip() for text in (*self.numbers, self.words))


def pack(written: Written) -> str:
    return json.dumps({"numbers": written.numbers, "words": written.words}, ensure_ascii=False)


def unpack(text: str) -> Written:
    """What `pack` made; any other text is words, as earlier versions kept them."""
    try:
        kept = json.loads(text)
        return Written(tuple(str(number) for number in kept["numbers"]), str(kept["words"]))
    except (ValueError, TypeError, KeyError):
        return Written(words=text)
