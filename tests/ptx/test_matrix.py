"""Matrix instructions, from CUDA source to results, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptx.device import Simulated

GEMM = r"""
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(const half* A, const half* B, float* C, int M, int N, int K) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + column, N);
        wmma::mma_sync(c, a, b, c);
    }
    for (int i = 0; i < c.num_elements; i++) c.x[i] = 2.0f * c.x[i] + 1.0f;
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}
"""


def random_matrix(rng: np.random.Generator, rows: int, columns: int, dtype: Any) -> np.ndarray:
    return (rng.integers(-8, 9, (rows, columns)) / 4).astype(dtype)


def test_a_wmma_gemm_with_work_on_its_fragments() -> None:
    rng = np.random.default_rng(1)
    a, b = random_matrix(rng, 64, 64, np.float16), random_matrix(rng, 64, 64, np.float16)
    c = np.zeros((64, 64), np.float32)
    Simulated(GEMM).launch("k", (4, 4), WARP, a, b, c, *np.array([64, 64, 64], np.int32))
    np.testing.assert_array_equal(c, 2 * (a.astype(np.float64) @ b.astype(np.float64)) + 1)


WARP = 32
TILE = r"""
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
extern "C" __global__ void k(const T* A, const T* B, const ACC* C, ACC* D, int lda, int ldb, int ldc) {
    MEMORY
    wmma::fragment<wmma::matrix_a, SHAPE, STORED, wmma::AL> a;
    wmma::fragment<wmma::matrix_b, SHAPE, STORED, wmma::BL> b;
    wmma::fragment<wmma::accumulator, SHAPE, ACC> c;
    wmma::load_matrix_sync(a, A, lda);
    wmma::load_matrix_sync(b, B, ldb);
    wmma::load_matrix_sync(c, C, ldc, wmma::CL);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(D, c, ldc, wmma::CL);
}
"""
CASES = [
    ("16,16,16", "half", "float", "row_major", "row_major"),
    ("16,16,16", "half", "half", "row_major", "col_major"),
    ("8,32,16", "half", "float", "col_major", "row_major"),
    ("32,8,16", "half", "half", "col_major", "col_major"),
    ("16,16,16", "__nv_bfloat16", "float", "row_major", "col_major"),
    ("8,32,16", "__nv_bfloat16", "float", "col_major", "row_major"),
    ("32,8,16", "__nv_bfloat16", "float", "row_major", "row_major"),
    ("16,16,16", "signed char", "int", "row_major", "col_major"),
    ("8,32,16", "unsigned char", "int", "col_major", "row_major"),
    ("32,8,16", "signed char", "int", "row_major", "row_major"),
    ("16,16,8", "float", "float", "row_major", "row_major"),
    ("16,16,8", "float", "float", "col_major", "col_major"),
    ("8,8,4", "double", "double", "row_major", "col_major"),
]
DTYPES: dict[str, Any] = {
    "half": np.float16, "float": np.float32, "double": np.float64, "int": np.int32,
    "signed char": np.int8, "unsigned char": np.uint8, "__nv_bfloat16": np.uint16,
}  # fmt: skip


def stored(matrix: np.ndarray, layout: str, type_: str) -> np.ndarray:
    """The matrix as memory holds it."""
    laid = np.ascontiguousarray(matrix if layout.endswith("row_major") else matrix.T)
    if type_ == "__nv_bfloat16":
        return (laid.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return laid.astype(DTYPES[type_])


IN_SHARED = r"""
    extern __shared__ __align__(128) char room[];
    T* sA = (T*)room;
    T* sB = (T*)(room + 8192);
    ACC* sC = (ACC*)(room + 16384);
    for (int i = threadIdx.x; i < SIZE_A; i += 32) sA[i] = A[i];
    for (int i = threadIdx.x; i < SIZE_B; i += 32) sB[i] = B[i];
    for (int i = threadIdx.x; i < SIZE_C; i += 32) sC[i] = C[i];
    __syncwarp();
    A = sA; B = sB; C = sC;
"""


@pytest.mark.parametrize("memory", ["global", "shared"])
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_wmma_tiles_of_every_shape_type_and_layout(case: tuple[str, ...], memory: str) -> None:
    shape, type_, accumulator, al, bl = case
    m, n, k = map(int, shape.split(","))
    cl = "mem_row_major" if al == "row_major" else "mem_col_major"
    element = "wmma::precision::tf32" if (type_, m) == ("float", 16) else type_
    source = (
        TILE.replace("STORED", element)
        .replace("SHAPE", shape)
        .replace("MEMORY", IN_SHARED if memory == "shared" else "")
    )
    sizes = (("SIZE_A", str(m * k)), ("SIZE_B", str(k * n)), ("SIZE_C", str(m * n)))
    names = (("AL", al), ("BL", bl), ("CL", cl), ("ACC", accumulator), ("T*", type_ + "*"))
    for name, value in (*sizes, *names):
        source = source.replace(name, value)
    rng = np.random.default_rng(2)
    whole = "char" in type_
    a, b, c = (rng.integers(0 if "unsigned" in type_ else -8, 9, s) / (1 if whole else 4)
               for s in ((m, k), (k, n), (m, n)))  # fmt: skip
    arguments = [stored(a, al, type_), stored(b, bl, type_), stored(c, cl[4:], accumulator)]
    d = np.zeros_like(arguments[2])
    leading = [x.shape[1] for x in arguments]
    Simulated(source).launch("k", 1, WARP, *arguments, d, *np.array(leading, np.int32), shared=24576)
    got = d if cl == "mem_row_major" else d.T
    np.testing.assert_array_equal(got.astype(np.float64), a @ b + c)


MMA_GEMM = r"""
#include <cuda_fp16.h>
extern "C" __global__ void k(const half* A, const half* B, float* C, int N, int K) {
    __shared__ __align__(16) half sA[16 * 16];
    __shared__ __align__(16) half sB[16 * 8];
    int t = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
    float c[4] = {};
    for (int k = 0; k < K; k += 16) {
        for (int i = t; i < 256; i += 32) sA[i] = A[(row + i / 16) * K + k + i % 16];
        for (int i = t; i < 128; i += 32) sB[i] = B[(k + i / 8) * N + column + i % 8];
        __syncwarp();
        unsigned a0, a1, a2, a3, b0, b1;
        unsigned pa = __cvta_generic_to_shared(sA + (t % 16) * 16 + (t / 16) * 8);
        unsigned pb = __cvta_generic_to_shared(sB + (t % 16) * 8);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(b0), "=r"(b1) : "r"(pb));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
        __syncwarp();
    }
    int g = t / 4, q = t % 4;
    C[(row + g) * N + column + 2 * q] = c[0];
    C[(row + g) * N + column + 2 * q + 1] = c[1];
    C[(row + g + 8) * N + column + 2 * q] = c[2];
    C[(row + g + 8) * N + column + 2 * q + 1] = c[3];
}
"""  # noqa: E501


def test_an_mma_gemm_whose_author_knows_the_fragment_layout() -> None:
    rng = np.random.default_rng(3)
    a, b = random_matrix(rng, 32, 48, np.float16), random_matrix(rng, 48, 24, np.float16)
    c = np.zeros((32, 24), np.float32)
    Simulated(MMA_GEMM).launch("k", (3, 2), WARP, a, b, c, np.int32(24), np.int32(48))
    np.testing.assert_array_equal(c, a.astype(np.float64) @ b.astype(np.float64))


MATRICES = r"""
extern "C" __global__ void k(const unsigned short* in, unsigned* out, unsigned short* back) {
    __shared__ __align__(16) unsigned short s[256], r[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) { s[i] = in[i]; r[i] = 0; }
    __syncwarp();
    unsigned v[4] = {}, p = __cvta_generic_to_shared(s + t * 8), z = __cvta_generic_to_shared(r + t * 8);
    LOAD
    for (int i = 0; i < 4; i++) out[i * 32 + t] = v[i];
    STORE
    __syncwarp();
    for (int i = t; i < 256; i += 32) back[i] = r[i];
}
"""


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("trans", ["", ".trans"])
def test_ldmatrix_and_stmatrix_are_each_other_undone(count: int, trans: str) -> None:
    names = ", ".join(f"%{i}" for i in range(count))
    outputs = ", ".join(f'"=r"(v[{i}])' for i in range(count))
    inputs = ", ".join(f'"r"(v[{i}])' for i in range(count))
    load = f'asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{names}}}, [%{count}];"'
    store = f'asm volatile("stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%{count}], {{{names}}};"'
    source = MATRICES.replace("LOAD", f'{load} : {outputs} : "r"(p));')
    source = source.replace("STORE", f'{store} :: {inputs}, "r"(z) : "memory");')
    values = np.arange(1, 257, dtype=np.uint16)
    out, back = np.zeros(4 * WARP, np.uint32), np.zeros(256, np.uint16)
    Simulated(source).launch("k", 1, WARP, values, out, back)
    matrices = values.reshape(4, 8, 8)[:count]
    held = out.reshape(4, WARP)[:count].copy().view(np.uint16).reshape(count, 8, 8)
    np.testing.assert_array_equal(held, matrices.transpose(0, 2, 1) if trans else matrices)
    np.testing.assert_array_equal(back[: 64 * count], values[: 64 * count])
    assert not np.any(back[64 * count :])
