"""Settings: read strictly, written without touching what people wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.errors import UsageError
from trainer.store.config import Config, read_config, write_setting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "config.toml"


def test_no_file_means_the_defaults(path: Path) -> None:
    assert read_config(path) == Config()


def test_a_setting_written_is_read_again(path: Path) -> None:
    write_setting("editor", 'code --wait "a\\b"', path)
    write_setting("theme", "nord", path)
    write_setting("theme", "dojo-light", path)
    assert read_config(path) == Config(editor='code --wait "a\\b"', theme="dojo-light")


def test_comments_and_keys_survive_a_change(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('# mine\n[settings]\n# dark at night\ntheme = "nord"\n\n[keys]\n"task.grade" = "f5"\n')
    write_setting("theme", "dojo-light", path)
    write_setting("device", "A100", path)
    text = path.read_text()
    assert "# mine" in text and "# dark at night" in text
    config = read_config(path)
    assert (config.theme, config.device, config.keys) == ("dojo-light", "A100", {"task.grade": "f5"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[settings]\nthemes = 'x'", "themes"),
        ("[settings]\nbackend = 'tpu'", "tpu"),
        ("[settings]\ntheme = 3", "quotes"),
        ("[settings", "TOML"),
        ("[colours]", "colours"),
    ],
    ids=["unknown setting", "unknown backend", "no text", "no TOML", "unknown table"],
)
def test_a_mistake_is_named_with_its_file(path: Path, text: str, words: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UsageError) as problem:
        read_config(path)
    assert words in str(problem.value) and str(path) in str(problem.value)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write_setting("theme", "nord", tmp_path / "file" / "config.toml")
