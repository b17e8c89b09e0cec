"""Conversions between half and float for processors that have no instruction for them (F16C).

LLVM then calls these two functions of compiler-rt by name, which no library of the process offers.
"""

from __future__ import annotations

SYMBOLS = """
define float @__extendhfsf2(half %x) {
  %bits = bitcast half %x to i16
  %wide = zext i16 %bits to i32
  %sign.low = and i32 %wide, 32768
  %sign = shl i32 %sign.low, 16
  %size = and i32 %wide, 32767
  %placed = shl i32 %size, 13
  %small = bitcast i32 %placed to float
  %scaled = fmul float %small, 0x46F0000000000000
  %number = bitcast float %scaled to i32
  %special = icmp uge i32 %size, 31744
  %infinite = or i32 %placed, 2139095040
  %chosen = select i1 %special, i32 %infinite, i32 %number
  %signed = or i32 %chosen, %sign
  %result = bitcast i32 %signed to float
  ret float %result
}

define half @__truncsfhf2(float %x) {
  %bits = bitcast float %x to i32
  %sign.high = lshr i32 %bits, 16
  %sign = and i32 %sign.high, 32768
  %size = and i32 %bits, 2147483647
  %value = bitcast i32 %size to float
  %shifted = fadd float %value, 0x3FE0000000000000
  %shifted.bits = bitcast float %shifted to i32
  %tiny = sub i32 %shifted.bits, 1056964608
  %last.place = lshr i32 %size, 13
  %odd = and i32 %last.place, 1
  %up = add i32 %odd, 4095
  %rounded = add i32 %size, %up
  %rebased = sub i32 %rounded, 939524096
  %normal = lshr i32 %rebased, 13
  %is.tiny = icmp ult i32 %size, 947912704
  %finite = select i1 %is.tiny, i32 %tiny, i32 %normal
  %is.large = icmp uge i32 %size, 1199570944
  %is.nan = icmp ugt i32 %size, 2139095040
  %large = select i1 %is.nan, i32 32256, i32 31744
  %chosen = select i1 %is.large, i32 %large, i32 %finite
  %signed = or i32 %chosen, %sign
  %short = trunc i32 %signed to i16
  %result = bitcast i16 %short to half
  ret half %result
}
"""


def needed(triple: str, features: dict[str, bool]) -> bool:
    """Whether the processor that LLVM compiles for lacks the conversions."""
    return triple.startswith(("x86_64", "i386", "i686")) and not features.get("f16c", False)
