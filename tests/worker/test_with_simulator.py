"""The real simulator inside the worker: the dangerous submissions end as verdicts, not as harm."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from tests.gpu import submissions
from tests.gpu.submissions import SIGNATURE, request
from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import ArgumentValue, RunRequest
from trainer.grade.verdict import Verdict
from trainer.worker.client import RemoteBackend
from trainer.worker.limits import Limits

TEMPLATE_BOMB = """
template <int N, int M> struct Bomb {
    static __device__ int f() { return Bomb<N - 1, 2 * M>::f() + Bomb<N - 1, 2 * M + 1>::f(); }
};
template <int M> struct Bomb<0, M> { static __device__ int f() { return M; } };
""" + submissions.kernel("if (i < N) C[i] = Bomb<22, 1>::f();").strip()


@pytest.fixture(scope="module")
def backend() -> Iterator[RemoteBackend]:
    with RemoteBackend("sim") as remote:
        yield remote


def test_a_right_kernel_is_right(backend: RemoteBackend) -> None:
    assert backend.compile(submissions.DOUBLE, SIGNATURE).ok
    given = request(100)
    outcome = backend.run(given)
    assert outcome.verdict is None, outcome.message
    assert np.array_equal(outcome.outputs["C"], 2 * np.asarray(given.arguments[0].value))


def test_bfloat16_goes_in_and_comes_out(backend: RemoteBackend) -> None:
    source = """
    #include <cuda_bf16.h>
    __global__ void twice(const nv_bfloat16* x, __nv_bfloat16* y) {
        y[threadIdx.x] = __float2bfloat16(2.0f * __bfloat162float(x[threadIdx.x]));
    }
    extern "C" void solve(const __nv_bfloat16* x, nv_bfloat16* y) { twice<<<1, 64>>>(x, y); }
    """
    values = np.linspace(-5, 5, 64).astype(dtype_of("bfloat16"))
    x = ArgumentValue("x", "const nv_bfloat16*", Role.INPUT, "bfloat16", values, (64,))
    y = ArgumentValue("y", "nv_bfloat16*", Role.OUTPUT, "bfloat16", None, (64,))
    signature = Signature("solve", (Parameter("x", x.ctype), Parameter("y", y.ctype)))
    assert backend.compile(source, signature).ok
    outcome = backend.run(RunRequest((x, y), seed=1))
    assert outcome.verdict is None, outcome.message
    assert np.array_equal(outcome.outputs["y"].astype(np.float32), 2 * values.astype(np.float32))


def test_a_worker_survives_many_runs(backend: RemoteBackend) -> None:
    """Each run reserves gigabytes of address space, and there is a limit on that."""
    backend.compile(submissions.DOUBLE, SIGNATURE)
    pid = backend._process.pid
    assert all(backend.run(request(10, seed=seed)).verdict is None for seed in range(15))
    assert backend._process.pid == pid


def test_an_endless_kernel_ends_at_its_budget(backend: RemoteBackend) -> None:
    backend.compile(submissions.SPIN, SIGNATURE)
    started = time.monotonic()
    assert backend.run(request(10, budget_s=0.5)).verdict is Verdict.TIMED_OUT
    assert time.monotonic() - started < 10


def test_a_template_bomb_is_stopped_and_its_process_gone() -> None:
    with RemoteBackend("sim", limits=Limits(compile_s=2.0)) as backend:
        started = time.monotonic()
        compiled = backend.compile(TEMPLATE_BOMB, SIGNATURE)
        assert compiled.verdict in (Verdict.TIMED_OUT, Verdict.COMPILE_ERROR), compiled.message
        assert time.monotonic() - started < 15
        assert backend.compile(submissions.DOUBLE, SIGNATURE).ok
