"""Answers that are not the cost of one request, read off the run of a program in the simulator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trainer.bank.quiz import Proof
from trainer.cuda.model import KernelResources
from trainer.grade.backend import Backend, RunRequest
from trainer.quiz.run import SIGNATURE, accesses_at, sample_arguments
from trainer.sim.devices import Model
from trainer.sim.occupancy import Occupancy, occupancy
from trainer.sim.report import Access, SimReport, Space

SECTOR = 32
WORD = 4
LANES = 32
CLOSE = 1e-5
"""Measured numbers may differ from the answer by this share: y holds 24 bits."""


@dataclass(frozen=True)
class Observed:
    """One run: what it left in y, what the simulator counted, what the compiler made of its kernels."""

    source: str
    y: NDArray[np.float32]
    report: SimReport
    kernels: tuple[KernelResources, ...]

    @property
    def flops(self) -> int:
        """Of all launches; a multiply-add counts as two."""
        return sum(launch.flops for launch in self.report.launches)

    def executed(self, op: str) -> int:
        """How often warps executed a PTX instruction such as "mma" or "shfl"."""
        return self.report.instruction_mix.get(op, 0)

    def moved(self, *, kernel: str = "", op: str = "", mark: str = "") -> int:
        """Bytes of the touched sectors of global memory: all, or of a kernel, an op, a marked line."""
        rows = accesses_at(self.source, mark, Space.GLOBAL, self.report) if mark else self.report.access
        return SECTOR * sum(
            access.sectors or 0
            for access in rows
            if access.space is Space.GLOBAL and kernel in ("", access.kernel) and op in ("", access.op)
        )

    def shared_words_loaded(self) -> int:
        """Words that all lanes load from shared memory, where all take part."""
        return sum(
            LANES * access.requests * access.bytes_per_lane // WORD
            for access in self.report.access
            if access.space is Space.SHARED and access.op == "load"
        )

    def warps_at(self, mark: str) -> int:
        """How many warps, or how often they, reached the access in the line that ends in "// MARK"."""
        found: list[Access] = accesses_at(self.source, mark, Space.GLOBAL, self.report)
        return sum(access.requests for access in found)

    @property
    def blocks(self) -> int:
        """Of the first launch."""
        return math.prod(self.report.launches[0].grid)

    def occupancy(self, gpu: Model) -> Occupancy:
        """Of the first launch on `gpu`, with the registers that ptxas gave its kernel."""
        launch, kernel = self.report.launches[0], self.kernels[0]
        assert kernel.registers is not None, "ptxas reported nothing"
        return occupancy(gpu, math.prod(launch.block), kernel.registers, launch.shared_bytes)


def program(kernels: str, launches: str) -> str:
    """Kernels and the host function that launches them; `launches` is C++ over x, y and n."""
    return f'{kernels}\nextern "C" void solve(const float* x, float* y, int n) {{\n    {launches}\n}}\n'


def disproof(proof: Proof, backend: Backend) -> Iterator[str]:
    """What a run of the program says otherwise than the answer."""
    compiled = backend.compile(proof.source, SIGNATURE)
    if not compiled.ok:
        yield f"its program does not compile: {compiled.message}"
        return
    arguments = sample_arguments(proof.floats, proof.n)
    outcome = backend.run(RunRequest(arguments, seed=1, observe=True, hazards=False))
    if outcome.verdict is not None or outcome.report is None:
        yield f"its program fails: {outcome.message}"
        return
    y = outcome.outputs["y"].view(np.float32)
    found = proof.measured(Observed(proof.source, y, outcome.report, compiled.kernels))
    if not math.isclose(found, proof.answer, rel_tol=CLOSE):
        yield f"its program gives {found:.6g}, the answer is {proof.answer:.6g}"


def occupying(threads: int, registers: int, shared_bytes: int, bounds: str = "") -> str:
    """A program with one launch that uses exactly these resources: a kernel holds more values than it
    may have registers. `bounds` instead of __maxnreg__, for the compiler to choose them."""
    shared = f"__shared__ float s[{shared_bytes // WORD}];" if shared_bytes else ""
    used = "((volatile float*)s)[t] = sum;" if shared_bytes else ""
    kernel = _GREEDY.format(
        bounds=bounds or f"__maxnreg__({registers})", values=registers, shared=shared, used=used
    )
    return program(kernel, f"greedy<<<1, {threads}>>>(x, y);")


MMA = """\
__device__ void mma(float* c, unsigned upper, unsigned lower, unsigned b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
        "{%4, %5, %4, %5}, {%6, %6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(upper), "r"(lower), "r"(b));
}
"""
"""CUDA C++: c += A * B on tensor cores, where both halves of a lane's rows of A (`upper`: the first eight
rows, `lower`: the others), and of its column of B, hold the same two numbers."""

_GREEDY = """\
__global__ void {bounds} greedy(const float* x, float* y) {{
    {shared}
    int t = threadIdx.x;
    float v[{values}];
    #pragma unroll
    for (int i = 0; i < {values}; ++i)
        v[i] = ((const volatile float*)x)[i + t];
    float sum = 0.0f;
    #pragma unroll
    for (int i = 0; i < {values}; ++i)
        sum = sum * v[{values} - 1 - i] + v[i];
    {used}
    y[t] = sum;
}}
"""
