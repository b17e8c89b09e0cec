"""Launch mistakes that look like ordinary calls to a compiler that takes all code for device code."""

from __future__ import annotations

import pytest

from trainer.cuda.checks import misused_kernels
from trainer.cuda.scanner import scan

KERNEL = "__global__ void k(float* p) { p[0] = 1; }\n"


def messages(text: str) -> list[tuple[int, str]]:
    return [(d.line, d.message) for d in misused_kernels(scan(text))]


def test_a_kernel_called_like_a_function_is_told() -> None:
    (found,) = messages(KERNEL + "void solve(float* p) {\n  k(p);\n}\n")
    assert found == (3, "the kernel k needs a launch configuration: k<<<grid, block>>>(...)")


def test_a_function_launched_like_a_kernel_is_told() -> None:
    (found,) = messages("void k(float* p) {}\nvoid solve(float* p) { k<<<1, 1>>>(p); }\n")
    assert found[0] == 2 and "not a __global__ function" in found[1]


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, 1>>>(p);",
        "k << <1, 1>> >(p);",
        "dim3 k(1, 2);",
        "auto f = k; f<<<1, 1>>>(p);",
        "cudaLaunchKernel((void*)k, 1, 1, nullptr);",
        "object.k(p); space::k(p); other->k(p);",
        "// k(p);",
        'puts("k(p)");',
    ],
)
def test_correct_code_raises_no_alarm(body: str) -> None:
    assert messages(f"{KERNEL}void solve(float* p) {{ {body} }}\n") == []


def test_an_overload_of_the_same_name_makes_a_call_legal() -> None:
    assert messages(KERNEL + "void k(int n) {}\nvoid solve(float* p) { k(3); }\n") == []


def test_a_kernel_whose_name_a_macro_makes_is_left_to_the_compiler() -> None:
    assert not messages("#define K(n) n##_k\n__global__ void K(a)() {}\nvoid solve() { K(a)<<<1, 1>>>(); }\n")
