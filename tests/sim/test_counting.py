"""Counts of random accesses against the pure rules applied to the addresses themselves."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.submissions import given, number, run, wanted
from trainer.bank.model import Array
from trainer.sim import atomics, banks, coalescing
from trainer.sim.lanes import FULL
from trainer.sim.report import Access, Space

N = 1 << 19  # more different requests than the record buffer holds at once
TABLE = 1 << 14


@pytest.fixture(scope="module")
def indices() -> Array:
    return np.random.default_rng(5).integers(0, TABLE, N, dtype=np.int32)


def observe(kernel: str, indices: Array) -> dict[tuple[Space, str], Access]:
    source = f"""__global__ void k(const int* index, int* out, int n) {{
  __shared__ int s[{TABLE // 2}];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
{kernel} }}
extern "C" void solve(const int* index, int* out, int n) {{ k<<<n / 256, 256>>>(index, out, n); }}"""
    outcome = run(
        source, given("index", indices), wanted("out", N, "int32", zeroed=True), number("n", N),
        hazards=False,
    )  # fmt: skip
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    return {(a.space, a.op): a for a in outcome.report.access}


def test_scattered_stores_touch_as_many_sectors_as_their_addresses_say(indices: Array) -> None:
    store = observe("out[index[i]] = i;", indices)[(Space.GLOBAL, "store")]
    rows = indices.reshape(-1, 32).astype(np.int64) * 4
    assert store.requests == N // 32
    assert store.sectors == coalescing.sectors(rows, FULL, 4).sum()
    assert store.ideal_sectors == coalescing.ideal_sectors(rows, FULL, 4).sum()


def test_the_worst_request_of_many_is_kept(indices: Array) -> None:
    store = observe("out[index[i]] = i;", indices)[(Space.GLOBAL, "store")]
    rows = indices.reshape(-1, 32).astype(np.int64) * 4
    assert store.worst is not None
    assert store.worst.cost == coalescing.sectors(rows, FULL, 4).max()
    assert coalescing.sectors(np.array(store.worst.addresses), store.worst.active, 4)[0] == store.worst.cost
    first = store.worst.block[0] * 8 + store.worst.warp
    own = rows[first] - rows[first].min() // 128 * 128
    assert tuple(own) == store.worst.addresses


def test_scattered_shared_loads_take_as_many_wavefronts_as_their_banks_say(indices: Array) -> None:
    rows = observe(f"out[i] = s[index[i] % {TABLE // 2}];", indices)
    load = rows[(Space.SHARED, "load")]
    words = (indices % (TABLE // 2)).reshape(-1, 32).astype(np.int64) * 4
    assert load.wavefronts == banks.wavefronts(words, FULL, 4, store=False).sum()


def test_scattered_atomics_cost_as_many_wavefronts_as_lanes_share_a_bank(indices: Array) -> None:
    rows = observe(f"atomicAdd(&s[index[i] % {TABLE // 2}], i); out[i] = 0;", indices)
    words = (indices % (TABLE // 2)).reshape(-1, 32).astype(np.int64) * 4
    assert rows[(Space.SHARED, "atomic")].wavefronts == atomics.shared_cost(
        words, FULL, "add", "u32"
    ).wavefronts.sum()


def test_counting_merges_lanes_on_one_word(indices: Array) -> None:
    rows = observe(f"atomicAdd(&s[index[i] % {TABLE // 2}], 1); out[i] = 0;", indices)
    words = (indices % (TABLE // 2)).reshape(-1, 32).astype(np.int64) * 4
    loads = banks.wavefronts(words, FULL, 4, store=False)
    assert rows[(Space.SHARED, "atomic")].wavefronts == loads.sum()


def test_partial_warps_count_the_lanes_that_are_on(indices: Array) -> None:
    store = observe("if (index[i] % 3 == 0) out[i] = 1;", indices)[(Space.GLOBAL, "store")]
    active = (indices % 3 == 0).reshape(-1, 32)
    sectors = active.reshape(-1, 4, 8).any(axis=2).sum()
    assert store.requests == active.any(axis=1).sum()
    assert store.sectors == sectors
