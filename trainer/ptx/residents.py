"""Memory of the blocks that are on the machine together: slots, warps, frames, shared and local memory."""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING, Any

import numpy as np

from trainer.ptx.layout import OFFSET, WARP_BYTES, Dim3, Env, Slot, Warp

if TYPE_CHECKING:
    from trainer.ptx.compiled import CompiledKernel

HOST_STACK_BYTES = 4 << 20
HOST_LOCAL_BYTES = 1 << 20
SLOT_MEMORY = 1 << 30  # all resident blocks together


def _up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


class Residents:
    """Room for `wanted` blocks of one shape (fewer if memory is short); used again by later launches.

    Every block takes the same number of bytes: its warp structures, its shared memory, then a stack and
    local memory for each warp. Pages are committed when touched.
    """

    def __init__(
        self, compiled: CompiledKernel, block: Dim3, shared_bytes: int, wanted: int, width: int
    ) -> None:
        threads = block[0] * block[1] * block[2]
        self.warp_count = -(-threads // width)
        stack, local = compiled.stack_bytes, compiled.local_bytes
        if width == 1:
            stack, local = stack + HOST_STACK_BYTES, local + HOST_LOCAL_BYTES
        self.local_stride = _up(local, 64)
        shared_at = _up(self.warp_count * WARP_BYTES, 256)
        frames_at = shared_at + _up(shared_bytes + 64, 256)
        per_warp = _up(stack, 256) + _up(width * self.local_stride, 256)
        per_block = _up(frames_at + self.warp_count * per_warp, 4096)
        count = max(1, min(wanted, SLOT_MEMORY // per_block))
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self.map = mmap.mmap(-1, count * per_block + 4096, flags=flags)
        self._keep = (ctypes.c_char * 1).from_buffer(self.map)
        base = _up(ctypes.addressof(self._keep), 4096)
        self.slots = (Slot * count)()
        starts = base + np.arange(count, dtype=np.int64) * per_block
        self._places = [(start, start + shared_at) for start in starts.tolist()]
        raw = (ctypes.c_uint8 * (count * per_block)).from_address(base)
        self._warps = np.lib.stride_tricks.as_strided(
            np.ctypeslib.as_array(raw),
            shape=(count, self.warp_count, WARP_BYTES),
            strides=(per_block, WARP_BYTES, 1),
        )
        frames = starts[:, None] + frames_at + np.arange(self.warp_count) * per_warp
        self._put("frame", frames)
        self._put("stack_end", frames + stack)
        self._put("local", frames + _up(stack, 256))
        self._number_threads(block, threads, width)

    def _put(self, field: str, values: Any, kind: Any = np.int64) -> None:
        """Set a field of all warps: `values` broadcast to (blocks, warps) or (blocks, warps, lanes)."""
        array = np.asarray(values, dtype=kind)
        if array.ndim < 3:
            array = np.broadcast_to(array, self._warps.shape[:2])[..., None]
        start = OFFSET[f"warp.{field}"]
        end = start + array.shape[-1] * array.itemsize
        self._warps[..., start:end].view(kind)[...] = array

    def _number_threads(self, block: Dim3, threads: int, width: int) -> None:
        linear = np.arange(self.warp_count * width).reshape(1, self.warp_count, width)
        self._put("x", linear % block[0], np.int32)
        self._put("y", linear // block[0] % block[1], np.int32)
        self._put("z", linear // (block[0] * block[1]), np.int32)
        self._put("index", np.arange(self.warp_count), np.int32)
        lanes = np.minimum(threads - np.arange(self.warp_count) * width, width)
        self._put("start", ((1 << lanes.astype(np.int64)) - 1).astype(np.uint32).view(np.int32), np.int32)

    def attach(self, env: Env) -> None:
        """Point the warps at a launch."""
        # a launch exchanges slots as blocks retire: put them back in order
        for slot, (warps, shared) in zip(self.slots, self._places, strict=True):
            slot.block, slot.warp_count, slot.warps, slot.shared = -1, self.warp_count, warps, shared
        self._put("env", ctypes.addressof(env))
        first, size = ctypes.addressof(self.slots), ctypes.sizeof(Slot)
        self._put("slot", first + size * np.arange(len(self.slots))[:, None])

    def first_warp(self) -> Warp:
        """The first warp of the first block."""
        return Warp.from_address(int(self.slots[0].warps))
