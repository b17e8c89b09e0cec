"""A table for people has no seventeen digits; data keeps what was stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trainer.store.export import FORMATS, export
from trainer.store.history import Attempt, Event, EventKind

AT = datetime(2026, 11, 30, 3, 9, tzinfo=UTC)


def test_markdown_rounds_and_data_does_not() -> None:
    attempt = Attempt(
        "a|b", "cuda", "gpu", "H200", "accepted", "", 1, 200 / 3, 12.3456789, None, 1.0, AT, "0" * 64
    )
    assert export([attempt], "md").endswith("| a\\|b | accepted | 66.667 | 12.346 | H200 |\n")
    assert "66.66666666666667" in export([attempt], "json") and "12.3456789" in export([attempt], "csv")


@pytest.mark.parametrize("form", FORMATS)
def test_give_ups_are_there_and_what_was_accepted_after_one_says_so(form: str) -> None:
    attempt = Attempt("a", "cuda", "sim", "d", "accepted", "", 1, 100.0, None, None, 1.0, AT, "0" * 64)
    given_up = Event("a", EventKind.GAVE_UP, "", AT - timedelta(hours=1))
    text, plain = export([attempt], form, [given_up]), export([attempt], form)
    assert "gave_up" in text and "2026-11-30T02:09" in text
    told = "after giving up" if form == "md" else "true"
    assert told in text.lower() and told not in plain.lower()
