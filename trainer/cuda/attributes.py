"""What a device tells about itself: cudaDeviceGetAttribute's numbers from DeviceProperties."""

from __future__ import annotations

from trainer.cuda.device import DeviceProperties, Dim3

MAX_BLOCK: Dim3 = (1024, 1024, 64)
MAX_GRID: Dim3 = (2**31 - 1, 65535, 65535)
WARP_REGISTER_UNIT = 256
SYSTEM_SHARED_BYTES = 1024  # per block, from compute capability 8.0 on


def device_attribute(p: DeviceProperties, attribute: int) -> int | None:
    """Value of the cudaDeviceAttr of that number (driver_types.h); None if there is no such attribute."""
    if not 1 <= attribute <= 160:
        return None
    values = {
        1: p.max_threads_per_block,
        2: MAX_BLOCK[0], 3: MAX_BLOCK[1], 4: MAX_BLOCK[2],
        5: MAX_GRID[0], 6: MAX_GRID[1], 7: MAX_GRID[2],
        8: p.shared_bytes_per_block,
        9: 65536,  # constant memory
        10: p.warp_size,
        11: 2**31 - 1,  # pitch
        12: p.registers_per_multiprocessor,  # per block
        13: p.clock_khz,
        14: 512,  # texture alignment
        15: 1,  # copies overlap with kernels
        16: p.multiprocessors,
        19: 1,  # maps host memory
        31: 1,  # concurrent kernels
        36: p.memory_clock_khz,
        37: p.memory_bus_bits,
        38: p.l2_bytes,
        39: p.max_threads_per_multiprocessor,
        40: 2,  # copy engines
        41: 1,  # unified addressing
        51: 32,  # texture pitch alignment
        75: p.compute_capability[0], 76: p.compute_capability[1],
        78: 1, 79: 1, 80: 1,  # stream priorities, caching of global and local memory in L1
        81: p.shared_bytes_per_multiprocessor,
        82: p.registers_per_multiprocessor,
        83: 1,  # managed memory
        89: 1, 90: 1,  # concurrent managed access, preemption
        95: 1,  # cooperative launch
        97: p.shared_bytes_per_block_optin,
        106: p.max_blocks_per_multiprocessor,
        111: SYSTEM_SHARED_BYTES,
        115: 1,  # memory pools
        120: int(p.compute_capability >= (9, 0)),  # clusters
    }  # fmt: skip
    return values.get(attribute, 0)


def resident_blocks(p: DeviceProperties, threads: int, registers: int, shared_bytes: int) -> int:
    """Blocks of a kernel that fit on one multiprocessor.

    Registers are given to warps in units of 256; every block costs the system 1 KiB of shared memory.
    """
    if threads < 1 or threads > p.max_threads_per_block or shared_bytes > p.shared_bytes_per_block_optin:
        return 0
    warps = -(-threads // p.warp_size)
    limits = [p.max_blocks_per_multiprocessor, p.max_threads_per_multiprocessor // (warps * p.warp_size)]
    if registers:
        per_warp = -(-registers * p.warp_size // WARP_REGISTER_UNIT) * WARP_REGISTER_UNIT
        limits.append(p.registers_per_multiprocessor // per_warp // warps)
    reserved = SYSTEM_SHARED_BYTES if p.compute_capability >= (8, 0) else 0
    if shared_bytes + reserved:
        limits.append(p.shared_bytes_per_multiprocessor // (-(-(shared_bytes + reserved) // 128) * 128))
    return min(limits)
