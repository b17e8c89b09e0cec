"""The little arithmetic that questions use for shapes and costs: "M * K", "(N + 255) // 256".

Whole numbers, names, + - * // % **, & ^ << >>, parentheses, min(...) and max(...). Never `eval`.
"""

from __future__ import annotations

import ast
import contextlib
import operator
from collections.abc import Callable, Mapping

from trainer.errors import ContentError

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max}


def evaluate(expression: str, names: Mapping[str, int]) -> int:
    """The value of `expression`. Raises ContentError for anything but the grammar above."""
    try:
        return _value(ast.parse(expression.strip(), mode="eval").body, names, expression)
    except (SyntaxError, ZeroDivisionError, RecursionError) as problem:
        raise ContentError(f"cannot evaluate {expression!r}: {problem}") from problem


def names(expression: str) -> frozenset[str]:
    """The sizes that `expression` uses. Raises ContentError if it is no expression."""
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, RecursionError) as problem:
        raise ContentError(f"cannot evaluate {expression!r}: {problem}") from problem
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _FUNCTIONS.keys()
    with contextlib.suppress(ZeroDivisionError):  # with other sizes it may be fine
        _value(tree, dict.fromkeys(found, 1), expression)
    return frozenset(found)


def _value(node: ast.expr, names: Mapping[str, int], whole: str) -> int:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name in names:
            return int(names[name])
        case ast.Name(id=name):
            known = ", ".join(sorted(names)) or "none"
            raise ContentError(f"{whole!r} uses {name!r}, which is not a size here (known: {known})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, whole)
        case ast.BinOp(left=left, op=kind, right=right) if type(kind) in _OPERATORS:
            a, b = _value(left, names, whole), _value(right, names, whole)
            if isinstance(kind, ast.Pow | ast.LShift | ast.RShift) and not 0 <= b <= 64:
                raise ContentError(f"{whole!r} has an exponent or a shift outside 0..64")
            return _OPERATORS[type(kind)](a, b)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as given, keywords=[]) if name in _FUNCTIONS:
            values = [_value(a, names, whole) for a in given]
            return values[0] if len(values) == 1 else _FUNCTIONS[name](*values)
        case _:
            raise ContentError(
                f"{whole!r} is not a size expression",
                hint="use whole numbers, size names, + - * // % **, & ^ << >>, parentheses, min() and max()",
            )
