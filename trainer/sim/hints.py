"""What usually helps against a hazard."""

from __future__ import annotations

import re

from trainer.cuda.scanner import scan
from trainer.sim.report import Beyond, Hazard, HazardKind

_HINTS = {
    HazardKind.OUT_OF_BOUNDS: "Guard the access with the size: the last block and the edges reach over it.",
    HazardKind.MISALIGNED: "A vector access needs an address that is a multiple of its size.",
    HazardKind.NULL_POINTER: "Did an API call before it fail? Look at what cudaMalloc returned.",
    HazardKind.UNINITIALISED_READ: "Write it first: cudaMalloc, __shared__ and outputs start with garbage.",
    HazardKind.SHARED_RACE: "Put a __syncthreads() between the two accesses.",
    HazardKind.GLOBAL_RACE: "Use an atomic, a second buffer, or another launch for what comes after.",
    HazardKind.BARRIER_DIVERGENCE: "Move the __syncthreads() where every thread of the block reaches it.",
}
_OUTSIDE = {
    Beyond.HOST: "Kernels reach device memory only: cudaMalloc it, and copy with cudaMemcpy.",
    Beyond.NOTHING: "Was this pointer ever set? Look at what is passed to the kernel.",
    Beyond.NO_SHARED: "`extern __shared__` needs its bytes as third launch argument.",
    Beyond.SHARED: "Is the index within the array, and did the launch ask for all of its bytes?",
    Beyond.CONSTANT: "Kernels only read it: set it from the host with cudaMemcpyToSymbol.",
}

_BARRIER = re.compile(r"\b__syncthreads(?:_\w+)?\s*\(|\.\s*sync\s*\(\s*\)|\bsync\s*\(")
_LAST_ON_ITS_LINE = re.compile(r"[;{}].*(?:\b__syncthreads|\bsync)\s*\([^()]*\)\s*;?\s*$")


def hint_for(hazard: Hazard, source: str) -> str:
    """One sentence, or ""; `source`: the submission, for races around a barrier that is there."""
    if hazard.kind is HazardKind.SHARED_RACE and hazard.other_line:
        first, last = sorted((hazard.line, hazard.other_line))
        if first == last:
            return "Put a __syncthreads() between the two: between turns, or between reading and writing."
        barrier = _barrier_between(source, first, last)
        if barrier:
            return (
                f"The barrier of line {barrier} stands between lines {first} and {last}; another is missing "
                f"on the way back, from line {last} to the next turn's line {first}."
            )
    if hazard.beyond in _OUTSIDE:
        return _OUTSIDE[hazard.beyond]
    return _HINTS.get(hazard.kind, "")


def _barrier_between(source: str, first: int, last: int) -> int:
    """The line of a barrier behind line `first` and before line `last`; 0 if there is none."""
    lines = scan(source).code.split("\n")[: last - 1]
    for number, line in enumerate(lines[first:], first + 1):
        if _BARRIER.search(line):
            return number
    return first if first <= len(lines) and _LAST_ON_ITS_LINE.search(lines[first - 1]) else 0
