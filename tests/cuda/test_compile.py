"""From a file to a program: what NVRTC makes of real submissions."""

from __future__ import annotations

import pytest

from trainer.cuda.compile import compile_submission
from trainer.cuda.model import Parameter, Program, Severity, Signature
from trainer.errors import CompileError, SubmissionError, UnsupportedError

TASK = Signature("solve", (Parameter("a", "const float*"), Parameter("b", "float*"), Parameter("n", "int")))
KERNEL = "__global__ void k(const float* a, float* b, int n) { if (n > 0) b[threadIdx.x] = 2 * a[0]; }\n"


def submission(body: str = "k<<<1, 256>>>(a, b, n);", before: str = "", head: str = 'extern "C" ') -> str:
    return f"{before}{KERNEL}{head}void solve(const float* a, float* b, int n) {{ {body} }}\n"


def build(source: str) -> Program:
    return compile_submission(source, TASK)


def fails(source: str) -> CompileError:
    with pytest.raises(CompileError) as caught:
        build(source)
    return caught.value


def test_a_plain_submission_compiles_to_host_and_device_ptx() -> None:
    program = build(submission())
    assert program.entry == "solve"
    assert "__cudaCDP2LaunchDeviceV2" in program.host_ptx
    assert "ld.global" in program.device_ptx and "solve" not in program.device_ptx
    (kernel,) = program.kernels
    assert (kernel.name, kernel.symbol, kernel.line) == ("k", "_Z1kPKfPfi", 1)
    assert kernel.registers and kernel.spill_bytes == 0
    assert program.cubin.startswith(b"\x7fELF")
    assert program.diagnostics == () and program.log == ""


def test_a_file_without_extern_c_is_accepted() -> None:
    assert build(submission(head="")).entry == "_Z5solvePKfPfi"


def test_a_launch_with_spaces_in_its_brackets_is_accepted() -> None:
    assert build(submission("k << <1, 256 >> > (a, b, n);")).kernels[0].name == "k"


def test_one_letter_macros_do_not_meet_what_we_append() -> None:
    assert build(submission(before="#define R 3\n#define A 4\n#define T 5\n")).entry == "solve"


def test_static_shared_memory_and_launch_bounds_are_reported() -> None:
    kernel = "__global__ void __launch_bounds__(128) s(float* b) { __shared__ float t[100];\n"
    kernel += "t[threadIdx.x] = b[0]; __syncthreads(); b[threadIdx.x] = t[99 - threadIdx.x]; }\n"
    program = build(submission("s<<<1, 100>>>(b);", before=kernel))
    found = next(k for k in program.kernels if k.name == "s")
    assert (found.shared_bytes, found.max_threads, found.line) == (400, 128, 1)


def test_instances_of_template_kernels_are_the_ones_that_solve_launches() -> None:
    kernel = "template <int N, class T> __global__ void t(T* p) { p[threadIdx.x] = N; }\n"
    program = build(
        submission("constexpr int w = 7; t<w><<<1, 1>>>(b); t<2, float><<<1, 1>>>(b);", before=kernel)
    )
    assert program.name_expressions == ("t<7, float>", "t<2, float>")
    assert {k.name for k in program.kernels} == {"k", "t<7, float>", "t<2, float>"}


def test_constants_that_only_the_host_writes_stay_in_the_module() -> None:
    before = "__constant__ float c[4];\nstatic __device__ int counter;\n"
    body = "cudaMemcpyToSymbol(c, a, 16); int x; cudaMemcpyFromSymbol(&x, counter, 4);"
    program = build(submission(body, before=before))
    assert "&c" in program.name_expressions and "&counter" in program.name_expressions
    assert " c[" in program.device_ptx and "counter" in program.device_ptx


def test_half_tensor_cores_and_cooperative_groups_have_their_headers() -> None:
    before = (
        "#include <cuda_fp16.h>\n#include <mma.h>\n#include <cooperative_groups.h>\nusing namespace nvcuda;\n"
    )
    before += "__global__ void g(half* p) { auto b = cooperative_groups::this_thread_block(); b.sync();\n"
    before += "wmma::fragment<wmma::accumulator, 16, 16, 16, half> f; wmma::fill_fragment(f, p[0]);\n"
    before += "wmma::store_matrix_sync(p, f, 16, wmma::mem_row_major); }\n"
    program = build(submission("g<<<1, 32>>>((half*)b);", before=before))
    assert "wmma.store" in program.device_ptx


def test_wgmma_is_compiled_for_the_architecture_that_has_it() -> None:
    before = '__global__ void w() { asm volatile("wgmma.fence.sync.aligned;"); }\n'
    program = build(submission("w<<<1, 128>>>();", before=before))
    assert ".target sm_90a" in program.device_ptx
    assert "-arch=sm_90a" in program.options


def test_an_unknown_name_is_reported_at_its_line_and_column() -> None:
    error = fails("#include <vector>\n" + submission("k<<<1, 1>>>(a, b, m);"))
    (found,) = error.diagnostics
    assert (found.line, found.severity) == (3, Severity.ERROR)
    assert found.message == 'identifier "m" is undefined'
    assert "m);" in error.log and found.column > 1


def test_mistakes_in_kernels_and_in_the_host_function_are_reported_together() -> None:
    error = fails(submission("nothing();", before="__global__ void bad() { wrong(); }\n"))
    assert [d.line for d in error.diagnostics] == [1, 3]


def test_nothing_of_ours_shows_in_a_log() -> None:
    error = fails(submission("cudaMalloc(b);", before="#include <thrust/sort.h>\n"))
    for word in ("/", "wd_", "prelude", "warpdojo"):
        assert word not in error.log.replace("//", "")


@pytest.mark.parametrize("missing", ["kernel", "solve"])
def test_a_missing_brace_is_reported_where_the_block_begins(missing: str) -> None:
    kernel = "__global__ void k(float* p) {\n  p[0] = 1;\n" + ("" if missing == "kernel" else "}\n")
    solve = "void solve(const float* a, float* b, int n) {\n  k<<<1, 1>>>(b);\n"
    error = fails(kernel + solve + ("" if missing == "solve" else "}\n"))
    assert 'expected a "}"' in error.log
    assert error.diagnostics[0].line == (1 if missing == "kernel" else 4)


def test_a_mistake_in_inline_assembly_is_reported_at_its_line() -> None:
    error = fails(submission(before='__global__ void s(int* p) {\n  p[0] = 1;\n  asm("foo.bar 1;");\n}\n'))
    assert [d.line for d in error.diagnostics if "ptxas" in d.message] == [3, 3]


def test_a_missing_semicolon_is_a_compile_error_with_a_line() -> None:
    error = fails(submission("int x = 1\nk<<<1, 1>>>(a, b, x);"))
    assert error.diagnostics[0].line in (2, 3)


def test_a_wrong_parameter_is_seen_through_macros_and_typedefs() -> None:
    good = "typedef float real;\n#define IN const real* __restrict__\nusing Size = size_t;\n" + KERNEL
    good += 'extern "C" void solve(IN a, real* b, Size n) { k<<<1, 1>>>(a, b, n); }\n'
    assert build(good).entry == "solve"
    error = fails(good.replace("typedef float", "typedef double").replace("k<<<1, 1>>>(a, b, n);", ""))
    assert "found:    void solve(const double* a, double* b, size_t n)" in str(error)
    assert error.where is not None and error.where.line == 5


def test_too_much_static_shared_memory_is_a_compile_error() -> None:
    before = "__global__ void big(float* p) { __shared__ float t[12481]; t[threadIdx.x] = p[0];\n"
    before += "__syncthreads(); p[0] = t[12480 - threadIdx.x]; }\n"
    error = fails(submission("big<<<1, 1>>>(b);", before=before))
    assert "49,924 bytes of static shared memory" in str(error)


@pytest.mark.parametrize(
    ("before", "body", "words"),
    [
        ("#include <cublas_v2.h>\n", "cublasHandle_t h; cublasCreate(&h);", "cuBLAS"),
        ("#include <torch/extension.h>\n", "torch::ones(1);", "PyTorch"),
        ("#include <cutlass/gemm.h>\n", "cutlass::gemm(1);", "CUTLASS"),
        ('#include "mine.cuh"\n', "mine(a);", "mine.cuh"),
        ("void elsewhere(const float*);\n", "elsewhere(a);", "nowhere defined"),
    ],
)
def test_what_cannot_be_taken_is_named_with_advice(before: str, body: str, words: str) -> None:
    error = fails(submission(body, before=before))
    assert words in str(error) and "<" not in str(error).split(" is not available")[0]
    assert error.hint and error.where is not None


def test_a_part_of_thrust_that_we_lack_is_unsupported_with_what_there_is() -> None:
    with pytest.raises(UnsupportedError, match="thrust::unique_by_key_copy") as caught:
        build(submission("thrust::unique_by_key_copy(a);", before="#include <thrust/device_vector.h>\n"))
    assert "Of Thrust" in caught.value.hint


def test_a_lambda_for_kernels_is_unsupported_with_what_to_write_instead() -> None:
    before = "template <class F> __global__ void each(F f) { f(0); }\n"
    with pytest.raises(UnsupportedError, match="a lambda marked __device__") as caught:
        build(submission("each<<<1, 1>>>([=] __device__ (int i) { b[i] = a[i]; });", before=before))
    assert "struct" in caught.value.hint


def test_a_file_that_needs_cpp20_gets_it_and_others_are_judged_by_cpp17() -> None:
    before = "template <class T> concept Small = sizeof(T) <= 4;\n"
    before += "template <Small T> __device__ T twice(T x) { return 2 * x; }\n"
    assert "--std=c++20" in build(submission("struct { int x; } s{.x = 1}; n = s.x;", before=before)).options
    assert "--std=c++17" in build(submission("n = 1;")).options
    assert fails(submission("n = m;", before=before)).diagnostics


def test_a_part_of_cuda_that_we_lack_is_unsupported_not_wrong() -> None:
    with pytest.raises(UnsupportedError, match="cudaGraphCreate") as caught:
        build(submission("cudaGraph_t g; cudaGraphCreate(&g, 0);"))
    assert caught.value.hint and caught.value.where is not None


def test_a_library_that_solve_does_not_use_is_no_reason_to_refuse() -> None:
    before = "#include <cublas_v2.h>\n#include <torch/extension.h>\n#include <gtest/gtest.h>\n"
    after = "torch::Tensor run(torch::Tensor x) { return x; }\nTEST(A, B) { EXPECT_EQ(1, 1); }\n"
    after += "int main() { cublasCreate(0); }\n"
    assert build(submission(before=before) + after).entry == "solve"


def test_a_lambda_as_template_argument_is_unsupported_with_advice() -> None:
    before = "template <class F> __global__ void each(float* p, F f) { p[0] = f(p[0]); }\n"
    with pytest.raises(UnsupportedError, match="lambda") as caught:
        build(submission("each<<<1, 1>>>(b, [](float x) { return x; });", before=before))
    assert "functor" in caught.value.hint


def test_host_code_may_use_the_standard_library() -> None:
    before = "".join(
        f"#include <{h}>\n"
        for h in "vector string algorithm numeric iostream functional chrono random memory".split()
    )
    body = (
        "std::vector<int> v{3, 1, 2}; std::sort(v.begin(), v.end(), std::greater<int>());"
        'std::string s = "n=" + std::to_string(n); std::cout << s << std::endl;'
        "std::function<int(int)> f = [&](int x) { return x + n; }; std::mt19937 g(1);"
        "std::uniform_real_distribution<float> u(0, 1); auto p = std::make_unique<float[]>(n); p[0] = u(g);"
        "auto t = std::chrono::high_resolution_clock::now() - std::chrono::high_resolution_clock::now();"
        'printf("%lld", (long long)std::chrono::duration_cast<std::chrono::microseconds>(t).count());'
        'if (n < 0) throw std::runtime_error("no");'
        "try { f(1); } catch (const std::exception& e) { puts(e.what()); }"
        "int x = std::max({1, 2, std::accumulate(v.begin(), v.end(), 0)});"
        "k<<<1, x>>>(a, b, std::numeric_limits<int>::max());"
    )
    assert build(submission(body, before=before)).entry == "solve"


def test_mathematics_are_those_of_nvcc() -> None:
    expressions = (
        "sqrt(i) sqrt(x) std::sqrt(x) pow(2,i) pow(x,2) pow(i,x) std::pow(x,2) std::pow(2,i) abs(x) abs(i) "
        "std::abs(x) fabs(i) max(i,3) max(x,0.f) min(u,3u) fmax(x,0) fmaxf(x,0) std::max(x,0.f) exp(i) "
        "floor(x) ceil(i/2) round(x) isnan(x) std::isinf(x) log2(i) fmod(x,2) INFINITY -FLT_MAX NAN M_PI "
        "std::numeric_limits<float>::lowest() "
        "UINT32_MAX __builtin_popcount(u) uint8_t(3) std::clamp(x,0.f,1.f) lroundf(x) hypotf(x,x) rsqrt(i)"
    ).split()
    lines = "".join(f"s += (float)({e});\n" for e in expressions)
    for using in ("", "using namespace std;\n"):
        head = f"{using}__global__ void m(float* p, float x, int i, unsigned u) {{ float s = 0;\n"
        before = f"{head}{lines}p[0] = s; }}\n"
        assert build(submission("m<<<1, 1>>>(b, 1, 2, 3);", before=before)).kernels


def test_what_host_code_lacks_is_named_with_advice() -> None:
    with pytest.raises(UnsupportedError, match="std::map is not available"):
        build(submission("std::map<int, int> m; m[1] = 2;", before="#include <map>\n"))
    error = fails(submission("g.push_back(1);", before="#include <vector>\nstd::vector<int> g;\n"))
    assert "file scope" in error.hint


def test_device_wide_cub_and_thrust_become_kernels() -> None:
    before = "#include <thrust/sort.h>\n#include <thrust/device_ptr.h>\n#include <thrust/reduce.h>\n"
    body = "thrust::device_ptr<float> p(b); thrust::sort(p, p + n); b += (int)thrust::reduce(p, p + n);"
    names = {k.name.split("<")[0] for k in build(submission(body, before=before)).kernels}
    assert {"wd_parallel::merge_pass", "wd_parallel::reduce"} <= names


def test_any_garbage_is_a_submission_error_and_nothing_else() -> None:
    for text in (
        "}",
        "solve",
        "#",
        "template <",
        'extern "C" void solve(',
        "\\",
        '"',
        "/*",
        "#if\nvoid solve() {}",
    ):
        with pytest.raises(SubmissionError):
            build(text)
