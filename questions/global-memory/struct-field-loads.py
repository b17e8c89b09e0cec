from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    fields = rng.choice([2, 3, 4, 5, 6, 7, 8, 10, 12, 16])
    field = rng.randrange(fields)
    request = Request("global", "float", f"{fields} * t + {field}")
    return ask_number(
        rng,
        text(
            f"An array of structures of {fields} floats each, aligned to 128 bytes. Every lane of a full warp "
            f"reads one field of its own structure:\n\n    struct P {{ float f[{fields}]; }};\n"
            f"    float v = p[threadIdx.x].f[{field}];\n\nHow many 32-byte sectors does the request touch?",
            f"结构体数组，每个结构体含 {fields} 个 float，按 128 字节对齐。一个完整 warp 的每个线程读取自己"
            f"结构体的一个字段：\n\n    struct P {{ float f[{fields}]; }};\n"
            f"    float v = p[threadIdx.x].f[{field}];\n\n这次请求涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(4, text("That is a structure of arrays: 32 floats side by side, 128 bytes.",
                          "那是数组结构体（SoA）：32 个 float 相邻，共 128 字节。")),
            Wrong(32, text("Several structures share a sector as long as one is smaller than 32 bytes.",
                           "结构体小于 32 字节时，几个结构体共用一个扇区。")),
            Wrong(fields, text("The number of fields counts 128-byte lines; there are four sectors in a line.",
                               "字段数对应的是 128 字节缓存行数；一行有四个扇区。")),
            Wrong(4 * fields, text(
                "Sectors that lie wholly between two wanted fields are not fetched once a structure is larger "
                "than a sector.", "结构体大于一个扇区时，两个目标字段之间的整个扇区不会被取来。")),
            Wrong(8, text("That would be structures of two floats.", "那是每个结构体两个 float 的情形。")),
            Wrong(16, text("That would be structures of four floats.", "那是每个结构体四个 float 的情形。")),
        ],
        text(
            f"A structure takes {4 * fields} bytes, so the wanted floats lie {4 * fields} bytes apart and touch "
            f"{request.cost} sectors; {request.efficiency:.3g} % of those bytes are used. With one array for "
            "each field (structure of arrays) the warp would need 4 sectors.",
            f"一个结构体占 {4 * fields} 字节，目标字段间隔 {4 * fields} 字节，涉及 {request.cost} 个扇区，"
            f"利用率 {request.efficiency:.3g}%。改为每个字段一个数组（SoA）只需 4 个扇区。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"fields": fields, "field": field},
    )
