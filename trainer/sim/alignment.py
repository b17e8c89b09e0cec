"""What a compiler can know about the low bits of every register: the ground for fusing accesses.

A forward data-flow analysis over one function body, optimistic and flow-insensitive, which is what
alignment needs: `base + 16 * i` stays aligned through a loop. Where definitions meet only the zeros
are kept, for ptxas keeps no more: a loop pointer that starts at 8 is known as a multiple of 8, though
it is always 8 mod 16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from trainer.ptx.flow import has_destination, writes
from trainer.ptx.module import Body, Immediate, Instruction, Operand, Register, Symbol

WIDE = 64  # "all bits known"


@dataclass(frozen=True, slots=True)
class Known:
    """The lowest `bits` bits of a value are those of `value`."""

    bits: int
    value: int = 0

    def low(self, bits: int) -> Known:
        kept = min(self.bits, bits)
        return Known(kept, self.value & ((1 << kept) - 1))

    @property
    def zeros(self) -> int:
        """How many trailing bits are certainly zero."""
        if self.value == 0:
            return self.bits
        return (self.value & -self.value).bit_length() - 1


NOTHING = Known(0)


def constant(value: int) -> Known:
    return Known(WIDE, value & ((1 << WIDE) - 1))


def meet(a: Known, b: Known) -> Known:
    """What holds for both."""
    differ = a.value ^ b.value
    agree = (differ & -differ).bit_length() - 1 if differ else WIDE
    return a.low(min(b.bits, agree))


def _add(a: Known, b: Known) -> Known:
    return Known(WIDE, a.value + b.value).low(min(a.bits, b.bits))


def _subtract(a: Known, b: Known) -> Known:
    return Known(WIDE, (a.value - b.value) & ((1 << WIDE) - 1)).low(min(a.bits, b.bits))


def _multiply(a: Known, b: Known) -> Known:
    return Known(WIDE, a.value * b.value).low(min(WIDE, a.bits + b.zeros, b.bits + a.zeros))


def _shift_left(a: Known, b: Known) -> Known:
    if b.bits < WIDE or b.value >= WIDE:
        return NOTHING
    return Known(WIDE, a.value << b.value).low(min(WIDE, a.bits + b.value))


def _shift_right(a: Known, b: Known) -> Known:
    if b.bits < WIDE or b.value >= a.bits:
        return NOTHING
    return Known(a.bits - b.value, a.value >> b.value)


def _and(a: Known, b: Known) -> Known:
    cleared = max(a.zeros, b.zeros)
    both = min(a.bits, b.bits)
    return Known(WIDE, a.value & b.value).low(both) if both >= cleared else Known(cleared, 0)


def _or(a: Known, b: Known) -> Known:
    return Known(WIDE, a.value | b.value).low(min(a.bits, b.bits))


def _xor(a: Known, b: Known) -> Known:
    return Known(WIDE, a.value ^ b.value).low(min(a.bits, b.bits))


_BINARY = {"add": _add, "sub": _subtract, "shl": _shift_left, "and": _and, "or": _or, "xor": _xor}
_COPIES = frozenset({"mov", "cvt", "cvta"})


class Alignment:
    """Low bits of the registers of one body; `symbols` gives the addresses of variables it names."""

    def __init__(self, body: Body, symbols: Mapping[str, int]) -> None:
        self._symbols = symbols
        self._registers: dict[str, Known] = {}
        definitions: dict[str, list[Instruction]] = defaultdict(list)
        for instruction in body.instructions:
            for register in writes(instruction):
                definitions[register.name].append(instruction)
        changed = True
        while changed:
            changed = False
            for name, defining in definitions.items():
                found = self._of_register(name, defining)
                before = self._registers.get(name)
                if found is not None and before is not None:
                    found = meet(before, found)  # only ever less, so that this ends
                if found is not None and found != before:
                    self._registers[name] = found
                    changed = True

    def known(self, operand: Operand) -> Known | None:
        """Low bits of `operand`; None while (or because) nothing defines it."""
        if isinstance(operand, Register):
            return self._registers.get(operand.name)
        if isinstance(operand, Immediate) and operand.form == "int":
            return constant(operand.value)
        if isinstance(operand, Symbol) and operand.name in self._symbols:
            return constant(self._symbols[operand.name] + operand.offset)
        return NOTHING

    def _of_register(self, name: str, defining: list[Instruction]) -> Known | None:
        result: Known | None = None
        for instruction in defining:
            value = self._transfer(instruction)
            if value is not None:
                result = value if result is None else meet(result, value)
        if result is not None and len(defining) > 1:
            return Known(result.zeros)
        return result

    def _transfer(self, instruction: Instruction) -> Known | None:
        if not has_destination(instruction) or not isinstance(instruction.operands[0], Register):
            return NOTHING
        op = instruction.op
        sources = [self.known(operand) for operand in instruction.operands[1:]]
        if op == "selp":
            sources = sources[:2]
        known = [s for s in sources if s is not None]
        if len(known) < len(sources):
            return None
        if op in _COPIES and len(known) == 1 and "f32" not in instruction.modifiers:
            return known[0]
        if op == "selp":
            return meet(known[0], known[1])
        if op in _BINARY and len(known) == 2:
            return _BINARY[op](known[0], known[1])
        if op == "shr" and len(known) == 2:
            return _shift_right(known[0], known[1])
        if op in ("mul", "mad") and "hi" not in instruction.modifiers:
            product = _multiply(known[0], known[1])
            return product if op == "mul" else _add(product, known[2])
        return NOTHING
