"""`warpdojo quiz` in a pseudo-terminal: ten questions, one answered wrong, one skipped, both met again."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.pseudo_terminal import start_in_terminal
from trainer.bank.library import Library
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import costs_of, solution
from trainer.quiz.session import choose
from trainer.store.history import History

COUNT, TOPIC = 10, "global-memory"
PROMPT = "\n> "


class Keyboard:
    """A process on the other side of a terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.seen = ""

    def read_until(self, words: str, timeout_s: float = 60.0) -> str:
        """What is new on the screen, up to `words`."""
        end, came = time.monotonic() + timeout_s, ""
        while words not in came:
            left = end - time.monotonic()
            assert left > 0, f"{words!r} never came; the screen:\n{came}"
            if select.select([self._descriptor], [], [], left)[0]:
                try:
                    data = os.read(self._descriptor, 65536)
                except OSError:  # the other side has ended
                    data = b""
                assert data, f"{words!r} never came; the screen:\n{came}"
                came += data.decode().replace("\r", "")
        self.seen += came
        return came

    def type(self, text: str) -> None:
        os.write(self._descriptor, f"{text}\n".encode())


@contextmanager
def terminal(*arguments: str, **environment: str) -> Iterator[Keyboard]:
    """The program in a terminal of 80 columns. Its exit code has to be 0."""
    command = [sys.executable, "-m", "trainer.cli", *arguments]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
    process, descriptor = start_in_terminal(command, {**kept, "COLUMNS": "80", "TERM": "dumb", **environment})
    try:
        yield Keyboard(descriptor)
        assert process.wait() == 0
    finally:
        process.kill()
        os.close(descriptor)


def questions() -> tuple[int, list[Drawn]]:
    """A seed that chooses an analysis among others, and what it draws."""
    library = Library.open(environ={})
    for seed in range(100):
        entries = choose(library.index.entries, COUNT, seed, TOPIC)
        drawn = [draw(library.question(entry.id), seed) for entry in entries]
        if any(costs_of(one) for one in drawn[:-1]):
            return seed, drawn
    raise AssertionError("no seed chooses an analysis")


def wrong(drawn: Drawn) -> str:
    """An answer of the right form that is not right."""
    if costs_of(drawn):
        return " ".join(str(cost + 1) for cost in costs_of(drawn))
    if drawn.quiz.numeric is not None:
        return "12345678"
    return next(letter for letter in "abcd" if letter != solution(drawn))


def test_a_session_with_a_wrong_answer_a_skip_and_both_coming_back(tmp_path: Path) -> None:
    seed, asked = questions()
    missed = next(i for i, drawn in enumerate(asked) if costs_of(drawn))
    skipped = missed + 1
    with terminal(
        "quiz", "--topic", TOPIC, "-n", str(COUNT), "--seed", str(seed),
        WARPDOJO_HOME=str(tmp_path), LANG="C.UTF-8",
    ) as keyboard:  # fmt: skip
        for index, drawn in enumerate(asked):
            shown = keyboard.read_until(PROMPT)
            assert f"{index + 1}/{COUNT}  " in shown and drawn.question.id in shown
            if index == skipped:
                keyboard.type("s")
                continue
            if index == missed:
                keyboard.type("nonsense!")
                assert "Type" in keyboard.read_until(PROMPT)
            keyboard.type(wrong(drawn) if index == missed else solution(drawn))
            told = keyboard.read_until("the answer is ")
            assert ("wrong" if index == missed else "right") in told
        for index in (missed, skipped):
            assert f"{index + 1}/{COUNT}  again: " in keyboard.read_until(PROMPT)
            keyboard.type(solution(asked[index]))
        keyboard.read_until("9 of 10 right at once, 1 later")
    assert "sectors each, " in keyboard.seen and "bytes used of each 32-byte sector" in keyboard.seen
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in keyboard.seen.splitlines()) <= 80
    with History.open(tmp_path / "history.sqlite3") as history:
        verdicts = [attempt.verdict for attempt in history.attempts()]
    assert (verdicts.count("accepted"), verdicts.count("wrong_answer")) == (COUNT, 1)
