from __future__ import annotations

from pathlib import Path

import pytest

from trainer.bank.ladder import dump_recording, fingerprint, load_recordings, load_rungs, still_true
from trainer.bank.model import RecordedTime, Recording, Rung
from trainer.errors import ContentError

LADDER = """\
rungs:
  - {file: 01-naive.cu, title: Naive, idea: an idea, removes: nothing, watch: sectors}
  - {file: 02-better.cu, title: {en: Better, zh: 更好}, idea: another, removes: waste, watch: bytes}
"""


def ladder(folder: Path, text: str = LADDER) -> Path:
    (folder / "ladder.yaml").write_text(text, encoding="utf-8")
    for name in ("01-naive.cu", "02-better.cu"):
        (folder / name).write_text("")
    return folder


def test_rungs_come_in_order_with_their_texts(tmp_path: Path) -> None:
    first, second = load_rungs(ladder(tmp_path))
    assert (first.id, first.title["en"], first.watch["en"]) == ("01-naive", "Naive", "sectors")
    assert second.title["zh"] == "更好"
    assert second.source == tmp_path / "02-better.cu"


def test_a_task_may_have_no_ladder(tmp_path: Path) -> None:
    assert load_rungs(tmp_path / "nothing") == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("file: 02-better.cu", "file: 03-best.cu", "no file '03-best.cu'"),
        ("file: 02-better.cu", "file: 01-naive.cu", "in the order of their names"),
        (LADDER.splitlines()[2], "", "02-better.cu is not listed"),
        ("watch: sectors", "wach: sectors", "'wach' is not known"),
        (", watch: sectors", "", "'watch' is missing"),
    ],
)
def test_a_broken_ladder_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in LADDER
    with pytest.raises(ContentError, match=message) as caught:
        load_rungs(ladder(tmp_path, LADDER.replace(old, new)))
    assert caught.value.where is not None and caught.value.where.line is not None


LEVELS = LADDER.replace("sectors}", "sectors, level: 0}").replace("bytes}", "bytes, level: 2, needs: sm_90a}")
LEVELS += "levels: [Naive, Tiled, {en: Beyond, zh: 更远}]\n"


def test_rungs_may_fall_into_levels_and_need_an_architecture(tmp_path: Path) -> None:
    first, second = load_rungs(ladder(tmp_path, LEVELS))
    assert first.level is not None and (first.level.number, first.level.name["en"]) == (0, "Naive")
    assert second.level is not None and (second.level.number, second.level.name["zh"]) == (2, "更远")
    assert (first.needs, second.needs) == ("", "sm_90a")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("level: 2", "level: 3", "no level 3"),
        ("level: 0", "level: 2", None),
        ("level: 2", "level: 0", None),
        (", level: 0", "", "'level' is missing"),
        ("sm_90a", "sm_9", "sm_9"),
    ],
)
def test_levels_are_there_and_never_fall(tmp_path: Path, old: str, new: str, message: str | None) -> None:
    text = LEVELS.replace(old, new)
    if message is None:
        load_rungs(ladder(tmp_path, text))
        text, message = LEVELS.replace("level: 2", "level: 1").replace("level: 0", "level: 2"), "already"
    with pytest.raises(ContentError, match=message):
        load_rungs(ladder(tmp_path, text))


def test_rungs_without_texts_are_refused(tmp_path: Path) -> None:
    (ladder(tmp_path) / "ladder.yaml").unlink()
    with pytest.raises(ContentError, match=r"without a ladder\.yaml"):
        load_rungs(tmp_path)


def test_recorded_times_survive_a_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "measured" / "h200.json"
    path.parent.mkdir()
    recording = Recording(
        device="NVIDIA H200",
        driver="580.1",
        date="2026-11-30",
        command="warpdojo ladder reduction --measure",
        times={"reduction": {"01-naive": RecordedTime(12.5, 12.25, 13.0, 40, True)}},
        path=path,
    )
    path.write_text(dump_recording(recording))
    assert load_recordings(tmp_path) == (recording,)


def test_a_time_counts_as_long_as_its_rung_and_its_sizes_stay(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("first")
    (tmp_path / "b.cu").write_text("second")
    rungs = tuple(Rung(f"{n}", *[{"en": n}] * 4, tmp_path / f"{n}.cu") for n in "ab")
    times = {r.id: RecordedTime(1.0, 1.0, 1.0, 20, True, fingerprint(r, {"N": 8})) for r in rungs}
    recording = Recording("GPU", "1", "2026-11-30", "", {"sum": times, "other": times}, tmp_path)
    assert still_true(recording, "sum", rungs, {"N": 8}).times == {"sum": times}
    assert still_true(recording, "sum", rungs, {"N": 9}).times == {}
    (tmp_path / "b.cu").write_text("changed")
    assert set(still_true(recording, "sum", rungs, {"N": 8}).times["sum"]) == {"a"}


@pytest.mark.parametrize("text", ["{", "[]", '{"device": "x"}', '{"tasks": {"a": {"b": {}}}}'])
def test_a_broken_recording_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "measured").mkdir()
    (tmp_path / "measured" / "gpu.json").write_text(text)
    with pytest.raises(ContentError):
        load_recordings(tmp_path)
