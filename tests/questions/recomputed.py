"""Every number that a quiz states, computed again from what the question gives."""

from __future__ import annotations

ANSWERS: dict[str, float] = {}
