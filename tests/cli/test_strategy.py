from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from trainer.cli.dialogue import ticks_in
from trainer.errors import UsageError
from trainer.store.history import History
from trainer.strategy.answer import Answer, FollowupAnswer, answer_from, answer_json

Run = Callable[..., Any]
ID = "video-preprocessing"
NUMBERS = ["3.1", "2.99 GB/s", "18.6 us", "2.08 ms"]
WORDS = ["Decode on the GPU,", "", "fuse, batch.", "."]


class Terminal(io.StringIO):
    """Standard input that somebody types into."""

    def isatty(self) -> bool:
        return True


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("\n".join(lines) + "\n"))


def test_numbers_words_points_and_followups_make_a_level_that_is_kept(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    followups = ["pinned buffers", ".", "1 2", "nonsense!", "a"]  # passed, then one answered wrong or right
    typing(monkeypatch, *NUMBERS, *WORDS, "all", *followups, "q")
    ran = warpdojo("strategy", ID)
    assert ran.code == 0
    for said in ("A good answer", "Points", "Follow-up:", "level ", "4 of 4 numbers, 12 of 12 points"):
        assert said in ran.out
    assert ran.out.index("A good answer") < ran.out.index("Points")
    with History.open() as history:
        (attempt,) = history.attempts()
        kept = answer_from(json.loads(history.source(attempt.source_sha256) or ""))
    assert (attempt.task, attempt.language, attempt.score) == (ID, "strategy", 100)
    assert (kept.text, kept.numbers) == ("Decode on the GPU,\n\nfuse, batch.", tuple(NUMBERS))
    assert kept.ticked == (True,) * 12
    assert kept.followups[0] == FollowupAnswer("pinned buffers", True, (True, True, False))


def test_wrong_numbers_are_explained_and_a_wrong_unit_is_asked_again(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "5 s", "6.2", "2990", "", "1", ".", "none", "q")
    ran = warpdojo("strategy", ID)
    assert "Type a number in MB" in ran.out
    assert "NV12 has a quarter of the chroma" in ran.out
    assert "1,000 times too large" in ran.out
    assert "no answer" in ran.out and "level D" in ran.out
    with History.open() as history:
        assert history.attempts()[0].verdict == "wrong_answer"


@pytest.mark.parametrize("lines", [["q"], ["3.1", "", "", "", "some words", "q"], []])
def test_leaving_before_the_points_keeps_nothing(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    typing(monkeypatch, *lines)
    ran = warpdojo("strategy", ID)
    assert ran.code == 0 and "nothing is kept" in ran.out
    assert "A good answer" not in ran.out
    with History.open() as history:
        assert history.attempts() == ()


def test_without_a_terminal_the_question_is_printed_without_its_answer(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    for ran in (warpdojo("strategy", ID), warpdojo("show", ID)):
        assert ran.code == 0 and "NV12" in ran.out and f"warpdojo strategy {ID}" in ran.out
        assert "cudaMalloc" not in ran.out


def test_json_holds_all_of_a_question(warpdojo: Run) -> None:
    told = warpdojo("strategy", ID, "--json").json
    assert [n["unit"] for n in told["numbers"]] == ["MB", "GB/s", "us", "us"]
    assert told["points"][0]["aspect"] == "shapes" and told["answer"]
    assert {f["form"] for f in told["followups"]} == {"quiz", "number", "discussion"}
    assert warpdojo("show", ID, "--json").json == {**told, "kind": "strategy"}


def test_a_seed_draws_the_same_question_of_a_topic(warpdojo: Run) -> None:
    first, again = (warpdojo("strategy", "--topic", "matmul", "--seed", 3, "--json").json for _ in range(2))
    assert first == again and first["topic"] == "matmul"


def test_other_questions_and_topics_are_refused_with_advice(warpdojo: Run) -> None:
    assert "list --kind strategy" in warpdojo("strategy", "vector-addition").err
    assert "topics:" in warpdojo("strategy", "--topic", "nonsense").err


@pytest.mark.parametrize(
    ("typed", "ticked"), [("1, 3", "101"), ("ALL", "111"), (" none ", "000"), ("2 2", "010")]
)
def test_points_are_ticked_by_their_numbers(typed: str, ticked: str) -> None:
    assert ticks_in(typed, 3) == tuple(t == "1" for t in ticked)


@pytest.mark.parametrize("typed", ["", "0", "4", "yes", "1 all"])
def test_what_names_no_points_is_refused(typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        ticks_in(typed, 3)
    assert "1 to 3" in caught.value.hint


def test_an_answer_survives_being_saved() -> None:

    answer = Answer(
        "words", ("1", ""), (True, False), (FollowupAnswer("b", True), FollowupAnswer("", False, (True,)))
    )
    assert answer_from(json.loads(json.dumps(answer_json(answer)))) == answer
    assert answer.passed == (True, False)
