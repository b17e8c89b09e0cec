"""Whether a line of a kernel runs under a condition, as the source is written.

Compilers merge what follows an early return with the end of the kernel, so from PTX alone threads that
return early look like threads that walk past a barrier. They are not when the barrier stands in the
kernel's own scope: nothing but a return can keep a thread from it.
"""

from __future__ import annotations

import re

from trainer.cuda.scanner import scan

_CONTROL = re.compile(r"\b(?:if|else|for|while|do|switch|case|default)\b")
_STATEMENT_END = re.compile(r"[;{}]")


def is_unconditional(source: str, line: int) -> bool:
    """Whether the statement at `line` (from 1) is in a kernel's own scope, under no condition or loop."""
    found = scan(source)
    lines = source.split("\n")
    if not 0 < line <= len(lines):
        return False
    start = sum(len(text) + 1 for text in lines[: line - 1])
    row = lines[line - 1]
    position = start + (row.find("__sync") if "__sync" in row else len(row) - len(row.lstrip()))
    holder = next((f for f in found.functions if f.is_kernel and f.body < position < f.end), None)
    if holder is None:
        return False
    text = found.code[holder.body + 1 : position]
    opened: list[int] = []
    for place, letter in enumerate(text):
        if letter == "{":
            opened.append(place)
        elif letter == "}" and opened:
            opened.pop()
    heads = [_head(text[:place]) for place in opened]
    return not any(_CONTROL.search(head) for head in (*heads, _head(text)))


def _head(text: str) -> str:
    """What stands between the last statement and here; a `for (;;)` keeps its semicolons."""
    flat, depth = [], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        flat.append(" " if letter in ";{}" and depth > 0 else letter)
    return _STATEMENT_END.split("".join(flat))[-1]
