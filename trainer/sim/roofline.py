"""A roofline estimate for a named GPU: modelled, never measured.

The floor of a run is the sum over its launches of the larger of bytes over DRAM bandwidth and flops
over peak (Williams, Waterman, Patterson, "Roofline", CACM 2009), but never less than the time one
launch takes to start and drain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.sim.devices import Model as Gpu
from trainer.sim.report import Model

# An empty kernel replayed from a CUDA graph takes about this long on recent GPUs.
LAUNCH_US = 1.0


@dataclass(frozen=True)
class LaunchWork:
    """What one launch did. Bytes are whole 32-byte sectors, each counted once per launch."""

    read_bytes: int
    written_bytes: int
    flops: int = 0  # fp32 and narrower outside the tensor cores; fma counts two
    flops_fp64: int = 0
    flops_tensor: int = 0
    resident_bytes: int = 0  # of the sectors read: those an earlier launch left in L2


def dram_bytes(work: LaunchWork, gpu: Gpu) -> int:
    """Bytes that reach DRAM: what is read minus what L2 still holds, plus what is written.

    L2 keeps the sectors of earlier launches as long as one launch's whole footprint fits into it.
    """
    fits = work.read_bytes + work.written_bytes <= gpu.l2_bytes
    return work.read_bytes + work.written_bytes - (work.resident_bytes if fits else 0)


def _compute_us(work: LaunchWork, gpu: Gpu) -> float:
    return (
        work.flops / gpu.fp32_tflops
        + work.flops_fp64 / gpu.fp64_tflops
        + work.flops_tensor / gpu.tensor_fp16_tflops
    ) / 1e6


def estimate(launches: Sequence[LaunchWork], gpu: Gpu) -> Model:
    """The floor of running `launches` one after the other on `gpu`."""
    memory_us = compute_us = floor_us = 0.0
    for work in launches:
        memory = dram_bytes(work, gpu) / gpu.dram_gbps / 1e3
        compute = _compute_us(work, gpu)
        memory_us += memory
        compute_us += compute
        floor_us += max(memory, compute, LAUNCH_US)
    if max(memory_us, compute_us) < LAUNCH_US * len(launches):
        bound = "latency"
    else:
        bound = "memory" if memory_us >= compute_us else "compute"
    return Model(
        device=gpu.name,
        dram_bytes=sum(dram_bytes(work, gpu) for work in launches),
        flops=sum(work.flops + work.flops_fp64 + work.flops_tensor for work in launches),
        floor_us=floor_us,
        bound=bound,
    )
