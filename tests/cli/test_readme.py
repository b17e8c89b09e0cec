"""Every command in the README is true."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trainer.cli.parser import build

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCKS = re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
LINES = [line.split("#")[0].strip() for block in BLOCKS for line in block.splitlines()]
COMMANDS = [shlex.split(line)[1:] for line in LINES if line.startswith("warpdojo ")]
TARGETS = [shlex.split(line) for line in LINES if line.startswith("make ")]
NEEDS_A_FILE = {"grade", "watch", "explain"}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_commands_of_the_readme_run(
    warpdojo: Callable[..., Any], arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(README.parent)
    assert warpdojo(*arguments).code == 0


@pytest.mark.parametrize("words", TARGETS, ids=" ".join)
def test_make_targets_of_the_readme_exist(words: list[str]) -> None:
    makefile = (README.parent / "Makefile").read_text()
    assert re.search(rf"^{words[1]}:", makefile, re.MULTILINE)
    for word in words[2:]:
        build().parse_args(shlex.split(word.removeprefix("ARGS=")))


def test_options_in_the_table_are_known_to_the_parser() -> None:
    actions = next(a for a in build()._actions if a.dest == "command").choices
    assert actions is not None
    text = README.read_text(encoding="utf-8").replace("\\|", "|")
    rows = re.findall(r"^\| (`warpdojo .*?`) \|", text, re.MULTILINE)
    listed = [cell for row in rows for cell in re.findall(r"`warpdojo ([a-z]+)([^`]*)`", row)]
    assert {name for name, _ in listed} == set(actions)
    for name, rest in listed:
        known = actions[name].format_help()  # type: ignore[index]
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in known, f"{name} {option}"


def test_the_file_of_the_readme_is_a_submission() -> None:
    source = re.search(r"```cuda\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert source is not None and 'extern "C" void solve' in source.group(1)
