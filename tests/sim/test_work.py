"""Arithmetic and divergence from block counters."""

from __future__ import annotations

import numpy as np

from tests.sim.submissions import given, number, run, wanted
from trainer.grade.backend import RunOutcome


def outcome_of(body: str, elements: int = 1024) -> RunOutcome:
    source = f"""#include <cuda_fp16.h>
__global__ void k(const float* in, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x; float x = in[i];
  {body} }}
extern "C" void solve(const float* in, float* out, int n) {{ k<<<n / 256, 256>>>(in, out, n); }}"""
    values = np.linspace(1, 2, elements, dtype=np.float32)
    outcome = run(source, given("in", values), wanted("out", elements), number("n", elements))
    assert outcome.verdict is None, outcome.message
    return outcome


def flops(body: str) -> int:
    return outcome_of(body).launches[0].flops


def test_a_fused_multiply_add_is_two_operations() -> None:
    assert flops("out[i] = x * x + 1.0f;") == 2 * 1024


def test_packed_halves_count_twice() -> None:
    body = "__half2 h = __float2half2_rn(x); h = __hfma2(h, h, h); out[i] = __low2float(h);"
    assert flops(body) == 4 * 1024


def test_doubles_count_too() -> None:
    assert flops("out[i] = (float)((double)x + 1.0);") == 1024


def test_lanes_that_are_off_do_no_work() -> None:
    assert flops("if (threadIdx.x < 64) x = x + __fsqrt_rn(x); out[i] = x;") == 2 * 4 * 64


def test_a_branch_that_splits_warps_is_told_from_one_that_does_not() -> None:
    by_lane = outcome_of("if (i % 2) for (int k = 0; k < n; ++k) x = x * 3 + in[k]; out[i] = x;").report
    by_warp = outcome_of("if (i / 32 % 2) for (int k = 0; k < n; ++k) x = x * 3 + in[k]; out[i] = x;").report
    assert by_lane is not None and by_warp is not None
    assert sum(row.divergent_branches for row in by_lane.divergence) > 0
    assert sum(row.divergent_branches for row in by_warp.divergence) == 0


def test_the_instruction_mix_names_what_ran_most() -> None:
    report = outcome_of("for (int k = 0; k < n; ++k) x = x * x + 1; out[i] = x;").report
    assert report is not None
    assert next(iter(report.instruction_mix)) == "fma"
    assert report.instruction_mix["fma"] == 32 * 1024
