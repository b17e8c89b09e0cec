from trainer.quiz.build import Wrong, ask_number, text


def draw(rng):
    kernels = rng.choice([50, 100, 200, 500, 1000])
    work = rng.choice([1, 2, 3, 4, 8, 12, 20])
    launch = rng.choice([4, 5, 6])
    slower = max(work, launch)
    return ask_number(
        rng,
        text(
            f"A host loop launches {kernels} kernels into one stream without waiting. Each launch takes the host {launch} us, "
            f"each kernel runs {work} us on the GPU, and nothing else does. About how long does it all take?",
            f"主机循环向同一个流连续启动 {kernels} 个核函数，中间不等待。每次启动占用主机 {launch} us，每个核函数在 GPU 上运行 "
            f"{work} us，此外没有其他工作。总共大约多久？",
        ),
        kernels * slower,
        text("us", "us"),
        [
            Wrong(kernels * (work + launch), text("Launching is asynchronous: the host launches the next one while the GPU "
                                                  "works.", "启动是异步的：GPU 工作时主机已在启动下一个。")),
            Wrong(kernels * min(work, launch), text("The slower of the two sets the pace.", "较慢者决定节奏。")),
            Wrong(kernels * work + launch if launch > work else kernels * launch + work, text(
                "The slower of the two sets the pace.", "较慢者决定节奏。")),
            Wrong(kernels * slower / 2, text("Kernels of one stream do not overlap.", "同一个流中的核函数不会重叠。")),
        ],
        text(
            f"Host and GPU work side by side; the slower one sets the pace: {kernels} · {slower} us. "
            + (f"This loop is launch-bound: replayed as a CUDA graph it would take little more than {kernels * work} us."
               if launch > work else "Launches are hidden behind the kernels; a graph would change little."),
            f"主机与 GPU 并行工作，较慢者决定节奏：{kernels} · {slower} us。"
            + (f"该循环受启动限制：用 CUDA graph 重放只需略多于 {kernels * work} us。" if launch > work
               else "启动被核函数掩盖，用 graph 变化不大。"),
        ),
        relative=0.03,
        parameters={"kernels": kernels, "work": work, "launch": launch},
    )
