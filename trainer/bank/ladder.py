"""Reference ladders (solutions/<id>/ladder.yaml) and their recorded times (solutions/measured/*.json).

`ladder.yaml` is a list, one entry a rung file, lowest rung first:

    rungs:
      - file: 01-naive.cu
        title: One thread an element
        idea: ...
        removes: ...
        watch: ...
        level: 0         # if the ladder names levels
        needs: sm_90a    # if it uses instructions that only this architecture has

Above `rungs` may stand names of levels, lowest first, for tasks whose rungs fall into some:

    levels: [Naive, Shared tiles, Register tile]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trainer.bank.model import Level, RecordedTime, Recording, Rung
from trainer.bank.source import Value, read, read_text
from trainer.errors import ContentError, Location

_TEXTS = ("title", "idea", "removes", "watch")
_ARCHITECTURES = ("sm_80", "sm_89", "sm_90", "sm_90a")


def load_rungs(folder: Path) -> tuple[Rung, ...]:
    """The rungs of one task. Empty if the folder has none; raises ContentError for a broken ladder.

    Every .cu file of the folder has to be listed, in the order of their names.
    """
    listing, sources = folder / "ladder.yaml", sorted(folder.glob("*.cu"))
    if not listing.is_file():
        if sources:
            raise ContentError("rungs without a ladder.yaml", where=Location(folder))
        return ()
    ladder = read(listing).fields(("rungs", "levels"), required=("rungs",))
    value = ladder["rungs"]
    names = ladder["levels"].items() if "levels" in ladder else ()
    levels = [Level(number, name.text()) for number, name in enumerate(names)]
    rungs: list[Rung] = []
    for item in value.items():
        fields = item.fields(("file", *_TEXTS, "level", "needs"), required=("file", *_TEXTS))
        source = folder / fields["file"].string()
        if source not in sources:
            fields["file"].fail(f"there is no file {source.name!r} in this folder")
        if rungs and source.name <= rungs[-1].source.name:
            fields["file"].fail("rungs should be listed once each, in the order of their names")
        title, idea, removes, watch = (fields[key].text() for key in _TEXTS)
        level = _level(item, fields, levels, rungs[-1].level if rungs else None)
        needs = fields["needs"].choice(_ARCHITECTURES) if "needs" in fields else ""
        rungs.append(Rung(source.stem, title, idea, removes, watch, source, level, needs))
    unlisted = sorted({s.name for s in sources} - {r.source.name for r in rungs})
    if unlisted:
        value.fail(f"{unlisted[0]} is not listed")
    return tuple(rungs)


def _level(
    item: Value, fields: Mapping[str, Value], levels: Sequence[Level], before: Level | None
) -> Level | None:
    """The level of a rung, which is none below that of the rung before."""
    if "level" not in fields:
        if levels:
            item.fail("'level' is missing", "The ladder names levels, so each rung has one.")
        return None
    number = fields["level"].integer()
    if not 0 <= number < len(levels):
        fields["level"].fail(f"there is no level {number}; the ladder names {len(levels)}")
    if before is not None and number < before.number:
        fields["level"].fail(f"the rung before is of level {before.number} already")
    return levels[number]


def load_recordings(solutions: Path) -> tuple[Recording, ...]:
    """All recorded times below a bank's `solutions` folder. Raises ContentError for a broken file."""
    return tuple(_recording(path) for path in sorted((solutions / "measured").glob("*.json")))


def _recording(path: Path) -> Recording:
    try:
        data = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise ContentError(f"is not valid JSON: {error.msg}", where=Location(path, error.lineno)) from error
    try:
        times = {
            task: {rung: _time(record) for rung, record in rungs.items()}
            for task, rungs in data["tasks"].items()
        }
        about = {key: str(data[key]) for key in ("device", "driver", "date", "command")}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"is no recording: {type(error).__name__} {error}"
        hint = "It needs device, driver, date, command and tasks[task][rung] with median_us, p5_us, ..."
        raise ContentError(message, where=Location(path), hint=hint) from error
    return Recording(**about, times=times, path=path)


def fingerprint(rung: Rung, sizes: Mapping[str, int]) -> str:
    """Changes with the rung's text and with the sizes at which it is timed."""
    text = f"{sorted(sizes.items())}\n{rung.source.read_text(encoding='utf-8')}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def still_true(recording: Recording, task: str, rungs: Sequence[Rung], sizes: Mapping[str, int]) -> Recording:
    """The recording with `task` alone, without rungs that have changed since."""
    known = recording.times.get(task, {})
    now = {rung.id: fingerprint(rung, sizes) for rung in rungs if rung.id in known}
    kept = {rung: time for rung, time in known.items() if time.fingerprint == now.get(rung)}
    return replace(recording, times={task: kept} if kept else {})


def _time(record: Mapping[str, Any]) -> RecordedTime:
    spread = [None if record.get(key) is None else float(record[key]) for key in ("p5_us", "p95_us")]
    samples = None if record.get("samples") is None else int(record["samples"])
    cold, of = bool(record.get("cold", True)), str(record.get("fingerprint", ""))
    return RecordedTime(float(record["median_us"]), spread[0], spread[1], samples, cold, of)


def dump_recording(recording: Recording) -> str:
    """The JSON text of a recording, as `load_recordings` reads it."""
    data = {
        "device": recording.device,
        "driver": recording.driver,
        "date": recording.date,
        "command": recording.command,
        "tasks": {
            task: {rung: vars(time) for rung, time in rungs.items()}
            for task, rungs in recording.times.items()
        },
    }
    return json.dumps(data, indent=2) + "\n"
