"""GPUs that can be modelled, as data. Public figures of the vendor; peaks without sparsity."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.cuda.device import DeviceProperties
from trainer.errors import UsageError

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@dataclass(frozen=True)
class Model:
    """One GPU. Clocks are boost clocks, `dram_gbps` is 10^9 bytes a second, flops count fma as two."""

    name: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    boost_mhz: int
    dram_gbps: float
    dram_bytes: int
    memory_bus_bits: int
    l2_bytes: int
    shared_bytes_per_multiprocessor: int
    shared_bytes_per_block_optin: int
    max_threads_per_multiprocessor: int
    max_blocks_per_multiprocessor: int
    fp32_tflops: float
    tensor_fp16_tflops: float
    registers_per_multiprocessor: int = 65536

    @property
    def fp64_tflops(self) -> float:
        """Half of fp32 on the data-centre chips, 1/32 or 1/64 on the others (CUDA Programming Guide,
        "Arithmetic Instructions": results per clock and multiprocessor).
        """
        per_fp32 = {(7, 0): 2, (8, 0): 2, (9, 0): 2, (10, 0): 2, (7, 5): 32}
        return self.fp32_tflops / per_fp32.get(self.compute_capability, 64)


# Limits per multiprocessor: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        # "NVIDIA Tesla V100 GPU Architecture" whitepaper, table 1 (SXM2, 16 GB).
        Model("V100", (7, 0), 80, 1530, 900, 16 * GIB, 4096, 6 * MIB,
              96 * KIB, 96 * KIB, 2048, 32, 15.7, 125.0),
        # "NVIDIA Turing GPU Architecture" whitepaper, appendix "Tesla T4"; T4 datasheet.
        Model("T4", (7, 5), 40, 1590, 320, 16 * GIB, 256, 4 * MIB,
              64 * KIB, 64 * KIB, 1024, 16, 8.1, 65.0),
        # "NVIDIA A100 Tensor Core GPU Architecture" whitepaper, table 4 (SXM4, 40 GB).
        Model("A100", (8, 0), 108, 1410, 1555, 40 * GIB, 5120, 40 * MIB,
              164 * KIB, 163 * KIB, 2048, 32, 19.5, 312.0),
        # "NVIDIA Ampere GA102 GPU Architecture" whitepaper, appendix A.
        Model("RTX 3090", (8, 6), 82, 1695, 936, 24 * GIB, 384, 6 * MIB,
              100 * KIB, 99 * KIB, 1536, 16, 35.6, 142.0),
        # "NVIDIA Ada GPU Architecture" whitepaper, appendix A (tensor: fp16 with fp16 accumulate).
        Model("RTX 4090", (8, 9), 128, 2520, 1008, 24 * GIB, 384, 72 * MIB,
              100 * KIB, 99 * KIB, 1536, 24, 82.6, 330.3),
        # L40S datasheet; "NVIDIA Ada GPU Architecture" whitepaper for the chip.
        Model("L40S", (8, 9), 142, 2520, 864, 48 * GIB, 384, 96 * MIB,
              100 * KIB, 99 * KIB, 1536, 24, 91.6, 366.0),
        # "NVIDIA H100 Tensor Core GPU Architecture" whitepaper, table 3 (SXM5).
        Model("H100", (9, 0), 132, 1980, 3352, 80 * GIB, 5120, 50 * MIB,
              228 * KIB, 227 * KIB, 2048, 32, 66.9, 989.4),
        # H200 datasheet (SXM): the H100's chip with HBM3e; L2 as cudaGetDeviceProperties reports it.
        Model("H200", (9, 0), 132, 1980, 4800, 141 * GIB, 6144, 60 * MIB,
              228 * KIB, 227 * KIB, 2048, 32, 66.9, 989.4),
        # HGX B200 datasheet, per GPU; limits of compute capability 10.0.
        Model("B200", (10, 0), 148, 1965, 8000, 180 * GIB, 8192, 126 * MIB,
              228 * KIB, 227 * KIB, 2048, 32, 75.0, 2250.0),
    )
}  # fmt: skip


def find(name: str) -> Model:
    """The model called `name`, in any case and with or without spaces; `UsageError` when unknown."""
    wanted = name.replace(" ", "").replace("-", "").lower()
    for model in MODELS.values():
        if model.name.replace(" ", "").lower() == wanted:
            return model
    raise UsageError(f"no GPU model is called {name!r}", hint="known: " + ", ".join(MODELS))


def properties(model: Model) -> DeviceProperties:
    """What the runtime API would answer on such a GPU."""
    return DeviceProperties(
        name=f"NVIDIA {model.name} (simulated)",
        compute_capability=model.compute_capability,
        multiprocessors=model.multiprocessors,
        max_threads_per_multiprocessor=model.max_threads_per_multiprocessor,
        max_blocks_per_multiprocessor=model.max_blocks_per_multiprocessor,
        registers_per_multiprocessor=model.registers_per_multiprocessor,
        shared_bytes_per_multiprocessor=model.shared_bytes_per_multiprocessor,
        shared_bytes_per_block=48 * KIB,
        shared_bytes_per_block_optin=model.shared_bytes_per_block_optin,
        l2_bytes=model.l2_bytes,
        total_bytes=model.dram_bytes,
        clock_khz=model.boost_mhz * 1000,
        memory_clock_khz=round(model.dram_gbps * 1e6 * 8 / model.memory_bus_bits / 2),
        memory_bus_bits=model.memory_bus_bits,
    )
