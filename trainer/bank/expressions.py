"""The little arithmetic that questions use. Never `eval`.

Sizes, costs and addresses ("M * K", "(N + 255) // 256"): whole numbers, names, + - * // % **, & ^ << >>,
parentheses, min(...) and max(...). Answers ("2 * M * N * K / peak"): real numbers, names, + - * / // % **,
parentheses, min, max, ceil, floor, sqrt and log2.
"""

from __future__ import annotations

import ast
import contextlib
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trainer.errors import ContentError


@dataclass(frozen=True)
class _Grammar:
    operators: Mapping[type[ast.operator], Callable[[Any, Any], Any]]
    calls: Mapping[str, Callable[..., Any]]
    numbers: tuple[type, ...]  # that may be written; given ones become the last of them
    name: str
    names_are: str
    advice: str


_COMMON: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_BITS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_SIZES = _Grammar(
    operators=_COMMON | _BITS,
    calls={"min": min, "max": max},
    numbers=(int,),
    name="size expression",
    names_are="a size here",
    advice="use whole numbers, size names, + - * // % **, & ^ << >>, parentheses, min() and max()",
)
_REALS = _Grammar(
    operators=_COMMON | {ast.Div: operator.truediv},
    calls={
        "min": min, "max": max, "ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt, "log2": math.log2,
    },
    numbers=(int, float),
    name="formula",
    names_are="given here",
    advice="use numbers, given names, + - * / // % **, parentheses, min, max, ceil, floor, sqrt and log2",
)  # fmt: skip


def evaluate(expression: str, names: Mapping[str, int]) -> int:
    """The value of a size expression. Raises ContentError for anything but its grammar."""
    return int(_evaluate(expression, names, _SIZES))


def evaluate_real(expression: str, names: Mapping[str, float]) -> float:
    """The value of a formula. Raises ContentError for anything but its grammar, and if it is not finite."""
    value = float(_evaluate(expression, names, _REALS))
    if not math.isfinite(value):
        raise ContentError(f"{expression!r} is not finite")
    return value


def names(expression: str) -> frozenset[str]:
    """The sizes that `expression` uses. Raises ContentError if it is no size expression."""
    found = names_in(expression) - _SIZES.calls.keys()
    with contextlib.suppress(ZeroDivisionError):  # with other sizes it may be fine
        _value(_parsed(expression), dict.fromkeys(found, 1), expression, _SIZES)
    return frozenset(found)


def names_in(expression: str) -> frozenset[str]:
    """Every name in the text of an expression, functions included. Raises ContentError if it is none."""
    return frozenset(node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name))


def _parsed(expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, RecursionError) as problem:
        raise ContentError(f"cannot evaluate {expression!r}: {problem}") from problem


def _evaluate(expression: str, names: Mapping[str, float], grammar: _Grammar) -> Any:
    try:
        return _value(_parsed(expression), names, expression, grammar)
    except (ArithmeticError, ValueError, TypeError, RecursionError) as problem:
        raise ContentError(f"cannot evaluate {expression!r}: {problem}") from problem


def _value(node: ast.expr, names: Mapping[str, float], whole: str, grammar: _Grammar) -> Any:
    match node:
        case ast.Constant(value=number) if type(number) in grammar.numbers:
            return number
        case ast.Name(id=name) if name in names:
            return grammar.numbers[-1](names[name])
        case ast.Name(id=name):
            known = ", ".join(sorted(names)) or "none"
            raise ContentError(f"{whole!r} uses {name!r}, which is not {grammar.names_are} (known: {known})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, whole, grammar)
        case ast.BinOp(left=left, op=kind, right=right) if type(kind) in grammar.operators:
            a, b = _value(left, names, whole, grammar), _value(right, names, whole, grammar)
            if isinstance(kind, ast.Pow | ast.LShift | ast.RShift) and not 0 <= b <= 64:
                raise ContentError(f"{whole!r} has an exponent or a shift outside 0..64")
            return grammar.operators[type(kind)](a, b)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as given, keywords=[]) if name in grammar.calls:
            values = [_value(a, names, whole, grammar) for a in given]
            one_is_enough = len(values) == 1 and name in ("min", "max")
            return values[0] if one_is_enough else grammar.calls[name](*values)
        case _:
            raise ContentError(f"{whole!r} is not a {grammar.name}", hint=grammar.advice)
