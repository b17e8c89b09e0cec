"""Every number that a quiz states, computed again from what the question gives.

For templates without a kernel: by trial or event by event where the template has a formula.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable
from itertools import count

from trainer.bank.quiz import Quiz
from trainer.sim.devices import MODELS, Model

ANSWERS: dict[str, float] = {
    "adamw-bytes": 7 * 4,
    "compulsory-intensity": 2 * 4096**3 / (3 * 4 * 4096**2),
    "copy-of-a-sum-in-pytorch": 5 * 4,
    "copy-of-one-gibibyte": 1 + 1,
    "doubling-a-fifth": 1 / (0.8 + 0.2 / 2),
    "exam-row-and-four-columns": max(Counter(132 * t % 32 for t in range(32)).values()),
    "exam-vector-add-bytes": (2 + 1) * 4,
    "floor-of-a-large-sum": 4 * 2**30 / 4800e9 * 1e6,
    "floor-of-a-transpose": 2 * 8192**2 * 4 / 4800e9 * 1e6,
    "flops-of-a-convolution": 2 * 64 * 128 * 9 * 64 * 128 / 1e9,
    "flops-of-a-product": 2 * 4096**3 / 1e9,
    "fma-of-one-wgmma": 64 * 256 * 16,
    "gqa-intensity": 8 * 2 * 2 / (2 * 2),
    "histogram-floor": 50e6 * 4 / 4800e9 * 1e6,
    "mla-cache-ratio": 2 * 128 * 128 / 576,
    "model-on-pcie": 1 / 25 * 1e3,
    "one-block-too-many": 100 * 133 / 264,
    "online-against-three-passes": 16 / 12,
    "register-file-bytes": 65536 * 4 / 1024,
    "scan-with-look-back": (1 + 1) * 4,
    "shared-bandwidth-of-a-chip": 132 * 128 * 1.98e9 / 1e12,
    "smallest-time-of-an-addition": 12 * 2**28 / 4800e9 * 1e6,
    "speedup-of-the-slides": 8.054 / 0.268,
    "sum-of-ones-in-fp32": 2**24,
    "tensor-against-cuda-cores": 989.4 / 66.9,
    "thirty-three-registers": 100 * 32 * (65536 // (-(-33 * 32 // 256) * 256 * 32)) / 64,
    "warps-for-dependent-fma": 4 * 4,
    "where-batch-turns-compute-bound": 989.4e12 / 4800e9,
    "winograd-saving": 4 * 9 / 16,
}


def _model(quiz: Quiz) -> Model:
    assert quiz.gpu is not None
    return MODELS[quiz.gpu]


def _drawn(quiz: Quiz, *names: str) -> list[int]:
    return [int(quiz.parameters[name]) for name in names]


def _amdahl(quiz: Quiz) -> float:
    share, factor = _drawn(quiz, "share", "factor")
    return 100 / (100 - share + share / factor)


def _bytes_in_flight(quiz: Quiz) -> float:
    """Kibibytes that leave DRAM, for one multiprocessor, while one answer is on its way."""
    (latency_ns,) = _drawn(quiz, "latency_ns")
    return _model(quiz).dram_gbps * 1e9 * latency_ns * 1e-9 / _model(quiz).multiprocessors / 1024


def _decode_floor(quiz: Quiz) -> float:
    billions, bits = _drawn(quiz, "billions", "bits")
    return billions * 1e9 * bits / 8 / (_model(quiz).dram_gbps * 1e9) * 1e3


def _launch_bound_loop(quiz: Quiz) -> float:
    """Launch by launch: a kernel starts when it was launched and the one before it has ended."""
    kernels, work, launch = _drawn(quiz, "kernels", "work", "launch")
    launched = ended = 0
    for _ in range(kernels):
        launched += launch
        ended = max(launched, ended) + work
    return (ended - min(work, launch)) * 1.0  # what the first launch or the last kernel adds is left aside


def _peak_flops(quiz: Quiz) -> float:
    return round(_model(quiz).fp32_tflops, 1)


def _ridge_point(quiz: Quiz) -> float:
    gpu = _model(quiz)
    tflops = gpu.tensor_fp16_tflops if quiz.parameters["tensor"] else gpu.fp32_tflops
    return tflops * 1e12 / (gpu.dram_gbps * 1e9)


def _roofline_attainable(quiz: Quiz) -> float:
    gpu, intensity = _model(quiz), float(quiz.parameters["intensity"])
    compute = gpu.tensor_fp16_tflops if quiz.parameters["tensor"] else gpu.fp32_tflops
    return compute if intensity > _ridge_point(quiz) else intensity * gpu.dram_gbps / 1e3


def _warpgroup_registers(quiz: Quiz) -> float:
    """The largest number that still fits, by trial."""
    consumers, producer = _drawn(quiz, "consumers", "producer")
    return max(r for r in range(24, 512, 8) if 128 * (producer + consumers * r) <= 65536)


def _warps_to_hide_latency(quiz: Quiz) -> float:
    """The fewest warps with which the scheduler never idles, cycle by cycle."""
    latency, work = _drawn(quiz, "latency")[0], _drawn(quiz, "independent")[0] * _drawn(quiz, "busy")[0]
    for warps in count(1):
        ready, now, idle = [0] * warps, 0, 0
        for turn in range(3 * warps):
            start = max(now, heapq.heappop(ready))
            idle += start - now if turn >= warps else 0
            now = start + work
            heapq.heappush(ready, max(start + latency, now))
        if not idle:
            return warps
    raise AssertionError


def _waves_and_tail(quiz: Quiz) -> float:
    """Block by block, each on the slot that is free first."""
    blocks, resident = _drawn(quiz, "blocks", "resident")
    slots = [0] * (_model(quiz).multiprocessors * resident)
    for _ in range(blocks):
        heapq.heapreplace(slots, slots[0] + 1)
    return 100 * blocks / (len(slots) * max(slots))


DRAWN: dict[str, Callable[[Quiz], float]] = {
    "amdahl": _amdahl,
    "bytes-in-flight": _bytes_in_flight,
    "decode-floor": _decode_floor,
    "launch-bound-loop": _launch_bound_loop,
    "peak-flops": _peak_flops,
    "ridge-point": _ridge_point,
    "roofline-attainable": _roofline_attainable,
    "warpgroup-registers": _warpgroup_registers,
    "warps-to-hide-latency": _warps_to_hide_latency,
    "waves-and-tail": _waves_and_tail,
}
