# ruff: noqa: E501  (code in another language reads better unbroken)
"""Random kernels: a warp of thirty-two lanes must give each thread what a warp of one gives it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.ptx.harness import compile_cuda, run_kernel
from trainer.ptx.engine import Engine
from trainer.ptx.module import Module

_HELPERS = """
__device__ __noinline__ int first(int x, int y) { int s = 0; for (int k = 0; k < (x & 7); k++) { if ((y >> k) & 1) s += k * x; else s ^= y; } return s + x - y; }
__device__ __noinline__ int second(int x, int y) { if (x & 1) return y * 3; return (y & 3) == 0 ? first(y, x) + 1 : x - y; }
"""


class Writer:
    """Writes a random kernel: nested loops with break and continue, switches, early returns, calls, local arrays."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def expression(self, depth: int = 0) -> str:
        pick = self.random
        if depth > 2 or pick.random() < 0.3:
            return pick.choice(["a", "b", "c", "i", "n", str(pick.randint(-9, 99))])
        x, y, z = (self.expression(depth + 1) for _ in range(3))
        forms = [f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"({x} ^ {y})", f"({x} & {y})", f"({x} < {y})",
                 f"((int)((unsigned)({x}) >> (({y}) & 15)))", f"((int)((unsigned)({x}) << (({y}) & 15)))",
                 f"(({x}) % ((({y}) & 31) + 1))", f"(({x}) / ((({y}) & 31) + 1))", f"first({x}, {y})", f"second({x}, {y})",
                 f"(({z}) > ({x}) ? ({x}) : ({y}))", f"(int)(fminf(fabsf(({x}) * 0.37f + ({y})), 1e6f))"]  # fmt: skip
        return pick.choice(forms)

    def statement(self, depth: int) -> str:
        pick, e = self.random, self.expression
        kind, name = pick.random(), pick.choice("abc")
        if depth > 3 or kind < 0.35:
            return f"{name} = {e()};"
        inner = [self.block(depth + 1) for _ in range(2)]
        if kind < 0.65:
            return f"if ((({e()}) & {pick.choice([1, 3, 7])}) == 0) {{ {inner[0]} }} else {{ {inner[1]} }}"
        if kind < 0.78:
            self.loops += 1
            k = f"k{self.loops}"
            leave = pick.choice(["", f"if ((({e()}) & 15) == 3) break;", f"if ((({e()}) & 7) == 5) continue;"])
            return f"for (int {k} = 0; {k} < (({e()}) & 7); {k}++) {{ {leave} {inner[0]} {name} += {k}; }}"
        if kind < 0.86:
            return (f"switch (({e()}) & 7) {{ case 0: {inner[0]} break; case 1: {inner[1]} case 2: {name}++; break;"
                    f" case 5: {name} = 7; break; case 6: {name} ^= i; default: {name}--; }}")
        if kind < 0.9 and depth:
            return f"if ((({e()}) & 63) == {pick.randint(0, 63)}) {{ out[i * 3] = a; return; }}"
        return f"cells[({e()}) & 7] = {e()}; {name} += cells[({e()}) & 7];"

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))

    def kernel(self, *, barriers: bool = False) -> str:
        meet = "cells[i & 7] += a; s[threadIdx.x] = a; __syncthreads(); b += s[(threadIdx.x * 7 + 3) % 48]; c += __syncthreads_count(a & 1);"
        body = " ".join(self.statement(0) + (meet if barriers else "") for _ in range(4))
        return _HELPERS + f"""extern "C" __global__ void k(int* out, int n) {{
            __shared__ int s[48]; s[threadIdx.x] = 3; __syncthreads();
            int i = blockIdx.x * blockDim.x + threadIdx.x, a = i, b = n - i, c = i * 7, cells[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};
            {body} out[i * 3] = a; out[i * 3 + 1] += b; out[i * 3 + 2] ^= c; }}"""


@pytest.mark.parametrize("seed", range(8))
def test_divergence_changes_no_result(seed: int) -> None:
    compare(compile_cuda(Writer(seed).kernel()))


@pytest.mark.parametrize("seed", (1000, 1014, 1016, 1032, 1048, 1050))
def test_threads_that_diverge_between_barriers_meet_at_them_without_a_report(seed: int) -> None:
    compare(compile_cuda(Writer(seed).kernel(barriers=True)))


def compare(module: Module) -> None:
    results = []
    for width in (32, 1):
        out = np.arange(3 * 96, dtype=np.int32)
        run_kernel(module, "k", [out], [13], grid=2, block=48, engine=Engine(module, width), budget=5_000_000)
        results.append(out)
    assert (results[0] == results[1]).all()
