"""Two texts from one: every line stays, the right functions go."""

from __future__ import annotations

import contextlib
import time

import pytest

from trainer.cuda.source import MAX_SOURCE_BYTES, decode_source, prepare
from trainer.errors import CompileError

FILE = """\
#include <cstdio>
#define CHECK(x) check(x, __LINE__)
namespace { __global__ void hidden(float* p) { p[0] = 1; } }
static __global__ void k(float* p) { p[0] = helper(p[1]); }
__device__ float helper(float x) { return x * 2; }
void check(int code, int line) { if (code) printf("%d", line); }
void benchmark() { k<<<1, 1>>>(nullptr); }
struct Runner { void go(float* p) { k<<<1, 1>>>(p); } };
extern "C" void solve(float* p) {
  try { CHECK(0); k << <1, 1>> >(p); } catch (const std::exception& e) { fail(e); } catch (...) { }
  static int computed = twice(1);
}
int twice(int x) { return 2 * x; }
int main() { benchmark(); }
"""


def test_no_line_moves_in_either_text() -> None:
    prepared = prepare(FILE, "solve")
    assert prepared.host_text.count("\n") == FILE.count("\n")
    assert prepared.device_text.count("\n") == FILE.count("\n")
    assert prepared.host_text.split("\n")[8].startswith('extern "C" void solve')
    assert prepared.device_text.split("\n")[4].startswith("__device__ float helper")


def test_the_host_text_keeps_what_solve_reaches_and_kernels_without_bodies() -> None:
    host = prepare(FILE, "solve").host_text
    for kept in ("solve", "check", "twice", "Runner"):
        assert f"{kept}" in host
    assert "benchmark" not in host and "main" not in host
    assert "__global__ void k(float* p) {" in host and "helper(p[1])" not in host


def test_the_device_text_keeps_kernels_and_their_helpers_and_no_launch() -> None:
    device = prepare(FILE, "solve").device_text
    assert "helper(p[1])" in device and "float helper" in device
    assert "<<<" not in device and "<< <" not in device
    assert "solve" not in device and "main" not in device


def test_kernels_of_an_anonymous_namespace_and_static_ones_can_be_loaded_by_name() -> None:
    device = prepare(FILE, "solve").device_text
    assert "inline namespace wd_anonymous{" in device.replace(" {", "{")
    assert "static __global__" not in device


def test_catch_blocks_go_and_a_computed_static_becomes_a_plain_variable() -> None:
    host = prepare(FILE, "solve").host_text
    assert "catch" not in host and "fail" not in host
    assert "static int computed" not in host and "int computed = twice(1);" in host


def test_unused_heavy_headers_are_left_out_but_used_ones_stay() -> None:
    head = "#include <cub/cub.cuh>\n#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    kernel = "__global__ void k() { cg::this_thread_block().sync(); }\nvoid solve() {}\n"
    prepared = prepare(head + kernel, "solve")
    assert "cub" not in prepared.device_text
    assert "cooperative_groups" in prepared.device_text
    assert "cooperative_groups" not in prepared.host_text


def test_a_library_that_solve_launches_from_stays_in_the_device_text() -> None:
    head = "#include <cub/cub.cuh>\n#include <cub/block/block_reduce.cuh>\n"
    kernel = "__global__ void k() { cub::BlockReduce<float, 256> r; }\n"
    solve = "void solve() { cub::DeviceReduce::Sum(); }\n"
    assert "cub/cub.cuh" in prepare(head + kernel + solve, "solve").device_text
    alone = prepare(head + solve, "solve").device_text
    assert "warpdojo/cub_light.cuh" in alone and "<cub/" not in alone


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x7fELF\0\0", "binary"),
        (b"//" + b" " * MAX_SOURCE_BYTES, "bytes"),
        ("int ä;".encode("latin-1"), "UTF-8"),
    ],
)
def test_files_that_are_no_source_are_named_for_what_they_are(data: bytes, words: str) -> None:
    with pytest.raises(CompileError, match=words):
        decode_source(data)


@pytest.mark.parametrize(
    "unit",
    [
        "static ",
        "static int x = a + ",
        "(",
        "{",
        "<",
        "template<",
        "/**/",
        "/*",
        '"',
        'R"(',
        "\\\n",
        "catch (",
        "aaaa",
    ]
    + [
        "#if 0\n",
        "namespace {",
        "struct A {",
        'extern "C" {',
        "#include <x.h>\n",
        "__global__ void k() {}\n",
        "k<<<",
    ],
)
def test_a_hostile_text_takes_no_longer_than_a_long_one(unit: str) -> None:
    text = "void solve(float* a) {} " + unit * (30_000 // len(unit))
    started = time.process_time()
    with contextlib.suppress(CompileError):
        prepare(text, "solve")
    assert time.process_time() - started < 2


def test_line_ends_and_a_byte_order_mark_of_windows_are_accepted() -> None:
    assert decode_source(b"\xef\xbb\xbfint a;\r\nint b;\r\n") == "int a;\nint b;\n"


def test_an_empty_file_is_a_compile_error() -> None:
    with pytest.raises(CompileError, match="empty"):
        prepare(" \n\n", "solve")


def test_member_functions_that_need_the_host_lose_their_bodies_in_the_device_text() -> None:
    source = (
        "#define LAUNCH(f, ...) f<<<1, 1>>>(__VA_ARGS__)\n"
        "__global__ void k(float* p) { p[0] = 1; }\n"
        "void start(float* p) { k<<<1, 1>>>(p); }\n"
        "struct Runner {\n"
        "  void by_macro(float* p) { LAUNCH(k, p); }\n"
        "  void by_function(float* p) { start(p); }\n"
        "  __device__ float kept() { return 1; }\n"
        "};\n"
        'extern "C" void solve(float* p) { Runner r; r.by_macro(p); r.by_function(p); }\n'
    )
    device = prepare(source, "solve").device_text.split("\n")
    assert "LAUNCH" not in device[4] and "by_macro(float* p) {" in device[4]
    assert "start" not in device[5]
    assert "return 1" in device[6]


def test_the_host_text_keeps_what_no_word_calls() -> None:
    source = (
        "struct V { float x; ~V(); };\n"
        "V::~V() { x = 0; }\n"
        "template <class T> __host__ __device__ T operator+(T a, T b) { return {a.x + b.x}; }\n"
        "__device__ V operator*(V a, V b) { return {a.x * b.x}; }\n"
        'extern "C" void solve(float* p) { V v = V{1} + V{2}; }\n'
    )
    host = prepare(source, "solve").host_text.split("\n")
    assert "x = 0" in host[1] and "operator+" in host[2]
    assert not host[3].strip()
