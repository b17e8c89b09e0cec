"""Small .cu files for the tests that run on a GPU: each does one thing, well or badly."""

from __future__ import annotations

import numpy as np

from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import ArgumentValue, RunRequest

SIGNATURE = Signature(
    "solve", (Parameter("A", "const float*"), Parameter("C", "float*"), Parameter("N", "int"))
)

HOST = """
extern "C" void solve(const float* A, float* C, int N) {
    k<<<(N + 255) / 256, 256>>>(A, C, N);
}
"""
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def kernel(body: str, before: str = "") -> str:
    """One thread an element; `body` sees A, C, N and i."""
    head = "__global__ void k(const float* A, float* C, int N)"
    return f"{before}\n{head} {{ {INDEX} {body} }}\n{HOST}"


DOUBLE = kernel("if (i < N) C[i] = 2 * A[i];")
ONE_TOO_MANY = kernel("if (i <= N) C[i] = 1;")
ONE_BEFORE = kernel("if (i < N) C[i - 1] = 1;")
CHANGES_INPUT = kernel("if (i < N) { C[i] = 2 * A[i]; ((float*)A)[i] = 0; }")
WILD = kernel("C[(1LL << 40) + i] = 1;")
NULL = kernel("*(float*)0 = A[0];")
MISALIGNED = kernel("*(float4*)(C + 1) = make_float4(1, 2, 3, 4);")
TRAP = kernel("__trap();")
ASSERT = kernel("assert(A[0] == 12345.0f);", "#include <cassert>")
SPIN = kernel("volatile const float* p = A; while (p[0] != 12345.0f) {} if (i < N) C[i] = 0;")
PRINT = kernel('if (i == 0) printf("A[0] is %g\\n", A[0]); if (i < N) C[i] = 2 * A[i];', "#include <cstdio>")
FLOOD = kernel(
    'for (int r = 0; r < 100; ++r) printf("line %d of thread %d\\n", r, i); if (i < N) C[i] = 2 * A[i];',
    "#include <cstdio>",
)
COUNTS_CALLS = kernel("if (i < N) C[i] = calls; if (i == 0) ++calls;", "__device__ int calls;")
SKIPS_LATER_CALLS = kernel(
    "if (calls < 5 && i < N) C[i] = 2 * A[i]; __syncthreads(); if (i == 0) atomicAdd(&calls, 1);",
    "__device__ int calls;",
)
REMEMBERS = kernel(
    "if (i < N) { if (!known[i]) { known[i] = 1; kept[i] = 2 * A[i]; } C[i] = kept[i]; }",
    "__device__ float kept[1 << 16]; __device__ int known[1 << 16];",
)
WRITES_NOTHING = kernel("")

# Blocks of one warp, in which 12 lanes have ended or are in another branch when 20 ask the lane 8 further up.
ABSENT_LANES = """
__global__ void shift(const float* A, float* C, int N, int way) {
    int lane = threadIdx.x, i = 32 * blockIdx.x + lane;
    float held = i < N ? A[i] : 1;
    if (way == 0 && lane >= 20) return;
    if (lane < 20) {
        float got = __shfl_down_sync(0xffffffff, held, 8);
        if (i < N) C[i] = got;
    } else {
        for (int k = 0; k < 64; ++k) held = held * 1.5f + lane;
        if (i < N) C[i] = held > 0 ? 1 : 2;
    }
}
extern "C" void solve(const float* A, float* C, int N) {
    cudaMemset(C, 0, N * sizeof(float));
    shift<<<1, 32>>>(A, C, N, 0);
    shift<<<1, 32>>>(A + 32, C + 32, N - 32, 1);
}
"""

# Allocates at its first call; the answer grows by A with every call.
HOST_STATICS = """
__global__ void add(const float* A, float* C, float* kept, int N) {
    int i = threadIdx.x;
    if (i < N) { kept[i] += A[i]; C[i] = kept[i]; }
}
extern "C" void solve(const float* A, float* C, int N) {
    static float* kept;
    static int calls;
    if (calls++ == 0) {
        cudaMalloc(&kept, N * sizeof(float));
        cudaMemset(kept, 0, N * sizeof(float));
    }
    add<<<1, N>>>(A, C, kept, N);
}
"""
KEEPS_A_POINTER = kernel("if (i < N) C[i] = 2 * A[i];").replace(
    "k<<<(N + 255) / 256, 256>>>(A",
    "static const float* first; if (!first) first = A; k<<<(N + 255) / 256, 256>>>(first",
)

SCRATCH = """
__global__ void copy(const float* from, float* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = 2 * from[i];
}
__constant__ float one;
extern "C" void solve(const float* A, float* C, int N) {
    float* scratch;
    cudaMalloc(&scratch, N * sizeof(float));
    cudaMemset(scratch, 0, N * sizeof(float));
    copy<<<(N + 127) / 128, 128>>>(A, scratch, N);
    cudaMemcpy(C, scratch, N * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    cudaFree(scratch);
}
"""

USE_AFTER_FREE = SCRATCH.replace("cudaMemcpy(C", "cudaFree(scratch); cudaMemcpy(C")

# Doubles in place until the host sees that the first element is large enough.
DATA_DEPENDENT = """
__global__ void grow(float* C, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) C[i] *= 2;
}
extern "C" void solve(const float* A, float* C, int N) {
    cudaMemcpy(C, A, N * sizeof(float), cudaMemcpyDeviceToDevice);
    float first = 0;
    for (int r = 0; r < 100 && first < 1; ++r) {
        grow<<<(N + 255) / 256, 256>>>(C, N);
        cudaMemcpy(&first, C, sizeof(float), cudaMemcpyDeviceToHost);
    }
}
"""

DYNAMIC_SHARED = """
__global__ void k(const float* A, float* C, int N) {
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[20000 + threadIdx.x] = i < N ? A[i] : 0;
    __syncthreads();
    if (i < N) C[i] = 2 * tile[20000 + threadIdx.x];
}
extern "C" void solve(const float* A, float* C, int N) {
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    k<<<(N + 255) / 256, 256, 100000>>>(A, C, N);
}
"""
DYNAMIC_SHARED_NOT_ALLOWED = DYNAMIC_SHARED.replace("cudaFuncSetAttribute", "// ")

GRID_OF_NOTHING = DOUBLE.replace("(N + 255) / 256", "0")
BLOCK_TOO_LARGE = DOUBLE.replace(", 256>>>", ", 1025>>>")


def arguments(values: np.ndarray) -> tuple[ArgumentValue, ...]:
    return (
        ArgumentValue("A", "const float*", Role.INPUT, "float32", values),
        ArgumentValue("C", "float*", Role.OUTPUT, "float32", shape=values.shape),
        ArgumentValue("N", "int", Role.SCALAR, "int32", values.size),
    )


def request(count: int = 1001, seed: int = 1, **changes: object) -> RunRequest:
    values = np.random.default_rng(seed).random(count, dtype=np.float32)
    return RunRequest(arguments(values), seed=seed, **changes)  # type: ignore[arg-type]
