"""Only headers that are known to exist reach the compiler."""

from __future__ import annotations

import pytest

from trainer.cuda.includes import resolve_includes
from trainer.errors import CompileError


def test_a_known_header_is_looked_up_in_the_include_folders_only() -> None:
    text, missing = resolve_includes('#include "cuda_fp16.h"\n  #  include <vector> // why\n')
    assert text.split("\n")[:2] == ["#include <cuda_fp16.h>", "#include <vector>"]
    assert not missing


@pytest.mark.parametrize("name", ["solve.h", "my_kernels.cuh", "../../include/cuda_ide.h"])
def test_a_header_of_the_users_own_is_left_out_and_remembered(name: str) -> None:
    text, missing = resolve_includes(f'int a;\n#include "{name}"\nint b;\n')
    assert text == "int a;\n\nint b;\n"
    assert [(m.name, m.line) for m in missing] == [(name, 2)]


@pytest.mark.parametrize(
    "line",
    [
        '#include "/etc/passwd"',
        "#include </etc/passwd>",
        '#include "../../../etc/passwd"',
        "#include <../x>",
        '#include "~/x"',
        "#include WHERE",
        '%: include "/etc/passwd"',
        '#inc\\\nlude "/etc/passwd"',
        '#/**/include "/etc/passwd"',
        '#include_next "/etc/passwd"',
        '#import "/etc/passwd"',
        '#embed "/etc/passwd"',
    ],
)
def test_a_file_outside_the_headers_is_refused(line: str) -> None:
    with pytest.raises(CompileError) as caught:
        resolve_includes("int a;\n" + line + "\nint b;\n")
    assert caught.value.where is not None and caught.value.where.line == 2


def test_the_refusal_names_the_file() -> None:
    with pytest.raises(CompileError, match="/etc/passwd"):
        resolve_includes('#include "/etc/passwd"\n')


@pytest.mark.parametrize(
    "source",
    [
        'const char* s = u8R"(/*)";\n#include "/etc/passwd"\n/* */\n',
        '/* harmless:\n#include "/etc/passwd"\n*/\n',
        '"/*"\n#/*\n*/include "/etc/passwd"\n',
        'const char* s = u8R"(/*)";\n#/* /* */ /*\n*/include "/etc/passwd"\n/* */\n',
    ],
)
def test_an_include_that_may_be_in_a_comment_is_disarmed(source: str) -> None:
    try:
        text, _ = resolve_includes(source)
    except CompileError:
        return
    for line in text.split("\n"):
        assert not line.strip().startswith("#")
    assert text.count("\n") == source.count("\n")


def test_advice_says_what_to_do_about_a_library() -> None:
    _, missing = resolve_includes(
        "#include <torch/extension.h>\n#include <cutlass/gemm.h>\n#include <own.h>\n"
    )
    torch, cutlass, own = (m.advice for m in missing)
    assert "device pointers" in torch
    assert "CUTLASS" in cutlass
    assert "one file" in own


def test_line_directives_do_not_renumber_what_the_user_sees() -> None:
    text, _ = resolve_includes('int a;\n#line 500 "/etc/passwd"\n# 7 "x.cu"\nint b;\n')
    assert text == "int a;\n\n\nint b;\n"


def test_continuation_lines_are_made_up_for() -> None:
    text, _ = resolve_includes('#include \\\n  "own.h"\nint x;\n')
    assert text.split("\n")[2] == "int x;"
