from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["char", "short", "float", "float", "double", "float4"])
    kind = rng.choice(["reverse", "xor", "rotate", "multiply"])
    index = {
        "reverse": "31 - t",
        "xor": f"t ^ {rng.choice([1, 2, 5, 8, 16, 21, 31])}",
        "rotate": f"(t + {rng.randrange(1, 32)}) % 32",
        "multiply": f"({rng.choice([3, 5, 7, 11, 13, 17])} * t) % 32",
    }[kind]
    request = Request("global", ctype, index)
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"`const {ctype}* x` ({width} byte{'s' * (width > 1)} an element) is aligned to 128 bytes. With t = threadIdx.x, how "
            f"many 32-byte sectors does this load of a full warp touch?\n\n    {ctype} v = x[{index}];",
            f"`const {ctype}* x`（每个元素 {width} 字节）按 128 字节对齐，t = threadIdx.x。一个完整 warp 的这次"
            f"读取涉及多少个 32 字节扇区？\n\n    {ctype} v = x[{index}];",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(32, text("Coalescing does not ask for ascending order; only the set of sectors counts.",
                           "合并访问不要求升序；只看涉及的扇区集合。")),
            Wrong(2 * width, text("Nothing is fetched twice: within one request each sector counts once.",
                                  "不会重复取数：一次请求中每个扇区只计一次。")),
            Wrong(width + 1, text("The span starts and ends at a sector boundary, so there is no extra one.",
                                  "首尾都在扇区边界上，没有多余的扇区。")),
            Wrong(max(1, width // 4), text("That counts 128-byte lines, not 32-byte sectors.",
                                           "这是 128 字节缓存行的数目，不是 32 字节扇区。")),
        ],
        text(
            f"The index is a permutation of 0 to 31: the warp uses the same {32 * width} bytes as x[t], in "
            f"another order. Order within a request is free: {request.cost} sector{'s' * (request.cost > 1)}, 100 % used.",
            f"下标是 0 到 31 的一个排列：用到的 {32 * width} 字节与 x[t] 相同，只是顺序不同。"
            f"请求内的顺序没有代价：{request.cost} 个扇区，利用率 100%。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "index": index},
    )
