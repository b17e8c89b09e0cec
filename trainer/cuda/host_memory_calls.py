"""cudaMalloc, cudaMemcpy, cudaMemset, symbols and managed memory, as calls on a Device.

Managed and pinned memory is host memory with a copy on the device: the copy is brought up to date
before the device works, and what the device changed in it comes back afterwards. A kernel gets the
device's address in its place. A `__managed__` variable is such memory, too: both sides have one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from trainer.cuda.host_state import Arguments, Handler, HostState
from trainer.cuda.plan import Allocate, Copy, Fill, Free, Read, Write
from trainer.cuda.status import Status
from trainer.errors import DeviceFault

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)
DEVICE, MANAGED, PINNED = range(3)
_KIND_NAMES = ("host to host", "host to device", "device to host", "device to device", "default")
MAX_HOST_BYTES = 1 << 30


@dataclass
class _Mirror:
    host: int
    device: int
    nbytes: int
    sent: bytes | None = None  # what the device's copy held before kernels worked on it


@dataclass
class MemoryCalls:
    """`live` is what the program allocated on the device and has not freed: address to bytes."""

    state: HostState
    live: dict[int, int] = field(default_factory=dict)
    mirrors: dict[int, _Mirror] = field(default_factory=dict)  # by host address

    def handlers(self) -> dict[str, Handler]:
        return {
            "wd_malloc": self.malloc,
            "wd_free": self.free,
            "wd_memcpy": self.memcpy,
            "wd_memcpy_2d": self.memcpy_2d,
            "wd_memset": self.memset,
            "wd_memset_2d": self.memset_2d,
            "wd_symbol_write": self.symbol_write,
            "wd_symbol_read": self.symbol_read,
            "wd_symbol_address": self.symbol_address,
            "wd_pointer_kind": self.pointer_kind,
            "wd_memory_info": self.memory_info,
            "malloc": self.host_malloc,
            "free": self.host_free,
        }

    # ---- allocation

    def malloc(self, a: Arguments) -> int:
        result, nbytes, kind = a.word(0), a.word(1), a.word(2)
        what = ("cudaMalloc", "cudaMallocManaged", "cudaMallocHost")[kind]
        total = self.state.device.properties.total_bytes
        if sum(self.live.values()) + nbytes > total:
            return self.state.fail(
                Status.MEMORY_ALLOCATION, f"{what} of {nbytes:,} bytes (the GPU has {total:,})", a.line
            )
        try:
            address = self._allocate(nbytes)
        except (DeviceFault, MemoryError):
            return self.state.fail(Status.MEMORY_ALLOCATION, f"{what} of {nbytes:,} bytes", a.line)
        if kind != DEVICE:
            if nbytes > MAX_HOST_BYTES:
                return self.state.fail(Status.MEMORY_ALLOCATION, f"{what} of {nbytes:,} bytes", a.line)
            host = self.state.memory.allocate(nbytes)
            self.mirrors[host] = _Mirror(host, address, nbytes)
            address = host
        self.state.store(result, address, 8, a.line)
        return Status.SUCCESS

    def _allocate(self, nbytes: int) -> int:
        if nbytes == 0:
            return 0
        address = self.state.device.allocate(nbytes)
        self.live[address] = nbytes
        self.state.recorder.add(Allocate(address, nbytes))
        return address

    def free(self, a: Arguments) -> int:
        address = a.word(0)
        if address == 0:
            return Status.SUCCESS
        mirror = self.mirrors.pop(address, None)
        if mirror:
            self.state.memory.release(mirror.host)
            address = mirror.device
        if address not in self.live:
            call = "cudaFreeHost" if a.word(1) == PINNED else "cudaFree"
            return self.state.fail(
                Status.INVALID_VALUE,
                f"{call} of a pointer that was not allocated or is freed already",
                a.line,
            )
        del self.live[address]
        self.state.device.free(address)
        self.state.recorder.add(Free(address))
        return Status.SUCCESS

    def host_malloc(self, a: Arguments) -> int:
        return self.state.memory.allocate(a.word(0)) if a.word(0) <= MAX_HOST_BYTES else 0

    def host_free(self, a: Arguments) -> None:
        address = a.word(0)
        if address and not self.state.memory.release(address):
            raise self.state.fault("free() of a pointer that malloc() did not return", a.line)

    def memory_info(self, a: Arguments) -> int:
        total = self.state.device.properties.total_bytes
        self.state.store(a.word(0), total - sum(self.live.values()), 8, a.line)
        self.state.store(a.word(1), total, 8, a.line)
        return Status.SUCCESS

    def pointer_kind(self, a: Arguments) -> int:
        if self._mirror_of(a.word(0), 1):
            return 3
        return 2 if self.state.device.owns(a.word(0)) else 0

    # ---- copies

    def memcpy(self, a: Arguments) -> int:
        copy = partial(self._copy, a.word(0), a.word(1), a.word(2), a.word(3), a.line)
        return self.state.enqueue(copy) if a.word(5) else copy()

    def memcpy_2d(self, a: Arguments) -> int:
        to, to_pitch, source, from_pitch, width, height, kind = (a.word(i) for i in range(7))
        if width > to_pitch or width > from_pitch:
            return self.state.fail(
                Status.INVALID_VALUE, "cudaMemcpy2D with rows wider than the pitch", a.line
            )
        for row in range(height):
            status = self._copy(to + row * to_pitch, source + row * from_pitch, width, kind, a.line)
            if status:
                return status
        return Status.SUCCESS

    def _copy(self, to: int, source: int, nbytes: int, kind: int, line: int) -> int:
        """Like the driver, which knows where each pointer points, whatever the program says of two
        device pointers; a wrong word about a host pointer is an error.
        """
        if nbytes == 0:
            return Status.SUCCESS
        state = self.state
        to_device, from_device = state.device.owns(to), state.device.owns(source)
        for address, is_device, role in ((to, to_device, "to"), (source, from_device, "from")):
            if is_device or state.memory.contains(address, nbytes):
                continue
            if state.memory.contains(address, 1):
                raise state.fault(f"cudaMemcpy of {nbytes:,} bytes {role} host memory that is smaller", line)
            return state.fail(
                Status.INVALID_VALUE,
                f"cudaMemcpy {role} {address:#x}, which is neither device nor host memory",
                line,
            )
        actual = (HOST_TO_HOST, DEVICE_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_DEVICE)[from_device + 2 * to_device]
        mirrored = self._mirror_of(to, 1) or self._mirror_of(source, 1)
        if kind not in (DEFAULT, actual) and actual != DEVICE_TO_DEVICE and not mirrored:
            name = _KIND_NAMES[kind] if kind < len(_KIND_NAMES) else str(kind)
            return state.fail(
                Status.INVALID_VALUE, f"cudaMemcpy says {name}, but copies {_KIND_NAMES[actual]}", line
            )
        if mirrored:
            self.to_host()  # a copy waits for the kernels before it
        self._transfer(to, source, nbytes, actual)
        return Status.SUCCESS

    def _transfer(self, to: int, source: int, nbytes: int, direction: int) -> None:
        state = self.state
        if direction == HOST_TO_HOST:
            state.memory.write(to, state.memory.read(source, nbytes))
        elif direction == HOST_TO_DEVICE:
            self._write(to, state.memory.read(source, nbytes))
        elif direction == DEVICE_TO_HOST:
            state.memory.write(to, self._read(source, nbytes))
        else:
            state.device.copy(to, source, nbytes)
            state.recorder.add(Copy(to, source, nbytes))

    def _write(self, address: int, data: bytes) -> None:
        self.state.device.write(address, data)
        self.state.recorder.add(Write(address, data))

    def _read(self, address: int, nbytes: int) -> bytes:
        self.state.recorder.add(Read(address, nbytes))
        return self.state.device.read(address, nbytes)

    def memset(self, a: Arguments) -> int:
        return self.state.enqueue(partial(self._fill, a.word(0), a.word(1) & 0xFF, a.word(2), a.line))

    def memset_2d(self, a: Arguments) -> int:
        address, pitch, value, width, height = (a.word(i) for i in range(5))
        for row in range(height):
            status = self._fill(address + row * pitch, value & 0xFF, width, a.line)
            if status:
                return status
        return Status.SUCCESS

    def _fill(self, address: int, value: int, nbytes: int, line: int) -> int:
        if nbytes == 0:
            return Status.SUCCESS
        if self.state.device.owns(address):
            self.state.device.fill(address, value, nbytes)
            self.state.recorder.add(Fill(address, value, nbytes))
        elif self._mirror_of(address, nbytes):
            self.state.memory.write(address, bytes([value]) * nbytes)
        else:
            return self.state.fail(
                Status.INVALID_VALUE, "cudaMemset of memory that is not the device's", line
            )
        return Status.SUCCESS

    # ---- symbols

    def symbol_write(self, a: Arguments) -> int:
        place = self._symbol(a.word(0), a.word(3), a.word(2), "cudaMemcpyToSymbol", a.line)
        return (
            place if isinstance(place, Status) else self._copy(place, a.word(1), a.word(2), DEFAULT, a.line)
        )

    def symbol_read(self, a: Arguments) -> int:
        place = self._symbol(a.word(1), a.word(3), a.word(2), "cudaMemcpyFromSymbol", a.line)
        return (
            place if isinstance(place, Status) else self._copy(a.word(0), place, a.word(2), DEFAULT, a.line)
        )

    def symbol_address(self, a: Arguments) -> int:
        place = self._symbol(a.word(1), 0, 0, "cudaGetSymbolAddress", a.line)
        if isinstance(place, Status):
            return place
        self.state.store(a.word(0), place, 8, a.line)
        return Status.SUCCESS

    def _symbol(self, address: int, offset: int, nbytes: int, call: str, line: int) -> int | Status:
        name = self.state.variable_at(address)
        if name is None:
            return self.state.fail(Status.INVALID_SYMBOL, f"{call} of what is no variable", line)
        base, size = self.state.device.symbol(name)
        if offset + nbytes > size:
            return self.state.fail(
                Status.INVALID_VALUE, f"{call} of {offset + nbytes} bytes; the variable has {size}", line
            )
        return base + offset

    # ---- managed and pinned memory

    def mirror_variables(self, managed: Mapping[str, int]) -> None:
        """`__managed__` variables, by name with their addresses in host code. They start as the module
        holds them, which an earlier run may have changed."""
        for name, host in managed.items():
            try:
                device, nbytes = self.state.device.symbol(name)
            except DeviceFault:  # no kernel uses it
                continue
            self.state.memory.write(host, self.state.device.read(device, nbytes))
            self.mirrors[host] = _Mirror(host, device, nbytes)

    def _mirror_of(self, address: int, nbytes: int) -> _Mirror | None:
        for mirror in self.mirrors.values():
            if mirror.host <= address and address + nbytes <= mirror.host + mirror.nbytes:
                return mirror
        return None

    def to_device(self) -> None:
        """Before a launch: what the host wrote to managed memory."""
        self.to_host()
        for mirror in self.mirrors.values():
            if mirror.nbytes:
                mirror.sent = self.state.memory.read(mirror.host, mirror.nbytes)
                self._write(mirror.device, mirror.sent)

    def to_host(self) -> None:
        """After waiting for the device: what kernels changed in managed memory. The rest stays as the
        host left it, which may have gone on writing (a staging buffer) while kernels worked."""
        for mirror in self.mirrors.values():
            if mirror.sent is None:
                continue
            before, mirror.sent = mirror.sent, None
            after = self._read(mirror.device, mirror.nbytes)
            if after != before:
                here = self.state.memory.read(mirror.host, mirror.nbytes)
                self.state.memory.write(mirror.host, _merged(here, before, after))

    def translate(self, parameters: bytes) -> bytes:
        """Kernel parameters with the device's addresses in place of managed ones."""
        if not self.mirrors:
            return parameters
        out = bytearray(parameters)
        for offset in range(0, len(out) - 7, 8):
            word = int.from_bytes(out[offset : offset + 8], "little")
            mirror = self._mirror_of(word, 0)
            if mirror:
                out[offset : offset + 8] = (mirror.device + word - mirror.host).to_bytes(8, "little")
        return bytes(out)


def _merged(here: bytes, before: bytes, after: bytes) -> bytes:
    """`here`, with the bytes of `after` where those differ from `before`."""
    import numpy as np

    mine, old, new = (np.frombuffer(data, dtype=np.uint8) for data in (here, before, after))
    return np.where(old == new, mine, new).tobytes()
