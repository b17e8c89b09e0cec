"""Registers as "something plus a constant", so that addresses that differ by a constant are seen to.

PTX computes `s + 8 * i` and `s + 8 * i + 4` in registers of their own; ptxas sees through that when it
fuses accesses, by value numbering. So do we, for registers with one definition; others stand for
themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainer.ptx.flow import has_destination, writes
from trainer.ptx.module import Body, Immediate, Instruction, Operand, Register, Special, Symbol

Root = tuple[Any, ...]  # nested: ("add", root, root), ("reg", name), ...; () is zero
_PURE = frozenset({"and", "or", "xor", "sub", "shr", "min", "max", "mul", "mad", "add", "shl", "not", "neg"})


@dataclass(frozen=True)
class Linear:
    """`root` + `constant`."""

    root: Root
    constant: int


class LinearForms:
    """Linear forms of the registers of one body; `symbols` gives the addresses of variables."""

    def __init__(self, body: Body, symbols: Mapping[str, int]) -> None:
        self._symbols = symbols
        self._single: dict[str, Instruction] = {}
        self.several: set[str] = set()  # registers with more than one definition
        for instruction in body.instructions:
            for register in writes(instruction):
                if register.name in self._single:
                    self.several.add(register.name)
                self._single[register.name] = instruction
        self._known: dict[str, Linear] = {}

    def of(self, operand: Operand) -> Linear:
        """The linear form of an operand."""
        if isinstance(operand, Immediate) and operand.form == "int":
            return Linear((), operand.value)
        if isinstance(operand, Symbol):
            if operand.name in self._symbols:
                return Linear((), self._symbols[operand.name] + operand.offset)
            return Linear(("symbol", operand.name), operand.offset)
        if isinstance(operand, Special):
            return Linear(("special", operand.name), 0)
        if not isinstance(operand, Register):
            return Linear(("operand", repr(operand)), 0)
        if operand.name not in self._known:
            self._known[operand.name] = Linear(("reg", operand.name), 0)  # for definitions in a circle
            self._known[operand.name] = self._define(operand)
        return self._known[operand.name]

    def _define(self, register: Register) -> Linear:
        itself = Linear(("reg", register.name), 0)
        instruction = self._single.get(register.name)
        if instruction is None or register.name in self.several or instruction.predicate is not None:
            return itself
        if not has_destination(instruction) or instruction.operands[0] != register:
            return itself
        op, sources = instruction.op, [self.of(operand) for operand in instruction.operands[1:]]
        if op in ("mov", "cvta") or (op == "cvt" and not any("f" in m for m in instruction.modifiers)):
            return sources[0] if len(sources) == 1 else itself
        if op not in _PURE or "hi" in instruction.modifiers:
            return itself
        return self._combine(op, instruction, sources)

    def _combine(self, op: str, instruction: Instruction, sources: list[Linear]) -> Linear:
        if op == "add" and len(sources) == 2:
            return _add(sources[0], sources[1])
        if op == "sub" and len(sources) == 2 and not sources[1].root:
            return Linear(sources[0].root, sources[0].constant - sources[1].constant)
        if op == "shl" and len(sources) == 2 and not sources[1].root and 0 <= sources[1].constant < 64:
            return _times(sources[0], 1 << sources[1].constant)
        if op == "mul" and len(sources) == 2:
            factor = next((s for s in sources if not s.root), None)
            if factor is not None:
                other = sources[1] if factor is sources[0] else sources[0]
                return _times(other, factor.constant)
        if op == "mad" and len(sources) == 3 and not sources[1].root:
            return _add(_times(sources[0], sources[1].constant), sources[2])
        parts = tuple((s.root, s.constant) for s in sources)
        return Linear((op, instruction.modifiers, *parts), 0)


def _add(a: Linear, b: Linear) -> Linear:
    if not a.root or not b.root:
        return Linear(a.root or b.root, a.constant + b.constant)
    return Linear(("add", *sorted((a.root, b.root), key=repr)), a.constant + b.constant)


def _times(a: Linear, factor: int) -> Linear:
    if not a.root:
        return Linear((), a.constant * factor)
    return Linear(("times", a.root, factor), a.constant * factor)


def mentions(root: Root, register: str) -> bool:
    """Whether a root depends on the present value of a register."""
    if root[:1] == ("reg",):
        return bool(root[1] == register)
    return any(isinstance(part, tuple) and mentions(part, register) for part in root)
