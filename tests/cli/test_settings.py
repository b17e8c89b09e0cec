"""Commands heed the settings file of the app; the command line goes first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trainer.store.config import write_setting
from trainer.store.paths import config_file
from trainer.text import LANGUAGE_VARIABLE

Run = Callable[..., Any]
SOLUTIONS = Path(__file__).parents[2] / "solutions"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, "en")  # and put back, whatever a command makes of it


def test_starters_go_to_the_folder_of_the_settings(warpdojo: Run, tmp_path: Path) -> None:
    write_setting("workspace", str(tmp_path / "mine"))
    assert warpdojo("start", "relu", "--json").json["path"] == str(tmp_path / "mine" / "relu.cu")
    assert warpdojo("start", "relu", "--dir", tmp_path, "--json").json["path"] == str(tmp_path / "relu.cu")


def test_device_and_backend_are_those_of_the_settings(warpdojo: Run) -> None:
    write_setting("device", "A100")
    file = SOLUTIONS / "relu" / "03-float4.cu"
    told = warpdojo("grade", "relu", file).out
    assert "modelled for A100" in told and "simulator (models A100)" in told
    write_setting("backend", "gpu")
    assert warpdojo("grade", "relu", file).code == 3


def test_the_language_is_that_of_the_settings(warpdojo: Run) -> None:
    write_setting("language", "zh")
    assert "跨步访问" in warpdojo("show", "strided-loads").out


def test_wrong_settings_cost_one_warning_and_leave_json_whole(warpdojo: Run, tmp_path: Path) -> None:
    write_setting("workspace", str(tmp_path / "mine"))
    with config_file().open("a") as file:
        file.write("colour = 'red'\ndevice = 'H9000'\n")
    ran = warpdojo("start", "relu", "--json")
    assert ran.json["path"] == str(tmp_path / "mine" / "relu.cu")
    assert ran.err.count("warning") == 1
    assert "there is no setting 'colour'" in ran.err and "H9000" in ran.err
