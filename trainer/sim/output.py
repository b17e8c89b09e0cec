"""What kernels print, and what else they call outside: malloc, assert."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainer.cuda.printf import format_printf
from trainer.errors import DeviceFault, Location
from trainer.ptx.engine import Trap, TrapCall
from trainer.sim.report import Hazard, HazardKind

if TYPE_CHECKING:
    from trainer.sim.device import SimDevice

MAX_PRINTED = 64 * 1024
HEAP_BYTES = 8 << 20  # cudaLimitMallocHeapSize, as it is by default


@dataclass
class DeviceOutput:
    """Answers calls of kernels into the runtime; `device` is that of the run in progress."""

    device: SimDevice | None = None
    pieces: list[str] = field(default_factory=list)
    printed: int = 0
    heap: int = 0

    def traps(self) -> dict[str, Trap]:
        return {
            "vprintf": self.printf,
            "malloc": self.malloc,
            "free": self.free,
            "__assertfail": self.assert_failed,
        }

    def clear(self) -> None:
        """Forget the last run."""
        self.device, self.printed, self.heap = None, 0, 0
        self.pieces.clear()

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def printf(self, call: TrapCall) -> None:
        if self.printed >= MAX_PRINTED:
            return  # a flood should not take longer than it must; the result stays what it was
        for lane in call.lanes:
            call.set_result(lane, self._print(call, lane))

    def _print(self, call: TrapCall, lane: int) -> int:
        room = MAX_PRINTED - self.printed
        if room <= 0:
            return 0
        arguments = call.argument(lane, 1)

        def read(offset: int, nbytes: int) -> bytes:
            return call.read(lane, arguments + offset, nbytes)

        def read_string(address: int) -> str:
            return call.text(lane, address).decode(errors="replace")

        text = format_printf(read_string(call.argument(lane, 0)), read, read_string)
        self.pieces.append(text if len(text) <= room else text[:room] + "\n[more output dropped]\n")
        self.printed += len(text)
        return len(text)

    def malloc(self, call: TrapCall) -> None:
        assert self.device is not None
        for lane in call.lanes:
            nbytes = call.argument(lane, 0)
            self.heap += nbytes
            address = 0 if self.heap > HEAP_BYTES else self.device.kernel_allocate(nbytes, call.state)
            call.set_result(lane, address)

    def free(self, call: TrapCall) -> None:
        assert self.device is not None
        for lane in call.lanes:
            address = call.argument(lane, 0)
            if address:
                self.device.kernel_free(address, call.state)

    def assert_failed(self, call: TrapCall) -> None:
        """__assertfail(message, file, line, function, size of a character)"""
        assert self.device is not None
        lane = call.lanes[0]
        expression = call.text(lane, call.argument(lane, 0)).decode(errors="replace")
        line = call.argument(lane, 2) & 0xFFFFFFFF
        block, thread = call.thread(lane)
        name = self.device.name_of(call.state.kernel.name)
        message = f"assert({expression}) failed in thread {thread} of block {block}"
        hazard = Hazard(HazardKind.ASSERT, line, name, block, thread, "", message)
        self.device.recording.hazards.append(hazard)
        raise DeviceFault(message, where=Location("submission.cu", line or None))
