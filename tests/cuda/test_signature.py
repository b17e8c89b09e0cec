"""The host function takes what the task passes, or both signatures are shown."""

from __future__ import annotations

import pytest

from trainer.cuda.model import Parameter, Signature
from trainer.cuda.scanner import scan
from trainer.cuda.signature import check_signature, compatible, find_entry, probed_types, shown
from trainer.errors import CompileError

TASK = Signature(
    "solve", (Parameter("input", "const float*"), Parameter("output", "float*"), Parameter("N", "int"))
)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("const float*", "float*"),
        ("float*", "const float* const"),
        ("int", "unsigned long"),
        ("int", "long long"),
        ("size_t", "int"),
        ("const int*", "const unsigned int*"),
        ("half*", "__half*"),
        ("const __nv_bfloat16*", "nv_bfloat16*"),
        ("float", "const float"),
    ],
)
def test_spellings_that_take_the_same_argument(expected: str, found: str) -> None:
    assert compatible(expected, found)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("float*", "float"),
        ("float*", "double*"),
        ("int*", "long*"),
        ("int", "float"),
        ("float", "int"),
        ("float", "double"),
        ("float*", "float**"),
        ("const int*", "const float*"),
        ("half*", "__nv_bfloat16*"),
    ],
)
def test_types_that_would_misread_the_argument(expected: str, found: str) -> None:
    assert not compatible(expected, found)


def test_types_are_shown_as_people_write_them() -> None:
    assert shown("const float*") == "const float*"
    assert shown("unsigned long") == "size_t"
    assert shown("const __half*") == "const half*"


def test_a_wrong_signature_shows_what_is_expected_and_what_is_there() -> None:
    (function,) = scan("void solve(float* x, int n) {}").functions
    with pytest.raises(CompileError) as caught:
        check_signature(("float*", "int"), TASK, function, 7)
    text = str(caught.value)
    assert 'expected: extern "C" void solve(const float* input, float* output, int N)' in text
    assert "found:    void solve(float* x, int n)" in text
    assert caught.value.where is not None and caught.value.where.line == 7


def test_no_host_function_names_the_functions_that_are_there() -> None:
    with pytest.raises(CompileError, match="functions found: helper, main") as caught:
        find_entry(scan("void helper() {}\nint main() {}\n"), TASK)
    assert "void solve(const float* input" in caught.value.hint


def test_two_host_functions_are_refused_with_their_lines() -> None:
    with pytest.raises(CompileError, match=r"2 times \(lines 1, 2\)"):
        find_entry(scan("void solve(int a) {}\nvoid solve(float b) {}\n"), TASK)


def test_a_declaration_or_a_method_of_the_same_name_is_not_a_second_one() -> None:
    source = "void solve(int a);\nstruct S { void solve() {} };\nvoid solve(int a) {}\n"
    found = find_entry(scan(source), TASK)
    assert found is not None and not found.in_class


def test_types_come_from_the_symbol_that_the_compiler_made() -> None:
    ptx = ".extern .func _Z15wd_signature_ofIvJPKfPfmEEvPFT_DpT0_E\n"
    assert probed_types(ptx) == ("const float*", "float*", "unsigned long")
    assert probed_types("nothing here") is None
