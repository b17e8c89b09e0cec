"""Kernels cannot use what is the host's, as nvcc says; what may be meant for both is left alone."""

from __future__ import annotations

import pytest

from trainer.cuda.compile import compile_submission
from trainer.cuda.host_only import hidden_from_kernels
from trainer.cuda.model import Parameter, Signature
from trainer.cuda.scanner import scan
from trainer.errors import CompileError

TASK = Signature("solve", (Parameter("p", "float*"),))
SOLVE = 'extern "C" void solve(float* p) { k<<<1, 1>>>(p); }\n'


def hidden(before: str, body: str) -> set[str]:
    scanned = scan(f"{before}\n__global__ void k(float* p) {{ {body} }}\n{SOLVE}")
    return {h.name for h in hidden_from_kernels(scanned, stays=lambda f: f.name != "solve")}


def error(before: str, body: str) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_submission(f"{before}\n__global__ void k(float* p) {{ {body} }}\n{SOLVE}", TASK)
    return caught.value


def test_a_kernel_that_calls_a_host_function_does_not_compile() -> None:
    found = error("float twice(float x) { return 2 * x; }", "p[0] = twice(p[0]);")
    assert found.message == "twice is a host function: kernels call only what is marked __device__"
    assert found.where is not None and found.where.line == 2


def test_a_kernel_that_reads_a_host_variable_does_not_compile() -> None:
    assert error("static int count = 3;", "p[count] = 1;").message.startswith(
        "count is a variable of the host"
    )


@pytest.mark.parametrize(
    "before",
    [
        "int v = 1;",
        "static float* v = nullptr;",
        "namespace n { double v{2}; }\nusing namespace n;",
        "unsigned long long v[4] = {1, 2};",
        "const float v[2] = {1, 2};",
        "float f(int x) { return x; }\nint v;",
        "struct S { int m; };\nS v;",
        "__host__ int v(int x) { return x; }",
        "template <class T> inline T v(T x) { return x; }",
    ],
)
def test_what_is_the_hosts_alone_is_hidden(before: str) -> None:
    assert hidden(before, "p[0] = v;") == {"v"}


@pytest.mark.parametrize(
    "before",
    [
        "const int v = 1;",
        "const float* const v = nullptr;",
        "constexpr int v(int x) { return x; }",
        "__device__ int v;",
        "struct alignas(8) S { float v; };",
        "struct S { int w = v; };\nint v;",
        "#define BOTH __host__ __device__\nBOTH int v(int x) { return x; }",
        "__device__ int v(int x);\nint v(int x) { return x; }",
        "int v(int x) { return x; }\n__host__ __device__ int w(int x) { return v(x); }",
        "int v(int x) { return x; }\nint other() { return v(1); }",
        "void f() { int v = 1; }",
        "struct S { virtual int v() { return 1; } };",
        "struct S { __device__ int v() { return 1; } };",
        "struct v { v() { } };",
    ],
)
def test_what_may_be_meant_for_kernels_is_left_alone(before: str) -> None:
    assert hidden(before, "p[0] = v;") == set()


def test_a_kernel_that_calls_a_host_method_does_not_compile() -> None:
    found = error("class S { int n; public: int get() const { return n; } };", "S s; p[0] = s.get();")
    assert found.message.startswith("get is a host function of its class")


def test_an_array_of_constants_in_a_constant_expression_is_no_mistake() -> None:
    assert hidden("constexpr int v[2] = {1, 2};", "constexpr int w = v[1]; p[w] = 1;") == set()


def test_a_local_of_the_same_name_is_no_mistake() -> None:
    source = f"int n = 3;\n__global__ void k(float* p) {{ int n = 1; p[0] = n; }}\n{SOLVE}"
    assert compile_submission(source, TASK).kernels
