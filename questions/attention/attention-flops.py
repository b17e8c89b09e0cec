from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
__global__ void attend(const float* x, float* y, int dim) {{
    const float *Q = x, *K = x + 32 * {dim};
    float scores[32];
    int query = threadIdx.x;
    for (int key = 0; key < 32; ++key) {{
        float sum = 0.0f;
        for (int d = 0; d < dim; ++d) sum += Q[query * dim + d] * K[key * dim + d];
        scores[key] = sum;
    }}
    for (int d = 0; d < dim; ++d) {{
        float sum = y[query * dim + d];
        for (int key = 0; key < 32; ++key) sum += scores[key] * K[key * dim + d];
        y[query * dim + d] = sum;
    }}
}}
"""


def draw(rng):
    batch = rng.choice([1, 2, 4])
    heads = rng.choice([16, 32, 64])
    n = rng.choice([1024, 2048, 4096, 8192])
    dim = rng.choice([64, 128])
    causal = rng.random() < 0.4
    full = 4 * batch * heads * n * n * dim / 1e9
    total = full / 2 if causal else full
    return ask_number(
        rng,
        text(
            f"Forward attention: batch {batch}, {heads} heads, {n} queries and keys, head dimension {dim}"
            + (", causal, and masked tiles are skipped (count exactly half)" if causal else ", no mask")
            + ". How many GFLOP do the two matrix products take?",
            f"注意力前向：batch {batch}、{heads} 个头、{n} 个查询与键、头维度 {dim}"
            + ("，因果掩码，跳过被掩蔽的部分（按恰好一半计）" if causal else "，无掩码")
            + "。两次矩阵乘共多少 GFLOP？",
        ),
        total,
        text("GFLOP", "GFLOP"),
        [
            Wrong(total / 2, text("There are two products (Q · K^T and P · V), and a multiply-add counts as two.",
                                  "有两次矩阵乘（Q · K^T 与 P · V），一次乘加计为两次运算。")),
            Wrong(total * 2, text("Two products of 2 · n · n · d operations each, for every head; with a causal mask half "
                                  "of it.", "每个头两次矩阵乘、各 2 · n · n · d 次运算；因果掩码只需一半。")),
            Wrong(total / n * dim, text("The scores are n × n, not n × d.", "分数矩阵是 n × n，不是 n × d。")),
            Wrong(total / heads, text("That is one head.", "那是一个头的量。")),
            Wrong(total / 4, text("A multiply-add counts as two, and there are two products.",
                                  "一次乘加计为两次运算，且有两次矩阵乘。")),
        ],
        text(
            f"4 · {batch} · {heads} · {n}² · {dim} = {full:.4g} GFLOP" + (f", half of it {total:.4g}." if causal else "."),
            f"4 · {batch} · {heads} · {n}² · {dim} = {full:.4g} GFLOP" + (f"，一半为 {total:.4g}。" if causal else "。"),
        ),
        relative=0.02,
        proof=Proof(
            program(PROGRAM.format(dim=dim), "attend<<<1, 32>>>(x, y, n);"),
            total,
            lambda run: run.flops * batch * heads * (n / 32) ** 2 * (0.5 if causal else 1) / 1e9,
            n=dim,
        ),
        parameters={"batch": batch, "heads": heads, "n": n, "dim": dim, "causal": int(causal)},
    )
