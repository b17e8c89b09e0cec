"""Every bad input gets the right verdict in clear words, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.bad_input.sources import BAD, Bad

CODES = {"accepted": 0, "timed_out": 4}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name.replace(" ", "-"))
def test_a_bad_submission_gets_its_verdict(bad: Bad, grade: Callable[..., Any]) -> None:
    graded = grade(bad.source)
    result = graded.json
    told = f"{result['verdict']}: {result['message']}\n{graded.err}"
    assert result["verdict"] in bad.verdicts, told
    assert graded.code == CODES.get(result["verdict"], 1)
    words = f"{result['message']} {result['hazards']}".lower()
    for word in bad.words:
        assert word in words, told
    assert "Traceback" not in told and "internal error" not in told
    if bad.line and result["compile"] is not None and result["verdict"] == "compile_error":
        assert bad.line in [d["line"] for d in result["compile"]["diagnostics"]], result["compile"]
    elif bad.line and result["hazards"]:
        assert result["hazards"][0]["line"] == bad.line


def test_no_word_of_an_included_file_gets_out(grade: Callable[..., Any]) -> None:
    for line in ('#include "/etc/passwd"', "#include </etc/passwd>", '#  include "../../../../etc/passwd"'):
        graded = grade(f'{line}\nextern "C" void solve(const float* input, float* output, int N) {{}}\n')
        assert graded.json["verdict"] == "compile_error"
        assert "root:" not in str(graded.json) and "root:" not in graded.err


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0", "binary"),
        (b'// \xe9\nextern "C" void solve();\n', "UTF-8"),
        (b"//" + b"x" * 10_000_000, "larger"),
    ],
    ids=["empty", "binary", "not-utf-8", "ten-megabytes"],
)
def test_a_file_that_is_no_text_is_a_compile_error(
    data: bytes, words: str, grade: Callable[..., Any]
) -> None:
    graded = grade(data)
    assert graded.code == 1 and graded.json["verdict"] == "compile_error" and words in graded.json["message"]
