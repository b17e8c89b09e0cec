"""What the handlers of a host function's API calls share: memory, device, errors, record."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from trainer.cuda.device import Device
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.model import KernelResources
from trainer.cuda.plan import Recorder
from trainer.cuda.status import Status, error_string
from trainer.errors import DeviceFault, Location

MAX_STRING = 1 << 16
HOST_BASE = 0x0008_0000_0000_0000  # simulated address of host memory; no GPU hands these out


class HostMemory(Protocol):
    """The memory that host code sees: its stack, its heap, its globals. Addresses are integers."""

    def read(self, address: int, nbytes: int) -> bytes: ...

    def write(self, address: int, data: bytes) -> None: ...

    def allocate(self, nbytes: int) -> int: ...

    def release(self, address: int) -> bool:
        """False when nothing was allocated at `address`."""

    def contains(self, address: int, nbytes: int) -> bool: ...


@dataclass(frozen=True)
class KernelShape:
    """Parameters of a kernel: (offset, size) in its parameter buffer, and the buffer's size."""

    parameters: tuple[tuple[int, int], ...]
    nbytes: int


@dataclass(frozen=True)
class Arguments:
    """Raw arguments of a trapped call, and the user's line that makes it (0 if unknown)."""

    raw: tuple[bytes, ...]
    line: int

    def word(self, index: int) -> int:
        return int.from_bytes(self.raw[index], "little")

    def signed(self, index: int) -> int:
        return int.from_bytes(self.raw[index], "little", signed=True)

    def real(self, index: int) -> float:
        return float(struct.unpack("<d", self.raw[index])[0])

    def dim3(self, index: int) -> tuple[int, int, int]:
        x, y, z = struct.unpack("<3I", self.raw[index])
        return x, y, z


Handler = Callable[[Arguments], int | None]
Work = Callable[[], int]  # gives a Status


@dataclass
class HostState:
    """Mutable state of a program's host function."""

    device: Device
    memory: HostMemory
    kernels: Mapping[str, KernelShape]
    resources: Mapping[str, KernelResources]
    function_at: Callable[[int], str | None]  # kernel or device function by its "address"
    variable_at: Callable[[int], str | None]  # module variable by its address in host code
    recorder: Recorder = field(default_factory=Recorder)
    last_error: Status = Status.SUCCESS
    unread_failures: list[tuple[str, int]] = field(default_factory=list)  # sentence, line
    failures: list[str] = field(default_factory=list)
    empty_launches: list[tuple[str, int]] = field(default_factory=list)  # sentence, line
    captured: list[Work] | None = None  # what a stream that is captured was given; None: nothing captures

    def enqueue(self, work: Work) -> int:
        """Work for the device: done now, or kept for the graph that is being captured."""
        if self.captured is None:
            return work()
        self.captured.append(work)
        return Status.SUCCESS

    def begin(self, device: Device) -> None:
        """Another call of the host function."""
        self.device, self.recorder, self.last_error = device, Recorder(), Status.SUCCESS
        for noted in (self.unread_failures, self.failures, self.empty_launches):
            noted.clear()

    def fail(self, status: Status, sentence: str, line: int, *, empty: bool = False) -> Status:
        """An API call failed: the program may ask for the error, or never notice. `empty`: a launch of no
        blocks, which changes nothing where there was nothing to do.
        """
        self.last_error = status
        failures = self.empty_launches if empty else self.unread_failures
        failures.append((f"{sentence}: {error_string(status)}", line))
        return status

    def acknowledge(self) -> None:
        """The program asked for the last error, so it deals with failures itself."""
        self.failures += [sentence for sentence, _ in self.unread_failures + self.empty_launches]
        self.unread_failures.clear()
        self.empty_launches.clear()

    def read_string(self, address: int) -> str:
        """A C string in host memory."""
        out = bytearray()
        while len(out) < MAX_STRING:
            if not self.memory.contains(address + len(out), 1):
                raise self.fault("A string that the host function uses is not in host memory", 0)
            byte = self.memory.read(address + len(out), 1)
            if byte == b"\0":
                break
            out += byte
        return out.decode(errors="replace")

    def store(self, address: int, value: int, nbytes: int, line: int) -> None:
        """A result through a pointer that the program passed, e.g. `&count`."""
        if not self.memory.contains(address, nbytes):
            raise self.fault("A CUDA call got a pointer for its result that is not host memory", line)
        self.memory.write(address, (value & ((1 << 8 * nbytes) - 1)).to_bytes(nbytes, "little"))

    def fault(self, message: str, line: int, hint: str = "") -> DeviceFault:
        return DeviceFault(f"{message}.", where=Location(FILE_NAME, line or None), hint=hint)
