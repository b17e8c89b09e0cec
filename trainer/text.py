"""What all front ends do to text from files, compilers and kernels before they show it."""

from __future__ import annotations

import os


def clean(text: str) -> str:
    """Without control characters: a file's text must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def window(length: int, at: int, room: int) -> tuple[int, int]:
    """Which part of a line of `length` to show in `room` cells so that `at` is seen: (start, stop)."""
    if length <= room:
        return 0, length
    start = 0 if at < room - 1 else min(at - room // 2, length - room)
    return start, start + room


LANGUAGE_VARIABLE = "WARPDOJO_LANGUAGE"


def language() -> str:
    """"zh" where $WARPDOJO_LANGUAGE or the locale says Chinese, else "en"."""
    for name in (LANGUAGE_VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.startswith("zh") else "en"
    return "en"
