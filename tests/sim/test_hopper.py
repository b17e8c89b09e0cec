"""What only a Hopper GPU has is refused with its line, never answered wrongly."""

from __future__ import annotations

import numpy as np
import pytest

from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import ArgumentValue, RunOutcome, RunRequest
from trainer.grade.verdict import Verdict
from trainer.sim.backend import SimBackend

SOURCE = """#include <stdint.h>
__global__ void {attributes} twice(const float* x, float* y) {{
    __shared__ alignas(1024) float s[128];
    __shared__ alignas(8) uint64_t barrier;
    uint32_t here = (uint32_t)__cvta_generic_to_shared(s), bar = (uint32_t)__cvta_generic_to_shared(&barrier);
    s[threadIdx.x] = x[threadIdx.x];
    asm volatile({assembly});
    y[threadIdx.x] = 2 * s[threadIdx.x] + 0 * bar;
}}
extern "C" void solve(const float* x, float* y) {{ twice<<<2, 128>>>(x, y); }}
"""
WGMMA = '"wgmma.fence.sync.aligned;" ::: "memory"'
TENSOR_LOAD = (
    '"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %3}], '
    '[%2];" :: "r"(here), "l"(x), "r"(bar), "r"(0) : "memory"'
)
TENSOR_STORE = (
    '"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %2}], [%1];"'
    ' :: "l"(y), "r"(here), "r"(0) : "memory"'
)
MULTICAST = (
    '"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, '
    '[%2], %3;" :: "r"(here), "l"(x), "r"(bar), "h"((uint16_t)3) : "memory"'
)
REGISTERS = '"setmaxnreg.dec.sync.aligned.u32 40;"'
CLUSTER_BARRIER = '"barrier.cluster.arrive.aligned;\\nbarrier.cluster.wait.aligned;" ::: "memory"'


def run(assembly: str, attributes: str = "") -> RunOutcome:
    values = np.arange(128, dtype=np.float32)
    x = ArgumentValue("x", "const float*", Role.INPUT, "float32", values, (128,))
    y = ArgumentValue("y", "float*", Role.OUTPUT, "float32", None, (128,))
    backend = SimBackend()
    try:
        signature = Signature("solve", (Parameter("x", x.ctype), Parameter("y", y.ctype)))
        compiled = backend.compile(SOURCE.format(assembly=assembly, attributes=attributes), signature)
        assert compiled.ok, compiled.message
        return backend.run(RunRequest((x, y), seed=1))
    finally:
        backend.close()


@pytest.mark.parametrize("assembly", [WGMMA, TENSOR_LOAD, TENSOR_STORE, MULTICAST])
def test_an_instruction_that_the_simulator_lacks_is_named_with_its_line(assembly: str) -> None:
    outcome = run(assembly)
    assert outcome.verdict is Verdict.UNSUPPORTED and outcome.line == 7
    assert assembly.split('"')[1].split()[0].rstrip(";") in outcome.message


def test_a_kernel_in_clusters_is_unsupported_where_it_is_launched() -> None:
    outcome = run(CLUSTER_BARRIER, "__cluster_dims__(2, 1, 1)")
    assert outcome.verdict is Verdict.UNSUPPORTED and outcome.line == 10 and "cluster" in outcome.message


@pytest.mark.parametrize("assembly", [REGISTERS, CLUSTER_BARRIER])
def test_what_changes_nothing_without_clusters_is_run(assembly: str) -> None:
    outcome = run(assembly, "__launch_bounds__(128, 1)")
    assert outcome.verdict is None, outcome.message
    assert np.array_equal(outcome.outputs["y"], 2 * np.arange(128, dtype=np.float32))
