"""Bad submissions, each with the verdict and the words that a user should get for it.

All but the first few answer `relu` (const float* input, float* output, int N): the result is right
unless the name says otherwise, so nothing but the fault itself can fail them.
"""

from __future__ import annotations

from dataclasses import dataclass

SOLVE = """
extern "C" void solve(const float* input, float* output, int N) {
    relu<<<(N + 255) / 256, 256>>>(input, output, N);
}
"""

HEAD = "__global__ void relu(const float* input, float* output, int N) {\n"

INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

RIGHT = "    if (i < N) output[i] = fmaxf(input[i], 0.0f);\n"


def kernel(body: str, before: str = "", solve: str = SOLVE) -> str:
    """`body` is what the kernel does beside the right thing."""
    return f"{before}{HEAD}{INDEX}{RIGHT}{body}\n}}\n{solve}"


def host(body: str) -> str:
    """`body` is what solve does beside the right thing."""
    return kernel("", solve=SOLVE.replace("{\n", f"{{\n{body}\n", 1))


@dataclass(frozen=True)
class Bad:
    """`verdicts`: those that would be right. `words`: each must be in the message, lower case."""

    name: str
    source: str
    verdicts: tuple[str, ...]
    words: tuple[str, ...] = ()
    line: int = 0


BAD = [
    # Files that do not compile
    Bad("no solve", f"{HEAD}{INDEX}{RIGHT}}}\n", ("compile_error",), ("solve", "const float* input")),
    Bad(
        "wrong parameters",
        kernel("", solve='extern "C" void solve(float* input, float* output, int n, int extra) {}\n'),
        ("compile_error",),
        ("const float* input, float* output, int n", "int extra"),
    ),
    Bad("two solves", kernel("", solve=SOLVE + SOLVE), ("compile_error",), ("solve",)),
    Bad("syntax error", kernel("    int x = ;"), ("compile_error",), ("expected an expression",), line=4),
    Bad("unknown identifier", kernel("    output[0] = nothing;"), ("compile_error",), ("nothing",), line=4),
    Bad(
        "file of the machine included",
        '#include "/etc/passwd"\n' + kernel(""),
        ("compile_error",),
        ("/etc/passwd",),
        line=1,
    ),
    Bad(
        "template bomb",
        "template <int D, int I> struct T { static constexpr int v = T<D - 1, 2 * I>::v\n"
        " + T<D - 1, 2 * I + 1>::v; };\n"
        "template <int I> struct T<0, I> { static constexpr int v = I & 1; };\n"
        + kernel("    if (N < 0) output[0] = T<26, 1>::v;"),
        ("timed_out", "compile_error"),
        ("compiler",),
    ),
    # Programs that do not end
    Bad(
        "endless kernel",
        kernel("    while (((volatile const float*)input)[0] != 1e30f) {}"),  # ptxas drops loops on locals
        ("timed_out",),
    ),
    Bad("endless solve", host("    volatile int x = 1;\n    while (x) {}"), ("timed_out",)),
    Bad(
        "unbounded recursion in a kernel",
        kernel(
            "    if (N > 0) output[0] = deep(input, N);",
            before="__device__ __noinline__ float deep(const float* p, int n) {\n"
            "    return n == -1 ? p[0] : deep(p, n + 1) + 1.0f;\n}\n",
        ),
        ("runtime_error", "timed_out"),
    ),
    Bad(
        "unbounded recursion in solve",
        # Needs its stack after the inner call: otherwise the compiler makes a loop of it, which ends.
        "__device__ __noinline__ int deep(int n) {\n"
        "    volatile int kept = n;\n"
        "    int below = n == -1 ? 0 : deep(n + 1);\n"
        "    return below ^ kept;\n}\n"
        + host("    if (deep(N) == 7) return;"),
        ("runtime_error",),
    ),
    # What a GPU may hide
    Bad(
        "barrier in a divergent branch",
        kernel("    if (threadIdx.x < 7) __syncthreads();\n    else if (threadIdx.x < 50) __syncthreads();"),
        ("hazard",),
        ("barrier",),
    ),
    Bad(
        "write past the end",
        kernel("    if (i == N - 1) output[N] = 1.0f;"),
        ("hazard",),
        ("output",),
        line=4,
    ),
    Bad(
        "read past the end",
        kernel("    if (i == N - 1 && input[N] == 12345.0f) output[i] += 1.0f;"),
        ("hazard",),
        ("input",),
        line=4,
    ),
    Bad("negative index", kernel("    if (i == 0) output[i - 1] = 1.0f;"), ("hazard",), ("output",), line=4),
    Bad(
        "misaligned float4",
        kernel("    if (i == 0 && N > 8) { float4 v = *(const float4*)(input + 1);\n"
               "    if (v.x == 1e30f) output[0] = v.y; }"),
        ("hazard", "runtime_error"),
        ("align",),
    ),
    Bad(
        "null pointer",
        "__global__ void store(float* s) { s[threadIdx.x] = 1.0f; }\n"
        + host("    store<<<1, 32>>>(nullptr);"),
        ("hazard", "runtime_error"),
        ("null",),
        line=1,
    ),
    Bad(
        "use after cudaFree",
        kernel(
            "",
            before="#include <cuda_runtime.h>\n",
            solve="__global__ void late(float* s) { s[threadIdx.x] = 1.0f; }\n"
            + SOLVE.replace(
                "{\n",
                "{\n    float* s; cudaMalloc(&s, 128); cudaFree(s);\n    late<<<1, 32>>>(s);\n",
                1,
            ),
        ),
        ("hazard", "runtime_error"),
        ("free",),
    ),
    Bad(
        "uninitialised shared read",
        kernel(
            "    __shared__ float s[256];\n    if (i < N - 1) s[threadIdx.x] = input[i];\n"
            "    if (i < N) output[i] = fmaxf(s[threadIdx.x], 0.0f);"
        ),
        ("hazard",),
        ("s[", "nothing has written"),
        line=6,
    ),
    Bad(
        "race in shared memory",
        kernel(
            "    __shared__ float s[256];\n    s[threadIdx.x] = i;\n"
            "    float v = s[(threadIdx.x + 97) % 256];\n    if (v == 1e30f) output[0] = v;"
        ),
        ("hazard",),
        ("shared",),
    ),
    Bad(
        "race in global memory",
        "__global__ void tally(int* cell) { *cell = *cell + 1; }\n"
        "__global__ void spoil(const int* cell, float* output) { if (*cell != 256) output[0] += 1.0f; }\n"
        + host("    int* c; cudaMalloc(&c, 4); cudaMemset(c, 0, 4);\n    tally<<<4, 64>>>(c);").replace(
            "output, N);\n", "output, N);\n    spoil<<<1, 1>>>(c, output);\n"
        ),
        ("hazard",),
        line=1,
    ),
    # Launches that no GPU accepts
    Bad(
        "grid of nothing",
        kernel("", solve=SOLVE.replace("(N + 255) / 256", "N / 1048576")),
        ("runtime_error",),
        ("is 0",),
    ),
    Bad("block of 1025", host("    relu<<<1, 1025>>>(input, output, N);"), ("runtime_error",), ("1025",)),
    Bad(
        "grid beyond limits",
        host("    relu<<<dim3(1, 70000), 32>>>(input, output, N);"),
        ("runtime_error",),
        ("70000",),
    ),
    Bad(
        "shared memory beyond limits",
        host("    relu<<<1, 32, 1 << 20>>>(input, output, N);"),
        ("runtime_error",),
        ("shared",),
    ),
    Bad(
        "a hundred gigabytes twice over",
        kernel(
            "",
            solve="__global__ void touch(float* s) { s[threadIdx.x] = 1.0f; }\n"
            + SOLVE.replace(
                "{\n",
                "{\n    float *a, *b; cudaMalloc(&a, 100ull << 30); cudaMalloc(&b, 100ull << 30);\n"
                "    touch<<<1, 32>>>(b);\n",
                1,
            ),
        ),
        ("runtime_error", "hazard"),
    ),
    # Answers that are wrong, or right for the wrong reason
    Bad(
        "printf flood",
        kernel('    for (int k = 0; k < 9; ++k) printf("thread %d says %d\\n", i, k);'),
        ("accepted",),
    ),
    Bad(
        "input overwritten",
        kernel("    if (i < N) ((float*)input)[i] = 0.5f;"),
        ("rejected",),
        ("input",),
    ),
    Bad("output never written", f"{HEAD}}}\n{SOLVE}", ("wrong_answer",), ("never written",)),
    Bad("no launch at all", 'extern "C" void solve(const float* input, float* output, int N) {}\n',
        ("wrong_answer",), ("never written",)),
    Bad(
        "NaN everywhere",
        f"{HEAD}{INDEX}    if (i < N) output[i] = nanf(\"\");\n}}\n{SOLVE}",
        ("wrong_answer",),
        ("nan",),
    ),
    Bad(
        "counts its launches and skips later ones",
        f"__device__ int calls;\n{HEAD}{INDEX}    if (calls > 0) return;\n{RIGHT}}}\n"
        "__global__ void count() { ++calls; }\n"
        + SOLVE.replace("output, N);\n", "output, N);\n    count<<<1, 1>>>();\n"),
        ("rejected",),
        ("called again",),
    ),
    Bad(
        "keeps results of an earlier call",
        f"__device__ float kept[1 << 18];\n__device__ int full;\n{HEAD}{INDEX}"
        "    if (i < N && !full) kept[i] = fmaxf(input[i], 0.0f);\n    if (i < N) output[i] = kept[i];\n}\n"
        "__global__ void done() { full = 1; }\n"
        + SOLVE.replace("output, N);\n", "output, N);\n    done<<<1, 1>>>();\n"),
        ("rejected",),
        ("called again",),
    ),
]  # fmt: skip
