"""CUDA source to results in one call: NVRTC, then the PTX engine, NumPy arrays in and out."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainer.cuda import nvrtc
from trainer.ptx.engine import Engine, Event, LaunchResult, LaunchState
from trainer.ptx.layout import EventKind
from trainer.ptx.memory import Memory
from trainer.ptx.parse import parse_module

OPTIONS = ("--std=c++17", "-arch=compute_90", "-lineinfo", "-ftz=true", "--device-as-default-execution-space")
Size = int | tuple[int, ...]


def ptx_of(source: str, options: tuple[str, ...] = OPTIONS) -> str:
    """PTX as the project compiles it; the compiler's log when that fails."""
    folders = tuple(f"-I{folder}" for folder in nvrtc.include_folders())
    output = nvrtc.compile_text(source, (*options, *folders))
    assert output.ok, output.log
    return output.ptx


class _Recorder:
    """Goes on after events of the kinds that advise, and remembers them."""

    def __init__(self) -> None:
        self.events: list[EventKind | int] = []

    def on_event(self, event: Event) -> bool:
        self.events.append(event.kind)
        return event.kind in (EventKind.ABSENT_LANE, EventKind.WARP_DEADLOCK)

    def on_launch(self, launch: LaunchState) -> None:
        return None


class Simulated:
    """A compiled program and one memory for its arrays."""

    def __init__(self, source: str, *, ptx: str = "") -> None:
        self.engine = Engine(parse_module(ptx or ptx_of(source)))
        self.memory = Memory(1 << 30)
        self.result: LaunchResult | None = None

    def launch(
        self,
        kernel: str,
        grid: Size,
        block: Size,
        *arguments: Any,
        shared: int = 0,
        cooperative: bool = False,
    ) -> list[Any]:
        """Arrays are copied in, and out again after the launch; returns the kinds of events reported."""
        packed = bytearray()
        arrays = []
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                address = self.memory.allocate(argument.nbytes)
                self.memory.write(address, np.ascontiguousarray(argument).tobytes())
                arrays.append((argument, address))
                argument = np.uint64(address)
            raw = np.asarray(argument).tobytes()
            packed += bytes(-len(packed) % len(raw)) + raw
        recorder = _Recorder()
        self.result = self.engine.launch(
            kernel, _three(grid), _three(block), shared, bytes(packed), self.memory,
            hooks=recorder, budget=50_000_000, cooperative=cooperative,
        )  # fmt: skip
        for array, address in arrays:
            raw = self.memory.read(address, array.nbytes)
            array[...] = np.frombuffer(raw, array.dtype).reshape(array.shape)
        return recorder.events


def _three(size: Size) -> tuple[int, int, int]:
    parts = (size,) if isinstance(size, int) else size
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z
