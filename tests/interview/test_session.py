"""A running interview: nothing is lost, and no time is gained."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.interview.steps import START, Watch, asked, live, open_log, plan, section
from trainer.bank.model import Kind as QuestionKind
from trainer.errors import UsageError
from trainer.interview.blueprint import Movement
from trainer.interview.events import End
from trainer.interview.session import Session
from trainer.interview.state import load, replay
from trainer.store.interviews import InterviewLog


@pytest.fixture
def log(tmp_path: Path) -> Iterator[InterviewLog]:
    with open_log(tmp_path) as log:
        yield log


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_answers_notes_and_the_clock_are_there_after_a_kill(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(strict=False), watch)
    live(session, watch, 30)
    session.answer("1.1", {"answer": "b"})
    session.note("ask about strides")
    live(session, watch, 12)
    watch.forward(3600)  # killed, and started again an hour later
    again = Session.resume(log, session.id, watch)
    assert again.state.answer("1.1").fields == {"answer": "b"}
    assert again.state.notes == "ask about strides"
    assert again.look().elapsed_s == 42


def test_a_strict_interview_that_was_left_asks_and_loses_its_strictness_with_the_time_left_out(
    log: InterviewLog, watch: Watch
) -> None:
    session = Session.start(log, plan(), watch)
    live(session, watch, 60)
    session.leave()
    watch.forward(120)
    again = Session.resume(log, session.id, watch)
    gap = again.look().gap
    assert gap is not None and gap.seconds == 120
    assert again.look().elapsed_s == 180  # it counts until somebody says otherwise
    again.settle(counted=False)
    assert again.look().elapsed_s == 60 and not again.state.strict


def test_time_away_that_counts_keeps_an_interview_strict(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(), watch)
    live(session, watch, 60)
    watch.forward(120)
    again = Session.resume(log, session.id, watch)
    again.settle(counted=True)
    assert again.look().elapsed_s == 180 and again.state.strict


def test_quitting_again_and_again_makes_nothing_strict(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(strict=False), watch)
    for _ in range(3):
        live(session, watch, 10)
        session.leave()
        watch.forward(500)
        session = Session.resume(log, session.id, watch)
        assert not session.state.strict and session.look().gap is None
    assert session.look().elapsed_s == 30


def test_a_strict_interview_has_no_pause_and_practice_has(log: InterviewLog, watch: Watch) -> None:
    strict = Session.start(log, plan(), watch)
    with pytest.raises(UsageError, match="no pause"):
        strict.pause()
    strict.finish()
    session = Session.start(log, plan(strict=False), watch)
    live(session, watch, 10)
    session.pause()
    watch.forward(900)
    assert session.look().elapsed_s == 10
    session.go_on()
    live(session, watch, 5)
    assert session.look().elapsed_s == 15


@pytest.mark.parametrize(("counted", "elapsed_s"), [(True, 1820), (False, 20)])
def test_sleep_is_asked_about_while_the_program_runs(
    log: InterviewLog, watch: Watch, counted: bool, elapsed_s: int
) -> None:
    session = Session.start(log, plan(section(asked("1.1"), minutes=60)), watch)
    live(session, watch, 20)
    watch.forward(1800)
    assert session.look().gap is not None
    session.settle(counted=counted)
    assert session.look().elapsed_s == elapsed_s


def test_setting_the_clock_back_gains_nothing(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(), watch)
    live(session, watch, 100)
    watch.forward(-3600)
    assert session.look().elapsed_s == 100
    live(session, watch, 7)
    assert session.look().elapsed_s == 107 and session.state.strict


def test_time_up_ends_it_and_nothing_is_taken_afterwards(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(section(asked("1.1"), minutes=1)), watch)
    live(session, watch, 59)
    session.answer("1.1", {"answer": "a"})
    watch.forward(1)
    with pytest.raises(UsageError, match="time is up"):
        session.answer("1.1", {"answer": "b"})
    assert session.look().over and session.state.end is End.TIME_UP
    with pytest.raises(UsageError):
        session.note("late")
    assert session.state.answer("1.1").fields == {"answer": "a"}


def test_an_overslept_interview_is_over_and_its_time_is_not_more_than_it_lasts(
    log: InterviewLog, watch: Watch
) -> None:
    session = Session.start(log, plan(), watch)
    watch.forward(86400)
    again = Session.resume(log, session.id, watch)
    again.settle(counted=True)
    look = again.look()
    assert look.over and look.elapsed_s == 1200


def test_a_section_closes_on_time_and_what_was_saved_goes_to_the_next(
    log: InterviewLog, watch: Watch
) -> None:
    session = Session.start(log, plan(), watch)
    live(session, watch, 599)
    watch.forward(1)
    look = session.look()
    assert look.section_over and session.state.open_key == "2.1"
    with pytest.raises(UsageError, match="closed"):
        session.answer("1.1", {"answer": "a"})

    session.finish()
    early = Session.start(log, plan(), watch)
    live(early, watch, 100)
    assert early.leave_section() and not early.leave_section()
    assert early.look().section_left_s == 1100


def test_free_movement_opens_every_section(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(movement=Movement.FREE), watch)
    live(session, watch, 700)
    session.answer("2.1", {"answer": "a"})
    session.answer("1.1", {"answer": "b"})
    assert session.state.section == 0 and not session.leave_section()


def test_time_goes_to_the_question_that_is_open(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(strict=False), watch)
    live(session, watch, 20)
    session.visit("1.2")
    live(session, watch, 5)
    session.pause()
    watch.forward(1000)
    session.go_on()
    live(session, watch, 5)
    session.visit("1.1")
    live(session, watch, 1)
    session.finish()
    assert session.state.answer("1.1").spent_s == 21
    assert session.state.answer("1.2").spent_s == 10


def test_what_was_handed_in_stays_and_stages_come_one_after_the_other(
    log: InterviewLog, watch: Watch
) -> None:
    kernel = asked("1.1", QuestionKind.KERNEL, stages=({"en": "L0"}, {"en": "L1"}))
    session = Session.start(log, plan(section(kernel)), watch)
    session.keep_file("1.1", "first")
    session.hand_in("1.1")
    session.keep_file("1.1", "second")
    session.hand_in("1.1")
    assert session.state.is_done(kernel)
    with pytest.raises(UsageError, match="handed in"):
        session.keep_file("1.1", "third")
    assert session.state.answer("1.1").file == "second"


def test_the_saved_events_give_the_same_state_again(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(), watch)
    live(session, watch, 40)
    session.answer("1.2", {"answer": "c"})
    session.follow_up("1.2", "a", passed=True)
    session.leave_section()
    session.finish()
    session.graded("1.1", {"score": 3})
    again = replay(load(log, session.id))
    assert (again.answers, again.section, again.end) == (
        session.state.answers, session.state.section, session.state.end,
    )  # fmt: skip
    assert again.elapsed_s(START + timedelta(days=1)) == 40


def test_events_of_interviews_cannot_be_changed(log: InterviewLog, watch: Watch) -> None:
    session = Session.start(log, plan(), watch)
    import sqlite3

    connection = sqlite3.connect(log.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("DELETE FROM interview_events")
    connection.close()
    assert log.interviews() == (session.id,)


_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tests.interview.steps import open_log, plan
from trainer.interview.session import Session
session = Session.start(open_log(Path(sys.argv[1])), plan(), lambda: datetime.now(UTC))
for n in range(10**6):
    session.note(f"note {n}")
    print(n, flush=True)
"""


def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_said_to_be_kept(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "0\n"
    time.sleep(0.2)
    os.kill(writer.pid, signal.SIGKILL)
    kept = int(writer.stdout.read().split("\n")[-2])
    writer.wait()
    with open_log(tmp_path) as log:
        state = replay(load(log, log.interviews()[0]))
    assert state.notes in (f"note {kept}", f"note {kept + 1}")


@pytest.mark.parametrize(("saved_s", "kept"), [(300, "mine"), (700, None)])
def test_what_an_editor_saved_in_time_counts_though_it_was_left_later(
    log: InterviewLog, watch: Watch, saved_s: int, kept: str | None
) -> None:
    kernel = asked("1.1", QuestionKind.KERNEL)
    session = Session.start(log, plan(section(kernel), section(asked("2.1"))), watch)
    watch.forward(800)  # in another program all the time; the section ended after 600 seconds
    session.returned("1.1", "mine", START + timedelta(seconds=saved_s))
    look = session.look()
    assert look.gap is None and look.section_over and look.elapsed_s == 800
    assert session.state.answer("1.1").file == kept


def test_a_history_from_before_there_were_interviews_has_none_until_one_begins(
    tmp_path: Path, watch: Watch
) -> None:
    import sqlite3

    from trainer.store.database import MIGRATIONS

    path = tmp_path / "old.sqlite3"
    connection = sqlite3.connect(path)
    for script in MIGRATIONS[:2]:
        connection.executescript(script)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with InterviewLog.existing(path) as looked:
        assert looked is None
    with InterviewLog.open(path) as log:
        session = Session.start(log, plan(), watch)
        assert log.interviews() == (session.id,)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_the_clock_is_that_of_a_simple_model(
    log: InterviewLog, watch: Watch, strict: bool, seed: int
) -> None:
    """Working, pauses, quits, kills, sleep and a clock set back, in any order. What was left out costs a
    strict interview its strictness, and nothing brings it back."""
    rng = random.Random(seed)
    session = Session.start(log, plan(section(asked("1.1"), minutes=600), strict=strict), watch)
    expected = 0
    for _ in range(12):
        working, gone = rng.randrange(1, 15), rng.randrange(20, 1000)
        live(session, watch, working)
        expected += working
        match rng.choice(["pause", "quit", "kill", "sleep", "set back"]):
            case "pause" if not session.state.strict:
                session.pause()
                watch.forward(gone)
                session.go_on()
            case "quit" | "kill" as how:
                if how == "quit":
                    session.leave()
                watch.forward(gone)
                session = Session.resume(log, session.id, watch)
                expected += settled(session, gone, rng)
            case "sleep":
                watch.forward(gone)
                expected += settled(session, gone, rng)
            case "set back":
                watch.forward(-gone)
        assert session.look().elapsed_s == expected
        assert replay(load(log, session.id)).strict == session.state.strict
        assert strict or not session.state.strict


def settled(session: Session, gone: int, rng: random.Random) -> int:
    """Answer the question about the gap, if there is one; the seconds that count."""
    if session.look().gap is None:
        assert not session.state.strict
        return 0
    strict, counted = session.state.strict, rng.random() < 0.5
    session.settle(counted=counted)
    assert session.state.strict == (strict and counted)
    return gone if counted else 0
