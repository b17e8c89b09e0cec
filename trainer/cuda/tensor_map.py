"""Tensor maps of Hopper's copy engine (TMA): what `cuTensorMapEncodeTiled` is told, and its rules.

The 128 bytes of an encoded map are the driver's secret; the GPU backend has the driver make them.
Rules and numbers: https://docs.nvidia.com/cuda/cuda-driver-api, section "Tensor Map Object Management".
"""

from __future__ import annotations

from dataclasses import dataclass

MAP_BYTES = 128
MAP_ALIGN = 64
MAX_BOX = 256
MAX_RANK = 5

# CUtensorMapDataType -> bytes of an element, and its name.
_TYPES = {
    0: (1, "UINT8"), 1: (2, "UINT16"), 2: (4, "UINT32"), 3: (4, "INT32"), 4: (8, "UINT64"), 5: (8, "INT64"),
    6: (2, "FLOAT16"), 7: (4, "FLOAT32"), 8: (8, "FLOAT64"), 9: (2, "BFLOAT16"), 10: (4, "FLOAT32_FTZ"),
    11: (4, "TFLOAT32"), 12: (4, "TFLOAT32_FTZ"),
}  # fmt: skip
_INTERLEAVE_ALIGN = {0: 16, 1: 16, 2: 32}
_SWIZZLE_BYTES = {0: 1 << 20, 1: 32, 2: 64, 3: 128}  # CUtensorMapSwizzle -> the most of a box's inner row


@dataclass(frozen=True)
class TensorMap:
    """Arguments of `cuTensorMapEncodeTiled`; extents and box innermost first, pitches in bytes from the
    second dimension on. Enumerations are the driver API's numbers."""

    type: int
    address: int
    extents: tuple[int, ...]
    pitches: tuple[int, ...]
    box: tuple[int, ...]
    steps: tuple[int, ...]
    interleave: int = 0
    swizzle: int = 0
    promotion: int = 0
    fill: int = 0

    @property
    def element_bytes(self) -> int:
        return _TYPES[self.type][0]

    @property
    def nbytes(self) -> int:
        """From the first byte of the tensor to its last."""
        rows = sum((e - 1) * p for e, p in zip(self.extents[1:], self.pitches, strict=True))
        return rows + self.extents[0] * self.element_bytes

    def mistake(self) -> str:
        """The first rule that it breaks, as the end of a sentence; "" if the driver would take it."""
        if self.type not in _TYPES:
            return f"there is no element type {self.type}"
        if self.address % _INTERLEAVE_ALIGN.get(self.interleave, 16):
            return f"the address {self.address:#x} is not a multiple of 16"
        for place, extent in enumerate(self.extents):
            if not 1 <= extent <= 1 << 32:
                return f"globalDim[{place}] is {extent}, which should be 1 to 2^32"
        for place, pitch in enumerate(self.pitches):
            if pitch % 16 or not 0 < pitch < 1 << 40:
                return f"globalStrides[{place}] is {pitch} bytes, which should be a multiple of 16 below 2^40"
        for place, side in enumerate(self.box):
            if not 1 <= side <= MAX_BOX:
                return f"boxDim[{place}] is {side}, which should be 1 to {MAX_BOX}"
        for place, step in enumerate(self.steps):
            if not 1 <= step <= 8:
                return f"elementStrides[{place}] is {step}, which should be 1 to 8"
        return self._inner_row()

    def _inner_row(self) -> str:
        row = self.box[0] * self.element_bytes
        if self.interleave == 0 and row % 16:
            return f"a row of the box has {row} bytes, which should be a multiple of 16"
        if self.swizzle not in _SWIZZLE_BYTES or self.interleave not in _INTERLEAVE_ALIGN:
            return "the swizzle or the interleave is none that there is"
        if self.interleave == 0 and row > _SWIZZLE_BYTES[self.swizzle]:
            most = _SWIZZLE_BYTES[self.swizzle]
            return f"a row of the box has {row} bytes, but its swizzle spans {most}"
        return ""
