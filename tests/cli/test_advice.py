"""Advice that fits the command line is given there: the app shows the errors of the core, too."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import trainer
from trainer.cli.parser import build

Run = Callable[..., Any]
HERE = Path(trainer.__file__).parent
USED_AS_OPTIONS = {
    "worker",
    "cuda",
    "cli",
}  # folders: arguments of processes and compilers, and the front end


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _options(sub)


def _texts(module: ast.Module) -> Iterator[str]:
    """All strings but docstrings and whole commands, which reports have as data."""
    remarks = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in remarks:
            yield "" if node.value.startswith("warpdojo ") else node.value


def test_no_text_outside_the_command_line_names_its_options() -> None:
    named = re.compile(rf"({'|'.join(sorted(set(_options(build())) - {'--bank'}))})\b")
    found = []
    for path in HERE.rglob("*.py"):
        if path.relative_to(HERE).parts[0] in USED_AS_OPTIONS:
            continue
        found += [
            f"{path.name}: {text}" for text in _texts(ast.parse(path.read_text())) if named.search(text)
        ]
    assert not found


def test_start_names_the_option_that_helps(warpdojo: Run, tmp_path: Path) -> None:
    (tmp_path / "relu.cu").write_text("mine")
    assert "--force overwrites it" in warpdojo("start", "relu", "--dir", tmp_path).err
    assert "--dir D puts it elsewhere" in warpdojo("start", "relu", "--dir", tmp_path / "relu.cu" / "x").err
