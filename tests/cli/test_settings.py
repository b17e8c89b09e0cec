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


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, "en")  # and put back, whatever a command makes of it


def test_starters_go_to_the_folder_of_the_settings(warpdojo: Run, tmp_path: Path) -> None:
    write_setting("workspace", str(tmp_path / "mine"))
    assert warpdojo("start", "relu", "--json").json["path"] == str(tmp_path / "mine" / "relu.cu")
    assert warpdojo("start", "relu", "--dir", tmp_path, "--json").json["path"] == str(tmp_path / "relu.cu")


def test_device_and_backend_are_those_of_the_settings(warpdojo: Run, tmp_path: Path) -> None:
    write_setting("device", "no such GPU")
    file = tmp_path / "relu.cu"
    warpdojo("start", "relu", "--dir", tmp_path)
    assert "no such GPU" in warpdojo("grade", "relu", file).err
    write_setting("backend", "gpu")
    assert warpdojo("grade", "relu", file, "--device", "A100").code == 3


def test_the_language_is_that_of_the_settings(warpdojo: Run) -> None:
    write_setting("language", "zh")
    assert "跨步访问" in warpdojo("show", "strided-loads").out


def test_broken_settings_cost_a_warning(warpdojo: Run) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text("[settings]\ncolour = 'red'\n")
    ran = warpdojo("list", "--topic", "scan")
    assert ran.code == 0 and "there is no setting 'colour'" in ran.err
