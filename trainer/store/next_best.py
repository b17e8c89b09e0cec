"""Which question to take next, from what was done so far."""

from __future__ import annotations

from collections.abc import Sequence

from trainer.bank.model import LEVELS, Entry
from trainer.store.history import Attempt


def next_best(entries: Sequence[Entry], attempts: Sequence[Attempt]) -> Entry | None:
    """First what was tried and never accepted, then what is new, then the lowest best score; among
    equals the easier one, then the one not touched for longest. `attempts` come newest first."""
    if not entries:
        return None
    newest: dict[str, int] = {}
    best: dict[str, float] = {}
    for age, attempt in enumerate(attempts):
        newest.setdefault(attempt.task, age)
        if attempt.verdict == "accepted":
            best[attempt.task] = max(best.get(attempt.task, 0.0), attempt.score or 0.0)

    def rank(entry: Entry) -> tuple[int, float, int, int]:
        group = 2 if entry.id in best else 0 if entry.id in newest else 1
        score = best.get(entry.id, 0.0)
        return group, score, LEVELS.index(entry.level), -newest.get(entry.id, 0)

    return min(entries, key=rank)
