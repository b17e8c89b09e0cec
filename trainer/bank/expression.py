"""Integer arithmetic over the sizes of a task: `4 * (M * N + N * K)`, `ceil_div(N, 32)`.

    sum     = product (("+" | "-") product)*
    product = unary (("*" | "//" | "%") unary)*
    unary   = "-" unary | number | name | name "(" sum ("," sum)* ")" | "(" sum ")"

`//` and `%` round towards minus infinity. Question files are data, so nothing here calls eval.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

Sizes = Mapping[str, int]
_Node = Callable[[Sizes], int]

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(//|[-+*%(),]))")
_MAX_LENGTH = 500  # also bounds the depth of the parse


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


_FUNCTIONS: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "min": (2, min),
    "max": (2, max),
    "ceil_div": (2, _ceil_div),
}
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}


class ExpressionError(ValueError):
    """The text is no expression, or cannot be evaluated with the sizes given."""


def names(text: str) -> frozenset[str]:
    """The sizes that an expression uses. Raises ExpressionError if it is none."""
    return _parse(text)[1]


def evaluate(text: str, sizes: Sizes) -> int:
    """The value of an expression. Raises ExpressionError for bad syntax, unknown names, division by 0."""
    node, used = _parse(text)
    missing = sorted(used - sizes.keys())
    if missing:
        raise ExpressionError(f"{text!r} uses {missing[0]}, which is no size here")
    try:
        return node(sizes)
    except ZeroDivisionError:
        raise ExpressionError(f"{text!r} divides by zero") from None


@lru_cache(maxsize=1024)
def _parse(text: str) -> tuple[_Node, frozenset[str]]:
    if len(text) > _MAX_LENGTH:
        raise ExpressionError(f"an expression may have {_MAX_LENGTH} characters, this has {len(text)}")
    parser = _Parser(text)
    node = parser.sum()
    if parser.token:
        raise parser.unexpected()
    return node, frozenset(parser.names)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.names: set[str] = set()
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Step to the next token ("" at the end) and return the one just left."""
        previous, rest = self.token, self.text[self.position :]
        if not rest.strip():
            self.token = ""
            return previous
        match = _TOKEN.match(rest)
        if match is None:
            raise ExpressionError(f"{self.text!r} has {rest.strip()[0]!r}, which means nothing here")
        self.token = match[0].strip()
        self.position += match.end()
        return previous

    def unexpected(self) -> ExpressionError:
        found = repr(self.token) if self.token else "its end"
        return ExpressionError(f"{self.text!r} is no expression: did not expect {found}")

    def expect(self, token: str) -> None:
        if self.token != token:
            raise self.unexpected()
        self.advance()

    def chain(self, operand: Callable[[], _Node], operators: tuple[str, ...]) -> _Node:
        left = operand()
        while self.token in operators:
            left = _binary(_OPERATORS[self.advance()], left, operand())
        return left

    def sum(self) -> _Node:
        return self.chain(self.product, ("+", "-"))

    def product(self) -> _Node:
        return self.chain(self.unary, ("*", "//", "%"))

    def unary(self) -> _Node:
        if self.token == "-":
            self.advance()
            inner = self.unary()
            return lambda sizes: -inner(sizes)
        if self.token == "(":
            self.advance()
            inner = self.sum()
            self.expect(")")
            return inner
        if self.token.isdecimal():
            value = int(self.advance())
            return lambda sizes: value
        if not self.token.isidentifier():
            raise self.unexpected()
        return self.named(self.advance())

    def named(self, name: str) -> _Node:
        if self.token != "(":
            self.names.add(name)
            return lambda sizes: sizes[name]
        if name not in _FUNCTIONS:
            raise ExpressionError(f"{self.text!r} calls {name}; there are only {', '.join(_FUNCTIONS)}")
        arguments = []
        separator = "("
        while self.token == separator:
            self.advance()
            arguments.append(self.sum())
            separator = ","
        self.expect(")")
        count, function = _FUNCTIONS[name]
        if len(arguments) != count:
            raise ExpressionError(f"{self.text!r}: {name} takes {count} values, not {len(arguments)}")
        return _binary(function, *arguments)


def _binary(function: Callable[[int, int], int], left: _Node, right: _Node) -> _Node:
    return lambda sizes: function(left(sizes), right(sizes))
