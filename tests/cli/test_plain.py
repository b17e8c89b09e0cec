"""Terminals of the locale "C" get ASCII, spelled so that nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trainer
from trainer.cli.plain import is_plain, spelled

TRANSPOSE = Path(__file__).parents[2] / "solutions" / "matrix-transpose"


@pytest.mark.parametrize(
    ("environ", "utf8_mode", "plain"),
    [
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, True),  # Python itself sets LC_CTYPE
        ({"LC_ALL": "POSIX"}, True, True),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "C"}, False, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, False),  # the user set LC_CTYPE
        ({"LANG": "en_US.UTF-8"}, False, False),
        ({"LANG": "C", "PYTHONUTF8": "1"}, True, False),
        ({}, True, False),
    ],
)
def test_a_locale_that_was_asked_for_decides(environ: dict[str, str], utf8_mode: bool, plain: bool) -> None:
    assert is_plain(environ, utf8_mode) is plain


def test_signs_are_spelled_and_letters_lose_their_accents() -> None:
    assert "".join(map(spelled, "32 × 32 → K² é …")) == "32 x 32 -> K^2 e ..."
    assert spelled("字") == "?"


def test_every_sign_of_the_program_has_a_spelling() -> None:
    texts = (path.read_text(encoding="utf-8") for path in Path(trainer.__file__).parent.rglob("*.py"))
    signs = {sign for text in texts for sign in text if 127 < ord(sign) < 0x2E80}  # beyond: Chinese
    assert {sign for sign in signs if spelled(sign) == "?"} == set()
    assert len({spelled(sign) for sign in "○●◐◇"}) == 4 and len({spelled(sign) for sign in "░▒▓█"}) == 4


def run(language: str, *arguments: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    environ = {**kept, "LANG": language, "COLUMNS": "80"}
    ran = subprocess.run(
        [sys.executable, "-m", "trainer.cli", *arguments],
        env=environ,
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return ran.stdout.decode()


def test_an_explanation_with_its_pictures_is_ascii_in_eighty_columns() -> None:
    source = sorted(TRANSPOSE.glob("03-*.cu"))[0]
    told = run("C", "explain", "matrix-transpose", str(source))
    assert told.isascii() and "?" not in told
    assert "#..............................." in told
    assert max(map(len, told.splitlines())) <= 80
    assert "■···" in run("C.UTF-8", "explain", "matrix-transpose", str(source))


def test_questions_lose_no_sign() -> None:
    arguments = ("quiz", "-n", "400", "--seed", "5")
    plain, rich = run("C", *arguments), run("C.UTF-8", *arguments)
    assert plain.isascii() and not rich.isascii()
    assert plain.count("?") == rich.count("?")


def test_json_stays_what_it_is() -> None:
    arguments = ("quiz", "-n", "40", "--seed", "5", "--json")
    plain, rich = run("C", *arguments), run("C.UTF-8", *arguments)
    assert plain.isascii() and json.loads(plain) == json.loads(rich)
