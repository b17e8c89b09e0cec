from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
__device__ bool before(uint3 a, dim3 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

__global__ void count(float* y, dim3 block, dim3 thread) {
    bool same = blockIdx.x == block.x && blockIdx.y == block.y;
    if (before(blockIdx, block) || (same && before(threadIdx, thread)))
        atomicAdd(&y[0], 1.0f);
}
"""


def draw(rng):
    grid = rng.choice([4, 5, 8]), rng.choice([2, 3, 4])
    block = rng.choice([8, 16, 32]), rng.choice([2, 4, 8])
    bx, by = rng.randrange(1, grid[0]), rng.randrange(1, grid[1])
    tx, ty = rng.randrange(1, block[0]), rng.randrange(1, block[1])
    per_block = block[0] * block[1]
    block_id, thread_id = by * grid[0] + bx, ty * block[0] + tx
    return ask_number(
        rng,
        text(
            f"gridDim = ({grid[0]}, {grid[1]}), blockDim = ({block[0]}, {block[1]}), blockIdx = ({bx}, {by}), threadIdx = "
            f"({tx}, {ty}). Blocks are numbered with x first, and so are threads within a block. What is the number of this "
            "thread in the whole grid, counting block after block from 0?",
            f"gridDim = ({grid[0]}, {grid[1]})，blockDim = ({block[0]}, {block[1]})，blockIdx = ({bx}, {by})，threadIdx = "
            f"({tx}, {ty})。线程块和块内线程都按 x 优先编号。逐块从 0 计数，该线程在整个网格中的编号是多少？",
        ),
        block_id * per_block + thread_id,
        text("", ""),
        [
            Wrong((bx * grid[1] + by) * per_block + thread_id, text("Blocks are numbered with x first.",
                                                                    "线程块按 x 优先编号。")),
            Wrong(block_id * per_block + tx * block[1] + ty, text("Threads are numbered with x first.",
                                                                  "块内线程按 x 优先编号。")),
            Wrong((by * block[1] + ty) * grid[0] * block[0] + bx * block[0] + tx, text(
                "That goes row by row through the whole grid, as for the pixels of an image.",
                "那是按整个网格逐行编号，如图像像素。")),
            Wrong(block_id * block[0] + thread_id, text("A block has blockDim.x · blockDim.y threads.",
                                                        "一个线程块有 blockDim.x · blockDim.y 个线程。")),
            Wrong(block_id * per_block + thread_id + 1, text("Counting starts at 0.", "从 0 开始计数。")),
        ],
        text(
            f"Block {by} · {grid[0]} + {bx} = {block_id}, thread {ty} · {block[0]} + {tx} = {thread_id} in it: "
            f"{block_id} · {per_block} + {thread_id} = {block_id * per_block + thread_id}.",
            f"线程块编号 {by} · {grid[0]} + {bx} = {block_id}，块内编号 {ty} · {block[0]} + {tx} = {thread_id}："
            f"{block_id} · {per_block} + {thread_id} = {block_id * per_block + thread_id}。",
        ),
        proof=Proof(
            program(PROGRAM, f"count<<<dim3{grid}, dim3{block}>>>(y, dim3({bx}, {by}), dim3({tx}, {ty}));"),
            block_id * per_block + thread_id,
            lambda run: float(run.y[0]),
        ),
        parameters={"bx": bx, "by": by, "tx": tx, "ty": ty},
    )
