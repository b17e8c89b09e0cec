"""Theoretical occupancy: how many blocks of a kernel fit on one multiprocessor, and what limits them.

The rules of NVIDIA's occupancy calculator for compute capability 7.0 to 10.0: registers are given to
warps in units of 256, shared memory to blocks in units that depend on the generation, and from 8.0
on the system keeps 1 KiB of shared memory for every block.
"""

from __future__ import annotations

from dataclasses import dataclass

from trainer.sim.devices import KIB, Model

WARP = 32
REGISTER_UNIT = 256  # per warp
REGISTER_FILES = 4  # one per scheduler; a warp lives in one of them
MAX_REGISTERS_PER_THREAD = 255


@dataclass(frozen=True)
class Occupancy:
    """`fraction` is resident warps over the most the multiprocessor holds; 0 when nothing fits."""

    blocks: int
    warps: int
    fraction: float
    limiter: str  # "threads" | "blocks" | "registers" | "shared memory" | "launch" (cannot start at all)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def shared_unit(model: Model) -> int:
    """Allocation unit of shared memory in bytes."""
    return 128 if model.compute_capability >= (8, 0) else 256


def shared_reserve(model: Model) -> int:
    """Bytes of shared memory per block that the system keeps."""
    return KIB if model.compute_capability >= (8, 0) else 0


def occupancy(model: Model, threads: int, registers: int, shared_bytes: int) -> Occupancy:
    """Blocks per multiprocessor for `threads` a block, `registers` a thread, `shared_bytes` a block
    (static and dynamic together).
    """
    warps = -(-threads // WARP)
    most_warps = model.max_threads_per_multiprocessor // WARP
    fits = blocks_by_limit(model, threads, registers, shared_bytes)
    limiter = min(fits, key=lambda name: fits[name])
    blocks = fits[limiter]
    if blocks == 0 or shared_bytes > model.shared_bytes_per_block_optin:
        return Occupancy(0, 0, 0.0, "launch")
    return Occupancy(blocks, blocks * warps, blocks * warps / most_warps, limiter)


def blocks_by_limit(model: Model, threads: int, registers: int, shared_bytes: int) -> dict[str, int]:
    """How many blocks each resource by itself would allow; the least of them is what fits."""
    warps = -(-threads // WARP)
    return {
        "threads": model.max_threads_per_multiprocessor // WARP // warps,
        "blocks": model.max_blocks_per_multiprocessor,
        "registers": _by_registers(model, warps, registers),
        "shared memory": _by_shared(model, shared_bytes),
    }


def _by_registers(model: Model, warps: int, registers: int) -> int:
    if registers == 0:
        return model.max_blocks_per_multiprocessor
    if registers > MAX_REGISTERS_PER_THREAD:
        return 0
    per_warp = _round_up(registers * WARP, REGISTER_UNIT)
    per_file = model.registers_per_multiprocessor // REGISTER_FILES // per_warp
    return per_file * REGISTER_FILES // warps


def _by_shared(model: Model, shared_bytes: int) -> int:
    used = _round_up(shared_bytes + shared_reserve(model), shared_unit(model))
    if used == 0:
        return model.max_blocks_per_multiprocessor
    return model.shared_bytes_per_multiprocessor // used
