"""Memory layout shared by Python and generated code: launch, resident block, warp and frame.

Python sees them as ctypes structures, generated code as byte offsets (`OFFSET["env.stop"]`).
Lane sets are 32-bit masks; a warp has `width` lanes (32 for kernels, 1 for a host function).
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

Dim3 = tuple[int, int, int]
MAX_LANES = 32
BARRIERS = 16
EXTRA_SLOTS = 64
SHARED_WINDOW = 0x0001_0000_0000_0000  # generic addresses of shared memory start here
LOCAL_WINDOW = 0x0002_0000_0000_0000
WINDOW_BYTES = 1 << 32
ARENA_BASE = 0x7F00_0000_0000  # simulated address of the first byte of the arena
FUNCTION_BASE = 0x0004_0000_0000_0000  # "addresses" of device functions, 16 apart


class Status(IntEnum):
    """What running a warp, or the whole launch, ended with."""

    DONE = 0
    BLOCKED = 1
    SLICE = 2
    STOPPED = 3
    DEADLOCK = 4


class EventKind(IntEnum):
    """Why generated code calls Python."""

    BOUNDS = 1
    ALIGNMENT = 2
    CALL = 3
    TRAP = 4
    BARRIER_DIVERGENCE = 5
    DEADLOCK = 6
    STACK_OVERFLOW = 7
    HOOK = 8
    ABSENT_LANE = 9
    BAD_CALL = 10
    READ_ONLY = 11
    LEFT_BARRIER = 12  # lanes ended while others of their warp waited at a barrier
    WARP_DEADLOCK = 13  # lanes wait where others of their warp, who wait for them, never get
    CUSTOM = 100  # and above: free for instrumentation


class Env(ctypes.Structure):
    """One launch."""

    _fields_ = [
        ("slice", ctypes.c_int64),  # warp instructions left in this slice
        ("slice_length", ctypes.c_int64),
        ("budget", ctypes.c_int64),  # warp instructions left in this return to Python
        ("executed", ctypes.c_int64),
        ("stop", ctypes.c_int32),
        ("waits", ctypes.c_int32),  # whether the kernel may wait for other threads
        ("callback", ctypes.c_void_p),
        ("run_warp", ctypes.c_void_p),
        ("block_hook", ctypes.c_void_p),  # void (env, slot) when a block starts, or null
        ("barrier_hook", ctypes.c_void_p),  # void (env, slot) when a barrier is released, or null
        ("counters", ctypes.c_void_p),  # per basic block: executions, lanes, divergent branches, spare
        ("sites", ctypes.c_void_p),  # per memory site: lo, hi of the last allocation hit, spare, hangs
        ("symbols", ctypes.c_void_p),  # simulated addresses of module variables
        ("functions", ctypes.c_void_p),  # native addresses of device functions, by number
        ("function_frames", ctypes.c_void_p),  # their frame bytes and depot bytes (i64 pairs)
        ("function_count", ctypes.c_int64),
        ("delta", ctypes.c_int64),  # host address = simulated address + delta
        ("allocations", ctypes.c_void_p),  # sorted by address: lo, hi, flags, spare
        ("allocation_count", ctypes.c_int64),
        ("parameters", ctypes.c_void_p),  # host address
        ("parameters_address", ctypes.c_int64),  # simulated address
        ("grid_x", ctypes.c_int32),
        ("grid_y", ctypes.c_int32),
        ("grid_z", ctypes.c_int32),
        ("block_x", ctypes.c_int32),
        ("block_y", ctypes.c_int32),
        ("block_z", ctypes.c_int32),
        ("dynamic_shared", ctypes.c_int32),
        ("static_shared", ctypes.c_int32),
        ("shared_bytes", ctypes.c_int64),
        ("local_stride", ctypes.c_int64),
        ("slots", ctypes.c_void_p),  # resident blocks
        ("slot_count", ctypes.c_int64),
        ("active_slots", ctypes.c_int64),
        ("current_slot", ctypes.c_int64),
        ("next_block", ctypes.c_int64),
        ("block_count", ctypes.c_int64),
        ("kernel_depot", ctypes.c_int64),
        ("clock", ctypes.c_int64),
        ("launch_id", ctypes.c_int64),
        ("reversed", ctypes.c_int64),  # 1: blocks, and warps in them, run from the last to the first
        ("envreg", ctypes.c_int32 * 8),
        ("extra", ctypes.c_int64 * EXTRA_SLOTS),  # free for instrumentation
    ]


class Barrier(ctypes.Structure):
    """One of the sixteen named barriers of a block."""

    _fields_ = [
        ("expected", ctypes.c_int32),  # threads, 0 for all
        ("arrived", ctypes.c_int32),  # by bar.arrive, threads
        ("site", ctypes.c_int32),  # of the first arrival, plus one
        ("popc", ctypes.c_int32),
        ("total", ctypes.c_int32),
        ("popc_result", ctypes.c_int32),
        ("total_result", ctypes.c_int32),
        ("spare", ctypes.c_int32),
    ]


class Slot(ctypes.Structure):
    """A resident block."""

    _fields_ = [
        ("shared", ctypes.c_void_p),
        ("warps", ctypes.c_void_p),
        ("warp_count", ctypes.c_int64),
        ("block", ctypes.c_int64),  # linear number, -1 when idle
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
        ("z", ctypes.c_int32),
        ("phase", ctypes.c_int32),  # barriers passed; instrumentation reads it
        ("bar_used", ctypes.c_int32),  # ids with waiting threads
        ("spare", ctypes.c_int32),
        ("barriers", Barrier * BARRIERS),
        ("extra", ctypes.c_int64 * 8),
    ]


class Warp(ctypes.Structure):
    """State of one warp."""

    _fields_ = [
        ("x", ctypes.c_int32 * MAX_LANES),
        ("y", ctypes.c_int32 * MAX_LANES),
        ("z", ctypes.c_int32 * MAX_LANES),
        ("bar_masks", ctypes.c_int32 * BARRIERS),  # lanes waiting at each barrier
        ("start", ctypes.c_int32),  # lanes that exist
        ("alive", ctypes.c_int32),
        ("waiting", ctypes.c_int32),
        ("index", ctypes.c_int32),
        ("rotate", ctypes.c_int32),
        ("last_pc", ctypes.c_int32),
        ("depth", ctypes.c_int32),
        ("bar_alive", ctypes.c_int32),  # lanes alive when the first of them came to a barrier
        ("meeting", ctypes.c_int32),  # lanes held at a warp collective until others get there
        ("forced", ctypes.c_int32),  # all lanes are held: the next to run goes on alone
        # collectives at which lanes were missing: see trainer.ptx.lower.meetings
        ("owing", ctypes.c_int32),  # what kind the last was; 0: everybody has met since
        ("owed", ctypes.c_int32),  # lanes that have still to come
        ("askers", ctypes.c_int32),  # lanes that waited for others
        ("asked_at", ctypes.c_int32),  # site of the first
        ("turns", ctypes.c_int32 * MAX_LANES),  # how many a lane took part in
        ("due", ctypes.c_int32 * MAX_LANES),  # how many others wait for it to take part in
        ("env", ctypes.c_void_p),
        ("slot", ctypes.c_void_p),
        ("frame", ctypes.c_void_p),
        ("stack_end", ctypes.c_void_p),
        ("local", ctypes.c_void_p),
        ("extra", ctypes.c_int64 * 8),
    ]


class Frame(ctypes.Structure):
    """Head of an activation; the registers follow. `pc` is per lane, in block numbers."""

    _fields_ = [
        ("pc", ctypes.c_int32 * MAX_LANES),
        ("live", ctypes.c_int32),  # lanes still inside this function
        ("mask", ctypes.c_int32),  # lanes running now
        ("other", ctypes.c_int32),  # smallest pc among runnable lanes outside `mask`
        ("pending", ctypes.c_int32),  # block of a call in flight, plus one
        ("site", ctypes.c_int32),
        ("local_base", ctypes.c_int32),  # where this activation's depot starts in local memory
        ("block", ctypes.c_int32),  # basic block running now
        ("spare", ctypes.c_int32),
        ("arguments", ctypes.c_int32 * 56),  # local offsets of return slots, then parameters
    ]


class Site(ctypes.Structure):
    """Cache of one memory instruction."""

    _fields_ = [
        ("lo", ctypes.c_int64),
        ("hi", ctypes.c_int64),
        ("spare", ctypes.c_int64),
        ("hangs", ctypes.c_int64),  # deadlocks of lanes of a warp that were reported here
    ]


class Allocation(ctypes.Structure):
    """[lo, hi) in simulated addresses; flags bit 0: read only."""

    _fields_ = [
        ("lo", ctypes.c_int64),
        ("hi", ctypes.c_int64),
        ("flags", ctypes.c_int64),
        ("spare", ctypes.c_int64),
    ]


STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "env": Env,
    "slot": Slot,
    "warp": Warp,
    "frame": Frame,
    "barrier": Barrier,
    "site": Site,
    "allocation": Allocation,
}
OFFSET: dict[str, int] = {
    f"{name}.{field[0]}": getattr(structure, field[0]).offset
    for name, structure in STRUCTURES.items()
    for field in structure._fields_
}
SIZE: dict[str, int] = {name: ctypes.sizeof(structure) for name, structure in STRUCTURES.items()}
FRAME_HEAD = -(-SIZE["frame"] // 64) * 64
WARP_BYTES = -(-SIZE["warp"] // 64) * 64
EOF_PC = 0x7FFF_FFFF
