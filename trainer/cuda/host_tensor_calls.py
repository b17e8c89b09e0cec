"""`cuTensorMapEncodeTiled`: tensor maps for Hopper's copy engine, encoded by the device.

The driver answers a mistake with one number that next to nobody looks at, and the kernel then dies of
an invalid map. So a map that breaks the rules is marked, and a launch that is given it fails with
the rule. A program that looks at the number and does something else is left in peace.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from trainer.cuda.host_state import Arguments, Handler, HostState
from trainer.cuda.status import Status
from trainer.cuda.tensor_map import MAP_ALIGN, MAP_BYTES, MAX_RANK, TensorMap

_NAME = "cuTensorMapEncodeTiled"


@dataclass
class TensorCalls:
    state: HostState
    refused: dict[bytes, tuple[str, int]] = field(default_factory=dict)  # marked map: sentence, line

    def handlers(self) -> dict[str, Handler]:
        return {_NAME: self.encode_tiled, "wd_tensor_map_tiled": self.encode_tiled, "cuInit": _success}

    def encode_tiled(self, a: Arguments) -> int:
        target, rank = a.word(0), a.word(2)
        mistake, encoded = self._encoded(a, target, rank)
        if mistake:
            encoded = struct.pack("<Q", 0xBAD0_0000 + len(self.refused)) * (MAP_BYTES // 8)
            self.refused[encoded] = (f"{_NAME}: {mistake}", a.line)
        if not self.state.memory.contains(target, MAP_BYTES):
            raise self.state.fault(f"{_NAME} got a pointer for its result that is not host memory", a.line)
        self.state.memory.write(target, encoded)
        return Status.INVALID_VALUE if mistake else Status.SUCCESS

    def check(self, parameters: bytes) -> None:
        """Raises DeviceFault if a marked map is among the parameters of a launch."""
        for encoded, (sentence, line) in self.refused.items():
            if encoded in parameters:
                raise self.state.fault(sentence, line, "The driver API's manual has the rules.")

    def _encoded(self, a: Arguments, target: int, rank: int) -> tuple[str, bytes]:
        """What is wrong, or the map."""
        if not 1 <= rank <= MAX_RANK:
            return f"the rank is {rank}, which should be 1 to {MAX_RANK}", b""
        if target % MAP_ALIGN:
            return "the CUtensorMap is not aligned to 64 bytes", b""
        described = TensorMap(
            type=a.word(1),
            address=a.word(3),
            extents=self._numbers(a, 4, rank, 8),
            pitches=self._numbers(a, 5, rank - 1, 8),
            box=self._numbers(a, 6, rank, 4),
            steps=self._numbers(a, 7, rank, 4),
            interleave=a.word(8),
            swizzle=a.word(9),
            promotion=a.word(10),
            fill=a.word(11),
        )
        mistake = described.mistake()
        return mistake, b"" if mistake else self.state.device.encode(described)

    def _numbers(self, a: Arguments, index: int, count: int, nbytes: int) -> tuple[int, ...]:
        """An array of unsigned numbers that an argument points to."""
        if count == 0:
            return ()
        if not self.state.memory.contains(a.word(index), count * nbytes):
            raise self.state.fault(f"Argument {index + 1} of {_NAME} does not point to host memory", a.line)
        raw = self.state.memory.read(a.word(index), count * nbytes)
        return struct.unpack(f"<{count}{'Q' if nbytes == 8 else 'I'}", raw)


def _success(a: Arguments) -> int:
    return Status.SUCCESS
