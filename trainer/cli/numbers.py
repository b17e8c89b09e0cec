"""Numbers on the command line: what is none, or out of range, is refused in our words, not argparse's."""

from __future__ import annotations

import math
from collections.abc import Callable

from trainer.errors import UsageError


def whole(option: str, least: int, most: int | None = None, *, example: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` to `most` for argparse; it raises UsageError."""
    span = f"{least} or more" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        value = _int(text)
        if value is None or value < least or (most is not None and value > most):
            raise _refusal(option, f"a whole number, {span}", text, example)
        return value

    return read


def positive(option: str, *, example: int) -> Callable[[str], float]:
    """A reader of numbers above zero, not necessarily whole."""

    def read(text: str) -> float:
        value = _float(text)
        if value is None or not 0 < value < math.inf:
            raise _refusal(option, "a number above 0", text, example)
        return value

    return read


def _refusal(option: str, wanted: str, text: str, example: int) -> UsageError:
    return UsageError(f"{option} takes {wanted}, not {text!r}", hint=f"for example {option} {example}")


def _int(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
