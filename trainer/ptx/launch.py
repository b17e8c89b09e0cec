"""A launch in progress: its structures, its observer, and calls that leave the simulated code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from trainer.errors import DeviceFault, Location
from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.events import Event
from trainer.ptx.layout import LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BYTES, Dim3, Env, Slot, Warp
from trainer.ptx.memory import Memory
from trainer.ptx.module import Instruction

if TYPE_CHECKING:
    from trainer.ptx.engine import Engine


@dataclass
class LaunchState:
    """One launch in progress: the structures that generated code works on."""

    env: Env
    kernel: CompiledKernel
    grid: Dim3
    block: Dim3
    memory: Memory
    counters: np.ndarray[Any, np.dtype[np.int64]]
    sites: Any
    keep: list[Any] = field(default_factory=list)
    failure: BaseException | None = None


@dataclass(frozen=True)
class LaunchResult:
    """What a launch did. `counters[k]`: executions, lanes, divergent branches of `kernel.blocks[k]`."""

    kernel: CompiledKernel
    counters: np.ndarray[Any, np.dtype[np.int64]]
    warp_instructions: int
    thread_instructions: int


class Hooks(Protocol):
    """Observer of a launch."""

    def on_event(self, event: Event) -> bool:
        """True: go on with the other lanes. False: stop the launch with a DeviceFault."""

    def on_launch(self, launch: LaunchState) -> None:
        """Before the first block runs: fill `launch.env.extra` and hooks in."""


class NoHooks:
    """Stops at the first event."""

    def on_event(self, event: Event) -> bool:
        return False

    def on_launch(self, launch: LaunchState) -> None:
        return None


@dataclass
class TrapCall:
    """A call that left the simulated code: one `name`, the lanes that make it, their argument bytes."""

    name: str
    lanes: tuple[int, ...]
    engine: Engine
    state: LaunchState
    warp: int  # host address of the warp structure
    instruction: Instruction
    argument_places: tuple[tuple[int, int], ...]  # local offset, bytes
    return_places: tuple[tuple[int, int], ...]

    def argument_bytes(self, lane: int, k: int) -> bytes:
        """Argument `k` of a lane, as stored."""
        offset, nbytes = self.argument_places[k]
        return ctypes.string_at(self._local(lane) + offset, nbytes)

    def argument(self, lane: int, k: int, *, signed: bool = False) -> int:
        """Argument `k` as an integer."""
        return int.from_bytes(self.argument_bytes(lane, k), "little", signed=signed)

    def set_result(self, lane: int, value: int | bytes) -> None:
        """What the call returns in a lane; ignored when the caller expects nothing."""
        if self.return_places:
            offset, nbytes = self.return_places[0]
            raw = (
                value
                if isinstance(value, bytes)
                else (value & ((1 << (8 * nbytes)) - 1)).to_bytes(nbytes, "little")
            )
            ctypes.memmove(self._local(lane) + offset, raw, min(nbytes, len(raw)))

    def read(self, lane: int, address: int, nbytes: int) -> bytes:
        """Memory at a generic address of a lane."""
        return ctypes.string_at(self.host_address(lane, address, nbytes), nbytes)

    def write(self, lane: int, address: int, data: bytes) -> None:
        ctypes.memmove(self.host_address(lane, address, len(data)), data, len(data))

    def text(self, lane: int, address: int, limit: int = 4096) -> bytes:
        """A zero-terminated string at a generic address."""
        if LOCAL_WINDOW <= address < LOCAL_WINDOW + WINDOW_BYTES or SHARED_WINDOW <= address < LOCAL_WINDOW:
            return self.read(lane, address, 256).split(b"\0", 1)[0]
        return self.state.memory.text(address, limit)

    def thread(self, lane: int) -> tuple[Dim3, Dim3]:
        """(block index, thread index) of a lane."""
        warp = Warp.from_address(self.warp)
        slot = Slot.from_address(warp.slot)
        return (slot.x, slot.y, slot.z), (warp.x[lane], warp.y[lane], warp.z[lane])

    def host_address(self, lane: int, address: int, nbytes: int) -> int:
        """Host address of a generic address; DeviceFault when the lane may not touch it."""
        warp = Warp.from_address(self.warp)
        env = self.state.env
        if LOCAL_WINDOW <= address < LOCAL_WINDOW + WINDOW_BYTES:
            offset = address - LOCAL_WINDOW
            if offset + nbytes <= env.local_stride:
                return int(warp.local) + lane * int(env.local_stride) + offset
        elif SHARED_WINDOW <= address < SHARED_WINDOW + WINDOW_BYTES:
            offset = address - SHARED_WINDOW
            if offset + nbytes <= env.shared_bytes:
                return int(Slot.from_address(warp.slot).shared) + offset
        elif self.state.memory.holds(address, nbytes):
            return address + self.state.memory.delta
        where = Location("source", self.instruction.line)
        what = self.state.memory.describe(address, nbytes)
        raise DeviceFault(f"`{self.name}` is given an address it cannot use: {what}", where=where)

    def _local(self, lane: int) -> int:
        warp = Warp.from_address(self.warp)
        return int(warp.local) + lane * int(self.state.env.local_stride)


Trap = Callable[[TrapCall], None]
