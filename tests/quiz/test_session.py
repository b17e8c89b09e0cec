from __future__ import annotations

from pathlib import Path

from tests.quiz.examples import options
from trainer.bank.model import Entry, Kind
from trainer.bank.quiz import Form
from trainer.quiz.draw import draw
from trainer.quiz.session import Session, choose


def session(count: int = 3) -> Session:
    return Session([draw(options(Form.SINGLE), seed) for seed in range(count)])


def answer(session: Session, *, right: bool) -> None:
    drawn = session.current
    assert drawn is not None
    wrong = next(i for i in range(5) if i not in drawn.solution)
    session.answer(drawn.solution if right else (wrong,))


def test_missed_and_skipped_questions_come_back_until_they_are_right() -> None:
    asked = session()
    answer(asked, right=True)
    answer(asked, right=False)
    asked.skip()
    assert asked.number == 2 and asked.is_back
    answer(asked, right=False)
    assert asked.number == 3 and asked.is_back
    answer(asked, right=True)
    assert asked.number == 2
    answer(asked, right=True)
    assert asked.current is None
    assert [o.first_try for o in asked.outcomes()] == [True, False, True]
    assert all(o.right_now for o in asked.outcomes())


def test_a_session_can_be_ended_with_questions_left() -> None:
    asked = session()
    answer(asked, right=False)
    asked.end()
    assert asked.current is None
    assert [(o.first_try, o.right_now) for o in asked.outcomes()] == [
        (False, False), (None, False), (None, False),
    ]  # fmt: skip


def test_quizzes_of_a_topic_are_chosen_each_once() -> None:
    def entry(i: int) -> Entry:
        kind = Kind.KERNEL if i % 5 == 0 else Kind.QUIZ
        return Entry(f"q{i}", kind, "odd" if i % 2 else "even", "easy", {"en": "t"}, Path("x"))

    entries = [entry(i) for i in range(20)]
    chosen = choose(entries, 5, seed=1, topic="odd")
    assert len({e.id for e in chosen}) == 5
    assert all(e.kind is Kind.QUIZ and e.topic == "odd" for e in chosen)
    assert choose(entries, 5, seed=1, topic="odd") == chosen
    assert len(choose(entries, 100, seed=1)) == 16
