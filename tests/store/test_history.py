from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trainer.errors import StoreError
from trainer.store import database
from trainer.store.history import Attempt, Event, EventKind, History, State, fingerprint

SOURCE = 'extern "C" void solve() {}\n'


def attempt(task: str = "reduction", verdict: str = "accepted", source: str = SOURCE) -> Attempt:
    return Attempt(
        task=task,
        language="cuda",
        backend="sim",
        device="simulator (models H200)",
        verdict=verdict,
        message="",
        seed=2**32 - 1,
        score=0.5,
        median_us=None,
        rung="02-shared",
        elapsed_s=0.25,
        at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        source_sha256=fingerprint(source),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "history.sqlite3"


def test_an_attempt_comes_back_as_it_was_added(path: Path) -> None:
    with History.open(path) as history:
        history.add(attempt(), SOURCE)
    with History.open(path) as history:
        assert history.attempts() == (attempt(),)
        assert history.source(attempt().source_sha256) == SOURCE


def test_the_newest_attempt_comes_first_and_limits_hold(path: Path) -> None:
    with History.open(path) as history:
        for verdict in ("wrong_answer", "hazard", "accepted"):
            history.add(attempt(verdict=verdict), SOURCE)
        history.add(attempt(task="relu"), SOURCE)
        assert [a.verdict for a in history.attempts("reduction", limit=2)] == ["accepted", "hazard"]


def test_a_question_once_accepted_stays_accepted(path: Path) -> None:
    with History.open(path) as history:
        history.add(attempt(verdict="accepted"), SOURCE)
        history.add(attempt(verdict="wrong_answer"), SOURCE)
        history.add(attempt(task="relu", verdict="hazard"), SOURCE)
        assert history.states() == {"reduction": State.ACCEPTED, "relu": State.TRIED}


def test_times_are_kept_in_utc(path: Path) -> None:
    from datetime import timezone

    local = datetime(2026, 1, 2, 5, 4, 5, tzinfo=timezone(timedelta(hours=2)))
    with History.open(path) as history:
        history.add(replace(attempt(), at=local), SOURCE)
        assert history.attempts()[0].at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_attempts_cannot_be_changed_or_deleted(path: Path) -> None:
    with History.open(path) as history:
        history.add(attempt(), SOURCE)
    connection = sqlite3.connect(path)
    for statement in ("DELETE FROM attempts", "UPDATE attempts SET verdict = 'accepted'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_one_text_is_stored_once(path: Path) -> None:
    with History.open(path) as history:
        history.add(attempt(), SOURCE)
        history.add(attempt(), SOURCE)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT COUNT(*) FROM sources").fetchone() == (1,)
    connection.close()


def test_looking_never_makes_a_file(path: Path) -> None:
    with History.existing(path) as history:
        assert history is None
    assert not path.parent.exists()


def test_looking_reads_what_was_written(path: Path) -> None:
    with History.open(path) as history:
        history.add(attempt(), SOURCE)
    with History.existing(path) as looking:
        assert looking is not None and looking.states() == {"reduction": State.ACCEPTED}


def test_two_writers_do_not_lose_attempts(path: Path) -> None:
    def write() -> None:
        with History.open(path) as history:
            for _ in range(20):
                history.add(attempt(), SOURCE)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with History.open(path) as history:
        assert len(history.attempts()) == 60


def test_a_locked_history_is_explained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with History.open(path):
        pass
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with History.open(path) as history, pytest.raises(StoreError, match="another warpdojo"):
        history.add(attempt(), SOURCE)
    other.execute("ROLLBACK")
    other.close()


def test_a_damaged_history_is_set_aside_and_said_so(path: Path) -> None:
    path.parent.mkdir()
    damaged = b"not a database" * 100
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="damaged"), History.existing(path):
        pass
    assert path.read_bytes() == damaged  # looking changes nothing
    with pytest.raises(StoreError, match=r"it is now .*\.damaged-.*a new history begins"):
        History.open(path)
    (aside,) = path.parent.glob("*.damaged-*")
    assert aside.read_bytes() == damaged
    with History.open(path) as history:
        history.add(attempt(), SOURCE)
        assert len(history.attempts()) == 1


def test_a_page_that_went_bad_is_found_when_something_is_kept(path: Path) -> None:
    with History.open(path) as history:
        for n in range(200):
            history.add(attempt(task=f"task-{n}"), SOURCE)
    pages = bytearray(path.read_bytes())
    pages[3 * 4096 :] = b"\xff" * (len(pages) - 3 * 4096)
    path.write_bytes(pages)
    with pytest.raises(StoreError, match="damaged"), History.open(path) as history:
        history.add(attempt(), "another text")
    assert len(list(path.parent.glob("*.damaged-*[0-9]"))) == 1 and not path.exists()


def test_a_newer_history_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer"):
        History.open(path)


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="WARPDOJO_HOME"):
        History.open(tmp_path / "file" / "history.sqlite3")


def test_the_default_place_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPDOJO_HOME", str(tmp_path / "mine"))
    with History.open() as history:
        assert history.path == tmp_path / "mine" / "history.sqlite3"


def test_events_are_kept_and_come_newest_first(tmp_path: Path) -> None:
    at = datetime(2026, 11, 29, 12, tzinfo=UTC)
    with History.open(tmp_path / "h.sqlite3") as history:
        history.note(Event("relu", EventKind.OPENED, "", at))
        history.note(Event("relu", EventKind.HINT, "1", at))
        history.note(Event("softmax", EventKind.GAVE_UP, "", at))
        assert [e.kind for e in history.events("relu")] == [EventKind.HINT, EventKind.OPENED]
        assert history.events(limit=1) == (Event("softmax", EventKind.GAVE_UP, "", at),)


@pytest.mark.parametrize("version", range(1, database.SCHEMA_VERSION))
def test_a_history_of_an_earlier_version_is_read_and_then_brought_up_to_date(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "h.sqlite3"
    connection = sqlite3.connect(path)
    for script in database.MIGRATIONS[:version]:
        connection.executescript(script)
    connection.execute("INSERT INTO sources VALUES ('0', X'')")
    connection.execute(
        "INSERT INTO attempts VALUES (1, '2026-01-02T03:04:05+00:00', 'relu', 'cuda', 'sim', 'd', "
        "'accepted', '', 7, 90.0, NULL, NULL, 0.1, '0', '0.1')"
    )
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    connection.close()
    with History.existing(path) as old:
        assert old is not None and old.events() == () and [a.task for a in old.attempts()] == ["relu"]
    with History.open(path) as history:
        history.note(Event("relu", EventKind.OPENED, "", datetime.now(UTC)))
        assert len(history.events()) == 1 and [a.score for a in history.attempts()] == [90.0]
