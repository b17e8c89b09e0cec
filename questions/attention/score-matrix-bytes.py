from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
#include <cuda_fp16.h>

__global__ void scores(const float* x, float* y, int dim) {
    float sum = 0.0f;
    for (int d = 0; d < dim; ++d) sum += x[blockIdx.x * dim + d] * x[threadIdx.x * dim + d];
    __half s = __float2half(sum);
    ((__half*)y)[64 * blockIdx.x + threadIdx.x] = s; // 1
}

__global__ void soften(float* y) {
    int i = 64 * blockIdx.x + threadIdx.x;
    __half s = ((__half*)y)[i]; // 2
    __half p = hexp(s);
    ((__half*)y)[i] = p; // 3
}

__global__ void outputs(const float* x, float* y, int dim) {
    __shared__ float row[64];
    __half p = ((__half*)y)[64 * blockIdx.x + threadIdx.x]; // 4
    row[threadIdx.x] = __half2float(p);
    __syncthreads();
    float sum = 0.0f;
    for (int key = 0; key < 64; ++key) sum += row[key] * x[key * dim + threadIdx.x];
    y[2048 + 64 * blockIdx.x % 2048 + threadIdx.x] = sum;
}
"""


def draw(rng):
    n = rng.choice([1024, 2048, 4096, 8192, 16384])
    dim = rng.choice([64, 128])
    scores = 4 * n * n * 2
    inputs = 4 * n * dim * 2
    return ask_number(
        rng,
        text(
            f"Attention of one head in fp16, {n} queries and keys, head dimension {dim}, as three kernels: S = Q · K^T, "
            "P = softmax(S) (one read, one write), O = P · V. S and P go through DRAM. How many times the bytes of Q, K, V "
            "and O is the traffic of S and P?",
            f"单头 fp16 注意力，{n} 个查询与键，头维度 {dim}，分三个核函数：S = Q · K^T，P = softmax(S)（一读一写），O = P · V。"
            "S 与 P 经过显存。S 和 P 的流量是 Q、K、V、O 字节数的多少倍？",
        ),
        scores / inputs,
        text("x", "x"),
        [
            Wrong(scores / inputs / 2, text("S and P are both written and read: four times n².",
                                            "S 与 P 都既写又读：共四个 n²。")),
            Wrong(scores / inputs / 4, text("S and P are both written and read: four times n².",
                                            "S 与 P 都既写又读：共四个 n²。")),
            Wrong(4 * scores / inputs, text("Q, K, V and O are four matrices.", "Q、K、V、O 是四个矩阵。")),
            Wrong(n, text("Divide by the head dimension.", "还要除以头维度。")),
            Wrong(2 * scores / inputs, text("Count writes and reads once each.", "写与读各计一次。")),
        ],
        text(
            f"4 · {n}² · 2 bytes = {scores / 1e6:,.4g} MB against 4 · {n} · {dim} · 2 = {inputs / 1e6:.3g} MB: n / d = "
            f"{n // dim}. A fused kernel never writes S and P; it does not do fewer operations.",
            f"4 · {n}² · 2 字节 = {scores / 1e6:,.4g} MB，对比 4 · {n} · {dim} · 2 = {inputs / 1e6:.3g} MB：n / d = "
            f"{n // dim}。融合核函数不写出 S 与 P；运算量并未减少。",
        ),
        proof=Proof(
            program(PROGRAM, "scores<<<64, 64>>>(x, y, n); soften<<<64, 64>>>(y); outputs<<<64, 64>>>(x, y, n);"),
            scores / inputs,
            lambda run: sum(run.moved(mark=f"{mark}") for mark in range(1, 5)) / 64**2 * n**2 / inputs,
            floats=64 * dim,
            n=dim,
        ),
        parameters={"n": n, "dim": dim},
    )
