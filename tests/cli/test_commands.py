from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trainer.store.history import Attempt, Event, EventKind, History, fingerprint

Run = Callable[..., "object"]
TASKS = {
    "vector-addition", "matrix-addition", "relu", "matrix-transpose", "matrix-multiplication", "reduction",
    "dot-product", "softmax", "layer-normalization", "gaussian-blur", "histogramming", "prefix-sum",
}  # fmt: skip


def remember(task: str, verdict: str, median_us: float | None = None, days_ago: int = 0) -> None:
    attempt = Attempt(
        task, "cuda", "sim", "a simulator", verdict, "why | not", 7, 50.0, median_us, None, 0.5,
        datetime.now(UTC) - timedelta(days=days_ago), fingerprint("text"),
    )  # fmt: skip
    with History.open() as history:
        history.add(attempt, "text")


# list and show


def test_list_names_the_twelve_tasks_with_their_state(warpdojo: Run) -> None:
    remember("relu", "accepted")
    remember("softmax", "wrong_answer")
    rows = {row["id"]: row for row in warpdojo("list", "--json").json["questions"]}
    assert set(rows) >= TASKS
    assert set(rows["relu"]) == {"id", "kind", "topic", "level", "title", "state"}
    states = (rows["relu"]["state"], rows["softmax"]["state"], rows["reduction"]["state"])
    assert states == ("accepted", "tried", "new")


def test_list_can_be_narrowed(warpdojo: Run) -> None:
    rows = warpdojo("list", "--topic", "scan", "--json").json["questions"]
    assert {row["topic"] for row in rows} == {"scan"} and "prefix-sum" in {row["id"] for row in rows}
    unknown = warpdojo("list", "--topic", "nonsense")
    assert unknown.code == 2 and "topics:" in unknown.err


def test_list_fits_eighty_columns(warpdojo: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(len(line) for line in warpdojo("list").out.splitlines()) <= 80


def test_list_is_quick() -> None:
    """0.25 s is the contract. Processor time: this machine may be doing other things, too."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "trainer.cli", "list"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.25


def test_list_imports_no_array_library(warpdojo: Run) -> None:
    code = "import sys; from trainer.cli import main; main(['list']); print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.strip().endswith("False")


def test_show_has_statement_signature_limits_and_hints_on_request(warpdojo: Run) -> None:
    plain = warpdojo("show", "reduction")
    assert 'extern "C" void solve(const float* input, float* output, int N)' in plain.out
    assert "3 more hints" in plain.out and "Hint 1" not in plain.out
    assert "Hint 2" in warpdojo("show", "reduction", "--hint", "2").out
    assert len(warpdojo("show", "reduction", "--hint", "3", "--json").json["hints"]) == 3


def test_who_asks_for_more_hints_than_there_are_gets_them_all(warpdojo: Run) -> None:
    ran = warpdojo("show", "reduction", "--hint", "9")
    assert ran.code == 0 and "Hint 3" in ran.out and "reduction has only 3 hints" in ran.err


def test_an_unknown_question_is_misuse_and_gets_a_suggestion(warpdojo: Run) -> None:
    ran = warpdojo("show", "reductoin")
    assert ran.code == 2 and "reduction" in ran.err and ran.out == ""
    assert "reduction" in warpdojo("show", "reductoin", "--json").json["error"]["hint"]


# start


def test_start_writes_the_starter_once(warpdojo: Run, tmp_path: Path) -> None:
    ran = warpdojo("start", "relu", "--dir", tmp_path)
    path = tmp_path / "relu.cu"
    assert ran.code == 0 and ran.out.strip() == str(path)
    path.write_text("mine")
    again = warpdojo("start", "relu", "--dir", tmp_path)
    assert again.code == 2 and "--force" in again.err and path.read_text() == "mine"
    assert warpdojo("start", "relu", "--dir", tmp_path, "--force").code == 0
    assert "solve" in path.read_text()


def test_start_uses_the_workspace(warpdojo: Run) -> None:
    path = Path(warpdojo("start", "relu", "--json").json["path"])
    assert path.parent == Path(os.environ["WARPDOJO_WORKSPACE"]) and path.is_file()


def test_start_where_no_folder_can_be(warpdojo: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = warpdojo("start", "relu", "--dir", tmp_path / "file")
    assert ran.code == 2 and "not a folder" in ran.err
    ran = warpdojo("start", "relu", "--dir", "/proc/none")
    assert ran.code == 2 and "cannot be written" in ran.err and "--dir D" in ran.err


# history, stats, export


def test_history_shows_the_newest_first(warpdojo: Run) -> None:
    remember("relu", "wrong_answer")
    remember("relu", "accepted")
    remember("softmax", "hazard")
    rows = warpdojo("history", "relu", "--json").json["attempts"]
    assert [row["verdict"] for row in rows] == ["accepted", "wrong_answer"]
    assert "accepted" in warpdojo("history").out
    assert len(warpdojo("history", "-n", "1", "--json").json["attempts"]) == 1


def test_a_give_up_shows_in_history_stats_and_export(warpdojo: Run) -> None:
    with History.open() as history:
        history.note(Event("relu", EventKind.GAVE_UP, "", datetime.now(UTC) - timedelta(hours=1)))
    remember("relu", "accepted")
    ran = warpdojo("history", "relu")
    assert "accepted after giving up" in ran.out and "gave up" in ran.out.splitlines()[-1]
    data = warpdojo("history", "--json").json
    assert data["attempts"][0]["after_giving_up"] is True and data["gave_up"][0]["task"] == "relu"
    assert "gave up: relu" in warpdojo("stats").out
    assert warpdojo("stats", "--json").json["gave_up"] == ["relu"]
    assert warpdojo("export").json["gave_up"][0]["task"] == "relu"
    assert warpdojo("history", "softmax", "--json").json["gave_up"] == []


def test_an_empty_history_is_no_error_and_writes_nothing(warpdojo: Run, own_home: Path) -> None:
    for command in ("history", "stats", "export"):
        assert warpdojo(command).code == 0
    assert list(own_home.rglob("*.sqlite3")) == []


def test_a_broken_history_costs_list_a_warning_only(warpdojo: Run, own_home: Path) -> None:
    folder = own_home / "data" / "warpdojo"
    folder.mkdir(parents=True)
    (folder / "history.sqlite3").write_bytes(b"nonsense" * 200)
    ran = warpdojo("list", "--json")
    assert ran.code == 0 and "warning" in ran.err and ran.json["questions"]
    assert warpdojo("history").code == 2


def test_stats_count_by_topic(warpdojo: Run) -> None:
    remember("relu", "accepted", 12.5)
    remember("relu", "accepted", 10.5)
    remember("softmax", "hazard")
    stats = warpdojo("stats", "--json").json
    assert (stats["attempts"], stats["accepted"], stats["streak_days"]) == (3, 2, 1)
    assert stats["best_us"] == {"relu": 10.5}
    elementwise = next(t for t in stats["topics"] if t["topic"] == "elementwise")
    assert (elementwise["tried"], elementwise["accepted"], elementwise["attempts"]) == (1, 1, 2)
    assert "10.50 us" in warpdojo("stats").out


def test_stats_say_what_is_due_what_is_weak_and_when_it_was_done(warpdojo: Run) -> None:
    for days_ago, task in ((9, "softmax"), (8, "reduction"), (7, "dot-product")):
        remember(task, "wrong_answer", days_ago=days_ago)
    stats = warpdojo("stats", "--json").json
    assert {one["id"] for one in stats["due"]} == {"softmax", "reduction", "dot-product"}
    assert stats["weak_spots"] == ["reduction"] and sum(stats["days"].values()) == 3
    known = next(t for t in stats["mastery"] if t["topic"] == "reduction")
    assert (known["seen"], known["known"], known["failed"]) == (3, 0, 3)
    told = warpdojo("stats").out
    assert "due today: " in told and "weak: reduction, 3 of the last 3 went wrong" in told and "Mon" in told


@pytest.mark.parametrize(
    ("form", "start"), [("json", '{\n  "schema": 1'), ("csv", "at,task,"), ("md", "| at | task |")]
)
def test_export_has_every_attempt_in_three_forms(warpdojo: Run, form: str, start: str) -> None:
    remember("relu", "accepted")
    remember("softmax", "hazard")
    out = warpdojo("export", "--format", form).out
    assert out.startswith(start)
    assert out.index("relu") < out.index("softmax")


# The rest


def test_without_arguments_there_is_help_and_success(warpdojo: Run) -> None:
    ran = warpdojo()
    assert ran.code == 0 and "warpdojo start" in ran.out


def test_doctor_says_ok_or_what_to_do(warpdojo: Run) -> None:
    ran = warpdojo("doctor", "--json")
    checks = {check["name"]: check for check in ran.json["checks"]}
    assert {"python", "nvrtc", "headers", "simulator", "gpu", "questions", "history", "data"} <= set(checks)
    assert all(check["ok"] or check["advice"] for check in checks.values())
    assert ran.code == 0


def test_doctor_reports_a_broken_history(warpdojo: Run, own_home: Path) -> None:
    folder = own_home / "data" / "warpdojo"
    folder.mkdir(parents=True)
    (folder / "history.sqlite3").write_bytes(b"nonsense" * 200)
    ran = warpdojo("doctor")
    assert ran.code == 3 and "it is set aside" in " ".join(ran.out.split())


def test_check_finds_a_broken_question_of_a_bank_of_ones_own(warpdojo: Run, tmp_path: Path) -> None:
    folder = tmp_path / "questions" / "mine"
    folder.mkdir(parents=True)
    (folder / "broken.yaml").write_text("kind: kernel\nlevle: easy\n")
    ran = warpdojo("check", tmp_path, "--json")
    assert ran.code == 2 and ran.json["errors"] >= 1
    assert ran.json["findings"][0]["file"].endswith("broken.yaml")
    listed = warpdojo("--bank", tmp_path, "list")
    assert listed.code == 0 and "broken.yaml" in listed.err


def test_a_bank_that_is_none_is_misuse(warpdojo: Run, tmp_path: Path) -> None:
    for arguments in (("list", "--bank", tmp_path), ("--bank", tmp_path, "list"), ("check", tmp_path)):
        assert warpdojo(*arguments).code == 2


def test_the_ladder_is_shown_without_a_gpu(warpdojo: Run) -> None:
    ran = warpdojo("ladder", "reduction", "--json")
    assert ran.code == 0
    assert len(ran.json["ladder"]["rungs"]) >= 6 and len(ran.json["ladder"]["between"]) == 2
    assert ran.json["ladder"]["size"] == "N=33554432"
    shown = warpdojo("ladder", "reduction").out
    assert "removes" in shown and "recorded on NVIDIA H200, N=33554432" in shown


def test_wrong_usage_is_exit_code_two(warpdojo: Run) -> None:
    for arguments in (
        ("nonsense",),
        ("grade", "relu"),
        ("list", "x"),
    ):
        ran = warpdojo(*arguments)
        assert ran.code == 2 and "--help" in ran.err and ran.out == ""
        assert warpdojo(*arguments, "--json").json["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ("show relu --hint x", "--hint takes a whole number, 0 or more, not 'x'"),
        ("show relu --hint -1", "--hint takes a whole number, 0 or more, not '-1'"),
        ("grade relu x --seed -1", "--seed takes a whole number, from 0 to 4294967295, not '-1'"),
        ("quiz --seed now", "--seed takes a whole number, from 0 to 4294967295, not 'now'"),
        ("quiz -n 0", "-n takes a whole number, 1 or more, not '0'"),
        ("history -n all", "-n takes a whole number, 1 or more, not 'all'"),
        ("mock --minutes x", "--minutes takes a number above 0, not 'x'"),
        ("mock written-exam --minutes nan", "--minutes takes a number above 0, not 'nan'"),
    ],
)
def test_what_is_no_such_number_is_refused_in_our_words(warpdojo: Run, arguments: str, wanted: str) -> None:
    ran = warpdojo(*arguments.split())
    assert (ran.code, ran.out) == (2, "") and f"warpdojo: {wanted}\n  for example" in ran.err
    assert warpdojo(*arguments.split(), "--json").json["error"]["message"] == wanted


def test_a_bug_of_ours_becomes_a_report_not_a_traceback(
    warpdojo: Run, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("trainer.cli.commands.list.run", fail)
    ran = warpdojo("list", "--json")
    assert ran.code == 1 and "Traceback" not in ran.err and "report it" in ran.err
    assert "oops" in ran.json["error"]["message"]
    crashes = list((own_home / "data" / "warpdojo" / "crashes").iterdir())
    assert len(crashes) == 1 and "ZeroDivisionError" in crashes[0].read_text()


def test_interrupting_is_exit_code_130(warpdojo: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("trainer.cli.commands.list.run", interrupt)
    assert warpdojo("list").code == 130


def test_a_reader_that_leaves_and_closed_streams_are_fine() -> None:
    warpdojo = f"{sys.executable} -m trainer.cli"
    for line in (f"{warpdojo} list | head -n 1", f"{warpdojo} list >&- 2>&- <&-", f"{warpdojo} list <&-"):
        ran = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
        assert ran.returncode == 0 and ran.stderr == "", line


def test_a_reader_that_leaves_does_not_change_the_exit_code() -> None:
    code = "import sys, time; time.sleep(0.3); from trainer.cli import main; sys.exit(main())"
    for words, expected in (
        ("ladder reduction", 0), ("stats", 0), ("show nothing", 2), ("show nothing --json", 2),
    ):  # fmt: skip
        line = f"{sys.executable} -c '{code}' {words} | true"
        ran = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
        assert ran.returncode == expected, (words, ran.stderr)
        assert "Traceback" not in ran.stderr and "Exception" not in ran.stderr


def test_output_that_finds_no_room_is_told_in_a_line() -> None:
    for words in ("list", "list --json", "show relu", "nothing --json"):
        line = f"{sys.executable} -m trainer.cli {words} > /dev/full"
        ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
        assert ran.returncode == 2 and "Traceback" not in ran.stderr, (words, ran.stderr)
        assert ran.stderr.endswith("the output cannot be written: No space left on device\n"), words


def test_every_command_has_help(warpdojo: Run) -> None:
    from trainer.cli.parser import build

    listed = build().format_help()
    for command in "list show start grade watch explain ladder history stats export check doctor".split():
        assert command in listed
        assert warpdojo(command, "--help").code == 0
