"""docs/authoring.md is true: whoever types in what it says gets what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")
LINT = Path(__file__).resolve().parents[2] / "trainer" / "bank"
# In the order of the page: a file with its contents, or a block of commands.
STEP = r"^`(my-bank/[^`]+)`:\n\n```\w+\n(.*?)^```|^```sh\n(.*?)^```"
STEPS = re.findall(STEP, TEXT, re.DOTALL | re.MULTILINE)


def test_the_page_from_top_to_bottom(
    warpdojo: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for name, contents, block in STEPS:
        if name:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(contents, encoding="utf-8")
            continue
        for line in block.splitlines():
            command, _, remark = line.partition("    # exit code ")
            ran = run(warpdojo, command)
            assert ran.code == int(remark[:1] or 0), (command, ran.out, ran.err)
            quoted = remark.partition(": no case")[2]
            assert quoted in ran.out + ran.err
            commands += 1
    assert commands > 10


def run(warpdojo: Callable[..., Any], command: str) -> Any:
    words = shlex.split(command)
    if words[0] == "warpdojo":
        return warpdojo(*words[1:])
    subprocess.run(words, check=True)
    return warpdojo("--version")


@pytest.mark.parametrize("finding", re.findall(r"^\| ([a-z][^|:]+?)(?: \||:)", TEXT, re.MULTILINE)[2:])
def test_findings_in_the_table_begin_as_the_lint_words_them(finding: str) -> None:
    begin = " ".join(finding.removeprefix("reference").split()[:3])
    assert begin in "".join(path.read_text(encoding="utf-8") for path in LINT.glob("*.py"))
