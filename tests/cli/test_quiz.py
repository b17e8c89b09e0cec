from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from trainer.bank.library import Library
from trainer.quiz.draw import draw
from trainer.quiz.judge import solution
from trainer.quiz.session import choose
from trainer.store.history import History

Run = Callable[..., Any]
SEED = 11


class Terminal(io.StringIO):
    """Standard input that somebody types into."""

    def isatty(self) -> bool:
        return True


def right_answers(count: int, topic: str) -> list[str]:
    library = Library.open(environ={})
    entries = choose(library.index.entries, count, SEED, topic)
    return [solution(draw(library.question(e.id), SEED)) for e in entries]


def test_ten_questions_with_a_wrong_answer_and_a_skip_that_come_back(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = "global-memory"
    right = right_answers(10, topic)
    wrong = "b" if right[0] == "a" else "a"
    typed = [wrong, "nonsense!", "s", *right[2:], right[0], right[1]]
    monkeypatch.setattr(sys, "stdin", Terminal("\n".join(typed) + "\n"))
    ran = warpdojo("quiz", "--topic", topic, "-n", "10", "--seed", SEED)
    assert ran.code == 0
    assert "9 of 10 right at once, 1 later" in ran.out
    assert "Type" in ran.out and "again: " in ran.out
    with History.open() as history:
        attempts = history.attempts()
    assert [a.verdict for a in attempts].count("accepted") == 10
    missed = next(a for a in attempts if a.verdict == "wrong_answer")
    assert (missed.seed, missed.language) == (SEED, "quiz")
    assert wrong in missed.message and right[0] in missed.message


def test_a_quiz_can_be_left(warpdojo: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for typed in ("q\n", ""):
        monkeypatch.setattr(sys, "stdin", Terminal(typed))
        ran = warpdojo("quiz", "-n", "3")
        assert ran.code == 0 and "0 of 3 right at once" in ran.out


def test_without_a_terminal_the_questions_are_printed(warpdojo: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    ran = warpdojo("quiz", "--topic", "shared-memory", "-n", "2", "--seed", SEED)
    assert ran.code == 0 and "1. " in ran.out and "2. " in ran.out and "explanation" not in ran.out


def test_json_holds_the_whole_set_and_a_seed_repeats_it(warpdojo: Run) -> None:
    first, again = (warpdojo("quiz", "-n", "4", "--seed", SEED, "--json").json for _ in range(2))
    assert first == again and len(first["questions"]) == 4
    for question in first["questions"]:
        assert question["prompt"] and question["explanation"] and question["solution"]


def test_a_closed_standard_input_is_no_reason_to_fail() -> None:
    code = "import sys; sys.stdin.close(); from trainer.cli import main; sys.exit(main(['quiz', '-n', '1']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "Traceback" not in ran.stderr


def test_an_unknown_topic_is_a_usage_error(warpdojo: Run) -> None:
    ran = warpdojo("quiz", "--topic", "nonsense")
    assert ran.code == 2 and "topics:" in ran.err


def test_show_and_list_know_quizzes(warpdojo: Run) -> None:
    assert "How many" in warpdojo("show", "strided-loads").out
    shown = warpdojo("show", "strided-loads", "--json").json
    assert (shown["id"], shown["kind"]) == ("strided-loads", "quiz")
    analysis = warpdojo("show", "analyse-strides", "--json").json
    assert (analysis["kind"], analysis["solution"], analysis["lines"]) == ("analysis", "8 16 32", [8, 16, 32])
    rows = warpdojo("list", "--kind", "quiz", "--json").json["questions"]
    assert {row["kind"] for row in rows} == {"quiz"} and len(rows) >= 30
    assert json.dumps(rows)


def test_several_right_letters_and_an_order_are_asked_for(warpdojo: Run) -> None:
    assert "every right letter" in warpdojo("show", "limits-of-fusion").out
    assert "in the right order" in warpdojo("show", "order-of-memories").out
    assert "every right letter" not in warpdojo("show", "folding-batch-norm").out


def test_a_quiz_takes_no_file(warpdojo: Run) -> None:
    assert warpdojo("start", "strided-loads").code == 2
    assert warpdojo("ladder", "strided-loads").code == 2
