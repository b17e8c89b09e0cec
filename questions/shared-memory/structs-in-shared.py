from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    words = rng.choice([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16])
    field = rng.randrange(words)
    request = Request("shared", "float", f"{words} * t + {field}")
    return ask_number(
        rng,
        text(
            f"    struct Node {{ float f[{words}]; }};\n    __shared__ Node n[64];\n"
            f"    float v = n[threadIdx.x].f[{field}];\n\nHow many wavefronts does the load take for a full warp?",
            f"    struct Node {{ float f[{words}]; }};\n    __shared__ Node n[64];\n"
            f"    float v = n[threadIdx.x].f[{field}];\n\n完整 warp 的这次读取需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(words, text("The size in words is the degree only where it divides 32.",
                              "只有字数整除 32 时，冲突度才等于字数。")),
            Wrong(1, text("An even size brings several lanes to the same bank.",
                          "偶数大小会使多个线程落在同一存储体。")),
            Wrong(2, text("That is the answer for structures of 2, 6, 10 words.", "那是 2、6、10 个字的结构体的答案。")),
            Wrong(32, text("Only structures of a multiple of 32 words bring all lanes to one bank.",
                           "只有 32 字整数倍的结构体才会使全部线程落在同一存储体。")),
            Wrong(field + 1, text("Which field it is only shifts all banks alike.", "字段序号只是把存储体整体平移。")),
        ],
        text(
            f"Lane t reads word {words} · t + {field}: gcd({words}, 32) = {request.cost}. An array of structures with "
            "an odd number of words is free of conflicts in shared memory, though not in global memory.",
            f"线程 t 读取第 {words} · t + {field} 个字：gcd({words}, 32) = {request.cost}。结构体字数为奇数时，"
            "共享内存中没有冲突（全局内存则不然）。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"words": words, "field": field},
    )
