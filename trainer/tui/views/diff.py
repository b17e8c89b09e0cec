"""What changed from one file to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from textual.content import Content

from trainer.tui.text import assemble, lines, plain
from trainer.tui.widgets.code import code_lines

AROUND = 3
"""Lines that did not change, before and after those that did."""


def diff(before: str, after: str) -> Content:
    """A unified diff without file names; signs tell what colours tell."""
    rows = list(_rows(before, after))
    if not rows:
        return plain("no difference", "$foreground-muted")
    return lines(*rows)


def _rows(before: str, after: str) -> Iterator[Content]:
    old, new = code_lines(before), code_lines(after)
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines())
    for group in matcher.get_grouped_opcodes(AROUND):
        (_, old_from, _, new_from, _), (_, _, old_to, _, new_to) = group[0], group[-1]
        yield plain(f"@@ -{_range(old_from, old_to)} +{_range(new_from, new_to)} @@", "$text-accent")
        for what, i, j, k, m in group:
            if what == "equal":
                yield from (assemble(" ", row) for row in old[i:j])
            else:
                yield from _changed("-", "$text-error", "$code-removed", old[i:j])
                yield from _changed("+", "$text-success", "$code-added", new[k:m])


def _changed(sign: str, colour: str, ground: str, rows: Sequence[Content]) -> Iterator[Content]:
    for row in rows:
        yield assemble((sign, f"bold {colour}"), row).stylize_before(f"on {ground}")


def _range(start: int, end: int) -> str:
    """As `diff -u` has it: from line, or after it where there is none, and how many."""
    return f"{start + (end > start)},{end - start}"
