"""How much arithmetic instructions do, and where warps diverge: from block counters of a launch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.module import Instruction
from trainer.sim.report import Divergence

_ONE = frozenset("add sub mul div sqrt rsqrt rcp ex2 lg2 sin cos tanh".split(" "))
_TWO = frozenset({"fma", "mad"})
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


@dataclass
class Flops:
    """Floating-point operations; fma counts two. Tensor operations count multiply and add."""

    single: int = 0  # fp32 and narrower
    double: int = 0
    tensor: int = 0

    @property
    def total(self) -> int:
        return self.single + self.double + self.tensor


def _per_lane(instruction: Instruction) -> tuple[int, str]:
    """Operations per active lane and which unit does them ("single", "double", "" for none)."""
    each = 1 if instruction.op in _ONE else 2 if instruction.op in _TWO else 0
    if not each or not instruction.modifiers:
        return 0, ""
    kind = instruction.modifiers[-1]
    if kind in ("f16x2", "bf16x2", "f32x2"):
        return 2 * each, "single"
    if kind in ("f32", "f16", "bf16"):
        return each, "single"
    return (each, "double") if kind == "f64" else (0, "")


def _per_warp(instruction: Instruction) -> int:
    """Multiply-adds, times two, of a warp-wide matrix instruction."""
    if instruction.op not in ("mma", "wgmma") and not (
        instruction.op == "wmma" and "mma" in instruction.modifiers
    ):
        return 0
    shape = next((m for m in map(_SHAPE.fullmatch, instruction.modifiers) if m), None)
    return 2 * int(shape[1]) * int(shape[2]) * int(shape[3]) if shape else 0


@dataclass
class BlockTotals:
    """Block counters of one kernel, summed over launches: executions, lanes, divergent branches."""

    compiled: CompiledKernel
    counters: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), dtype=np.int64))

    def add(self, counters: NDArray[np.int64]) -> None:
        self.counters = self.counters + counters if len(self.counters) else counters.copy()


def flops_of(compiled: CompiledKernel, counters: NDArray[np.int64]) -> Flops:
    """Floating-point work of one launch."""
    flops = Flops()
    for info, row in zip(compiled.blocks, counters, strict=False):
        executions, lanes = int(row[0]), int(row[1])
        if not executions:
            continue
        for instruction in info.instructions:
            each, unit = _per_lane(instruction)
            if unit == "single":
                flops.single += each * lanes
            elif unit == "double":
                flops.double += each * lanes
            flops.tensor += _per_warp(instruction) * executions
    return flops


def instruction_mix(totals: Iterable[BlockTotals]) -> dict[str, int]:
    """Warp-level executions per base operation, most frequent first."""
    mix: Counter[str] = Counter()
    for kernel in totals:
        for info, row in zip(kernel.compiled.blocks, kernel.counters, strict=False):
            if row[0]:
                for instruction in info.instructions:
                    mix[instruction.op] += int(row[0])
    return dict(mix.most_common())


def divergence_of(
    totals: BlockTotals, kernel: str, source_of: Callable[[int], str]
) -> tuple[Divergence, ...]:
    """Conditional branches by source line."""
    lines: dict[int, NDArray[Any]] = {}
    for info, row in zip(totals.compiled.blocks, totals.counters, strict=False):
        last = info.instructions[-1] if info.instructions else None
        if last is not None and last.op in ("bra", "brx") and (last.predicate or last.op == "brx") and row[0]:
            lines[last.line] = lines.get(last.line, np.zeros(4, dtype=np.int64)) + row
    return tuple(
        Divergence(kernel, line, source_of(line), int(row[0]), int(row[1]), int(row[2]))
        for line, row in sorted(lines.items())
    )
