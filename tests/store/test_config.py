"""Settings: read entry by entry, written without touching what people wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.errors import UsageError
from trainer.store.config import Config, read_config, write_setting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "config.toml"


def test_no_file_means_the_defaults(path: Path) -> None:
    assert read_config(path).config == Config()


def test_a_setting_written_is_read_again(path: Path) -> None:
    write_setting("editor", 'code --wait "a\\b"', path)
    write_setting("theme", "nord", path)
    write_setting("theme", "dojo-light", path)
    assert read_config(path).config == Config(editor='code --wait "a\\b"', theme="dojo-light")


def test_comments_and_keys_survive_a_change(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('# mine\n[settings]\n# dark at night\ntheme = "nord"\n\n[keys]\n"task.grade" = "f5"\n')
    write_setting("theme", "dojo-light", path)
    write_setting("device", "A100", path)
    text = path.read_text()
    assert "# mine" in text and "# dark at night" in text
    config = read_config(path).config
    assert (config.theme, config.device, config.keys) == ("dojo-light", "A100", {"task.grade": "f5"})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("themes = 'x'", ["themes", "known: theme, editor"]),
        ("backend = 'tpu'", ['"tpu"', '"auto", "gpu", "sim"']),
        ("language = 'xx'", ['"xx"', '"en", "zh"']),
        ("device = 'H9000'", ['"H9000"', "known: V100"]),
        ("editor = 5", ["editor is 5", "in quotes"]),
        ("editor = code --wait", ["TOML: editor = code --wait", "in quotes"]),
        ("editor = true", ["editor is true", "in quotes"]),
        ("[colours]", ["colours", "[settings]"]),
        ("[colours", ["TOML: [colours", "[settings]"]),
    ],
)
def test_a_wrong_entry_is_named_with_its_line_and_costs_no_other(
    path: Path, line: str, words: list[str]
) -> None:
    path.parent.mkdir()
    path.write_text(f'[settings]\ntheme = "nord"\n{line}\n[keys]\ntask.grade = "f9"\n')
    reading = read_config(path)
    assert (reading.config.theme, reading.config.keys) == ("nord", {"task.grade": "f9"})
    (mistake,) = reading.mistakes
    assert str(mistake).startswith(f"{path}:3: ") and all(word in str(mistake) for word in words)


def test_all_mistakes_are_found_at_once(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('editor = "vi"\n[settings]\ntheme = nord\ndevice = 3\n[keys]\n"help" = 4\n')
    mistakes = read_config(path).mistakes
    assert [(m.name, m.problem.where and m.problem.where.line) for m in mistakes] == [
        ("editor", 1), ("theme", 3), ("device", 4), ("help", 6),
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"\xff\xfe", b"=\n" * 500], ids=["no UTF-8", "no TOML at all"])
def test_a_file_of_something_else_means_the_defaults(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    reading = read_config(path)
    assert reading.config == Config() and reading.mistakes


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write_setting("theme", "nord", tmp_path / "file" / "config.toml")
