from trainer.bank.quiz import Picture
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.special import matrix_rows


def draw(rng):
    pitch = rng.choice([16, 32, 48, 64, 80, 128, 144, 256, 272])
    swizzled = pitch in (64, 128, 256) and rng.random() < 0.3
    chunks = pitch // 16
    addresses, sample = matrix_rows(pitch, f"r % {min(8, chunks)}" if swizzled else "0")
    cost = sample.cost
    moved = text(
        f" The 16-byte chunk that a row begins with is swizzled: chunk (row % {min(8, chunks)}).",
        f"每行所取的 16 字节块经过置换：第 (行号 % {min(8, chunks)}) 块。",
    )
    return ask_number(
        rng,
        text(
            f"`ldmatrix.x1` loads one 8 × 8 matrix of 16-bit elements: eight rows of 16 bytes. The rows lie {pitch} "
            "bytes apart in shared memory." + (moved["en"] if swizzled else "")
            + " How many wavefronts does it take?",
            f"`ldmatrix.x1` 读取一个 8 × 8 的 16 位矩阵：8 行，每行 16 字节。各行在共享内存中间隔 {pitch} 字节。"
            + (moved["zh"] if swizzled else "") + "需要多少次 wavefront？",
        ),
        cost,
        text("wavefronts", "次"),
        [
            Wrong(8, text("Eight rows fit into one wavefront if together they cover each of the 32 banks once.",
                          "8 行若恰好覆盖 32 个存储体各一次，一次 wavefront 即可。")),
            Wrong(1, text("One wavefront needs the eight rows in eight different groups of four banks.",
                          "一次完成要求 8 行落在 8 组不同的（每组 4 个）存储体。")),
            Wrong(2, text("Take each row's address modulo 128 bytes and count the equal ones.",
                          "把各行地址对 128 字节取模，数相同者。")),
            Wrong(4, text("Take each row's address modulo 128 bytes and count the equal ones.",
                          "把各行地址对 128 字节取模，数相同者。")),
            Wrong(32, text("The unit is a row of 16 bytes, four banks at once, not a lane's word.",
                           "单位是 16 字节的一行，即 4 个存储体，不是单个字。")),
        ],
        text(
            f"The banks repeat every 128 bytes. The eight rows start at {128 // 16} possible places, and {cost} of them "
            f"fall{'s' * (cost == 1)} on the same one: {cost} wavefront{'s' * (cost > 1)}. A pitch that is an odd "
            "multiple of 16 bytes, or an XOR of the chunk with the row, needs only one.",
            f"存储体每 128 字节重复一次。8 行的起点有 8 个可能位置，同一位置最多有 {cost} 行：{cost} 次 wavefront。"
            "行距取 16 字节的奇数倍，或把块号与行号异或，一次即可。",
        ),
        picture=Picture("shared", addresses, 16, active=0xFF),
        sample=sample,
        parameters={"pitch": pitch, "swizzled": int(swizzled)},
    )
