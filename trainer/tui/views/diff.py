"""What changed from one file to another."""

from __future__ import annotations

import difflib

from textual.content import Content

from trainer.tui.text import lines, plain

_STYLES = {"+": "$text-success", "-": "$text-error", "@": "$text-accent"}


def diff(before: str, after: str) -> Content:
    """A unified diff without file names; signs tell what colours tell."""
    rows = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3))[2:]
    if not rows:
        return plain("no difference", "$foreground-muted")
    return lines(*(plain(row.expandtabs(4), _STYLES.get(row[:1], "")) for row in rows))
