"""What the terminal sends, before Textual's parser sees it."""

from __future__ import annotations

import pytest
from textual import events

from trainer.tui.driver import Pastes, _Parser

SENT = "a\x1b[200~AB\x1b[1mCD\r\tEF\0\x1b\x1b[201~b\x1b[A"


@pytest.mark.parametrize("size", range(1, len(SENT) + 1))
def test_a_paste_with_control_characters_stays_one_paste_however_it_is_read(size: int) -> None:
    parser, pastes = _Parser(), Pastes()
    reads = [pastes.cleaned(SENT[at : at + size]) for at in range(0, len(SENT), size)]
    came = [message for text in reads for message in (parser.feed(text) if text else ())]
    told = [
        m.key if isinstance(m, events.Key) else m.text
        for m in came
        if isinstance(m, (events.Key, events.Paste))
    ]
    assert told == [
        "a",
        "AB\N{REPLACEMENT CHARACTER}[1mCD\r\tEF" + 2 * "\N{REPLACEMENT CHARACTER}",
        "b",
        "up",
    ]


@pytest.mark.parametrize("keys", ["\x1b", "\x1b[", "\x03\x1b[20", "\x1b[A\x1b[201~\x1b"])
def test_outside_a_paste_nothing_waits_and_nothing_changes(keys: str) -> None:
    pastes = Pastes()
    assert pastes.cleaned(keys) == keys
    assert pastes.cleaned("x") == "x"
