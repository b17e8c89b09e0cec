from __future__ import annotations

import pytest

from trainer.strategy.draft import Written, pack, unpack


def test_a_draft_comes_back_as_it_was() -> None:
    written = Written(("1e3", ""), 'say "hi"\n每')
    assert unpack(pack(written)) == written


@pytest.mark.parametrize("text", ["", "only words", "[1, 2]", "42", '{"numbers": 3, "words": ""}'])
def test_other_text_is_words(text: str) -> None:
    assert unpack(text) == Written(words=text)
