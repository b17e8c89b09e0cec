"""Evaluates the C index expressions of the hardware data: integers, no side effects, C precedence."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

_TOKEN = re.compile(r"\s*(threadIdx\.[xyz]|[A-Za-z_]\w*|\d+|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()?:])")
_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": operator.lshift, ">>": operator.rshift},
    {"+": operator.add, "-": operator.sub},
    {
        "*": operator.mul,
        "/": lambda a, b: int(a / b),
        "%": lambda a, b: a - b * int(a / b),
    },
)
_UNARY: dict[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda a: int(not a),
}


def tokens_of(text: str) -> list[str]:
    found: list[str] = []
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if not match:
            raise ValueError(f"cannot read {text!r} at {text[position:]!r}")
        found.append(match.group(1))
        position = match.end()
    return found


class _Reader:
    def __init__(self, text: str, names: Mapping[str, int]) -> None:
        self.tokens = tokens_of(text)
        self.names = names

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def binary(self, level: int = 0) -> int:
        if level == len(_LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            apply = _LEVELS[level][self.tokens.pop(0)]
            value = apply(value, self.binary(level + 1))
        return value

    def unary(self) -> int:
        token = self.tokens.pop(0)
        if token in _UNARY:
            return _UNARY[token](self.unary())
        if token == "(":
            value = self.binary()
            assert self.tokens.pop(0) == ")"
            return value
        return int(token) if token.isdigit() else self.names[token]


def evaluate(text: str, names: Mapping[str, int]) -> int:
    reader = _Reader(text, names)
    value = reader.binary()
    if reader.tokens:
        raise ValueError(f"left over in {text!r}: {reader.tokens}")
    return value
