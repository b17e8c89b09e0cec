"""A table for people has no seventeen digits; data keeps what was stored."""

from __future__ import annotations

from datetime import UTC, datetime

from trainer.store.export import export
from trainer.store.history import Attempt

AT = datetime(2026, 11, 30, 3, 9, tzinfo=UTC)


def test_markdown_rounds_and_data_does_not() -> None:
    attempt = Attempt(
        "a|b", "cuda", "gpu", "H200", "accepted", "", 1, 200 / 3, 12.3456789, None, 1.0, AT, "0" * 64
    )
    assert export([attempt], "md").endswith("| a\\|b | accepted | 66.667 | 12.346 | H200 |\n")
    assert "66.66666666666667" in export([attempt], "json") and "12.3456789" in export([attempt], "csv")
