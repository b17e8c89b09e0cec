"""Compiler messages at the user's own lines and columns, with nothing of ours in them."""

from __future__ import annotations

from trainer.cuda.diagnostics import merge, parse_log, render
from trainer.cuda.includes import INCLUDE_ROOT
from trainer.cuda.model import Diagnostic, Severity

SOURCE = "int a;\n    b = x + 1;\nint c;\n"


def test_a_message_has_line_column_and_severity() -> None:
    log = (
        'submission.cu(2): error: identifier "x" is undefined\n      b = x + 1;\n          ^\n\n'
        '1 error detected in the compilation of "submission.cu".\n'
    )
    assert parse_log(log, SOURCE) == (Diagnostic(2, 9, Severity.ERROR, 'identifier "x" is undefined'),)


def test_a_message_of_several_lines_is_joined() -> None:
    log = "submission.cu(2): error: no instance matches\n            argument types are: (int)\n"
    log += "      b = x + 1;\n      ^\n"
    (found,) = parse_log(log, SOURCE)
    assert found.message == "no instance matches argument types are: (int)"


def test_an_error_inside_a_header_is_shown_where_the_user_caused_it() -> None:
    log = (
        f"{INCLUDE_ROOT}/stubs/vector(12): error: bad use\n    quoted header text\n    ^\n"
        "          detected during:\n"
        '            instantiation of "T f" at line 3 of submission.cu\n'
    )
    (found,) = parse_log(log, SOURCE)
    assert (found.line, found.message) == (3, "bad use")


def test_no_path_and_no_text_of_another_file_is_shown() -> None:
    header = f"{INCLUDE_ROOT}/stubs/vector"
    log = f"{header}(12): error: see {header} and wd_cudaMalloc\n    secret\n    ^\n"
    diagnostics = parse_log(log, SOURCE)
    shown = render(diagnostics, SOURCE)
    assert str(INCLUDE_ROOT) not in shown and "secret" not in shown
    assert "see vector and cudaMalloc" in shown


def test_warnings_about_headers_and_messages_about_our_own_text_are_dropped() -> None:
    log = "/x/y.h(3): warning #1-D: dull\n\nsubmission.cu(99): error: ours\n"
    assert parse_log(log, SOURCE) == ()


def test_a_message_seen_by_both_compiles_is_shown_once_and_in_order() -> None:
    first, second = Diagnostic(3, 1, Severity.ERROR, "b"), Diagnostic(1, 1, Severity.WARNING, "a")
    assert merge([first, second, first]) == (second, first)


def test_too_much_static_shared_memory_is_explained() -> None:
    log = "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x10000 bytes, 0xc000 max)\n"
    (found,) = parse_log(log, SOURCE)
    assert "k declares 65,536 bytes of static shared memory; 49,152 is the limit" in found.message


def test_reports_of_ptxas_are_no_part_of_a_message() -> None:
    log = "submission.cu(2): warning #1-D: odd\n      b = x + 1;\n      ^\n\nptxas info    : 0 bytes gmem\n"
    (found,) = parse_log(log, SOURCE)
    assert found.message == "odd"


def test_the_quoted_line_is_the_users_with_a_caret_under_the_column() -> None:
    text = render([Diagnostic(2, 9, Severity.ERROR, "oh")], SOURCE)
    assert text.split("\n") == ["submission.cu:2:9: error: oh", "        b = x + 1;", "            ^"]
