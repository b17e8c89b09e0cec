"""The scanner finds functions in what people really write."""

from __future__ import annotations

import pytest

from trainer.cuda.scanner import blank_spans, mask, scan, split_parameters


def names(source: str) -> list[str]:
    return [f.name for f in scan(source).functions]


def test_a_brace_in_a_comment_or_string_is_not_a_brace() -> None:
    source = "void a() { /* } */ // }\n const char* s = \"}\"; char c = '}'; }\nvoid b() {}\n"
    assert names(source) == ["a", "b"]


def test_a_raw_string_may_hold_anything() -> None:
    assert names('const char* s = R"x(void no() { )" )x";\nvoid yes() {}\n') == ["yes"]


def test_a_digit_separator_does_not_start_a_character() -> None:
    assert names("int n = 1'000'000;\nvoid f() {}\n") == ["f"]


def test_a_line_comment_goes_on_after_a_backslash() -> None:
    assert names("// one \\\nvoid hidden() {}\nvoid seen() {}\n") == ["seen"]


def test_masking_moves_no_line() -> None:
    source = '/* a\n b */ "c" // d\n\nint x;\n'
    masked = mask(source)
    assert len(masked) == len(source)
    assert [i for i, c in enumerate(masked) if c == "\n"] == [i for i, c in enumerate(source) if c == "\n"]


def test_qualifiers_and_templates_are_seen() -> None:
    source = (
        "template <int N, class T = Pair<int, int>>\n"
        "__global__ void __launch_bounds__(256, (2)) k(T* p, int n) {}\n"
        "static __device__ __forceinline__ float g(float x) { return x; }\n"
    )
    kernel, helper = scan(source).functions
    assert (kernel.name, kernel.is_kernel, kernel.is_template) == ("k", True, True)
    assert kernel.parameters == ("T* p", "int n")
    assert helper.is_device and not helper.is_kernel


def test_functions_inside_namespaces_extern_blocks_and_classes_are_found() -> None:
    source = (
        'namespace a { namespace b { void f() {} } }\nextern "C" { void g() {} }\n'
        "struct S { int x = 0; void h() {} };\nvoid last() {}\n"
    )
    found = {f.name: f for f in scan(source).functions}
    assert found["f"].scope == ("a", "b")
    assert found["g"].scope == ()
    assert found["h"].in_class and found["h"].scope == ("S",)
    assert "last" in found


@pytest.mark.parametrize(
    "text",
    [
        "struct P { int x; } p;",
        "float table[] = {1, 2, 3};",
        "auto f = [](int x) { return x; };",
        "enum Mode { A, B };",
        "#define F(x) void x() { }",
        "void declared(int);",
    ],
)
def test_what_looks_like_a_function_is_none(text: str) -> None:
    assert names(text + "\nvoid real() {}\n") == ["real"]


def test_a_function_that_returns_a_struct_is_a_function() -> None:
    assert names("struct P f(int x) { return P(); }\n") == ["f"]


def test_a_constructor_default_and_an_operator_do_not_confuse_it() -> None:
    source = (
        "struct C { C() : a(0) {} bool operator==(const C& o) const { return true; } int a; };\nvoid f() {}\n"
    )
    assert names(source)[-1] == "f"


def test_what_the_preprocessor_switches_off_is_not_there() -> None:
    source = (
        "#if 0\nvoid a() {}\n#else\nvoid b() {}\n#endif\n"
        "#define NEW\n#ifdef NEW\nvoid c() {}\n#else\nvoid d() {}\n#endif\n"
        "#ifndef NEW\nvoid e() {}\n#endif\n"
    )
    assert names(source) == ["b", "c"]


def test_an_unknown_condition_keeps_both_branches() -> None:
    assert names("#if __CUDA_ARCH__ >= 800\nvoid a() {}\n#else\nvoid b() {}\n#endif\n") == ["a", "b"]


def test_blanking_keeps_lines_and_preprocessor_lines() -> None:
    source = "void f() {\n#ifdef X\n  one();\n#endif\n}\nint kept;\n"
    blanked = blank_spans(source, [(0, source.index("int"))])
    assert blanked.split("\n")[1] == "#ifdef X"
    assert blanked.split("\n")[5] == "int kept;"
    assert "one" not in blanked and blanked.count("\n") == source.count("\n")


def test_parameters_split_at_outer_commas_only() -> None:
    assert split_parameters("Map<int, float> m, void (*f)(int, int), int n") == (
        "Map<int, float> m",
        "void (*f)(int, int)",
        "int n",
    )
    assert split_parameters("void") == ()


def test_unbalanced_text_does_not_hang() -> None:
    assert names("void f() { if (x) { \n") == ["f"]
    assert names("}}}} void g() {}") == ["g"]
    assert names('"never closed\nvoid h() {}') == ["h"]
