"""Markdown tables that line up."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Numbers to the right, words to the left."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    right = [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        )
        return "| " + " | ".join(padded) + " |"

    rule = (("-" * (w - 1) + ":") if r else "-" * w for w, r in zip(widths, right, strict=True))
    return "\n".join([line(head), "| " + " | ".join(rule) + " |", *map(line, rows)]) + "\n"


def _is_number(cell: str) -> bool:
    return cell in ("", "-") or cell.lstrip("-").split(" ")[0].replace(".", "").isdigit()
