"""Units of the numbers that strategy questions ask for, and what they are in one another.

k, M, G and T are powers of ten; Ki, Mi and Gi powers of two. "TFLOPS", "TFLOP/s" and "TFLOP" are taken
for the same: whether an amount or a rate is asked for is never in doubt.
"""

from __future__ import annotations

_DECIMAL = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_BINARY = {"ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30, "ti": 2.0**40}

# unit in lower case -> what it measures, and how many of the base unit it is
_UNITS: dict[str, tuple[str, float]] = {
    **{f"{prefix}b": ("bytes", size) for prefix, size in (_DECIMAL | _BINARY).items()},
    **{f"{prefix}flop": ("operations", size) for prefix, size in _DECIMAL.items()},
    **{name: ("time", size) for name, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))},
    "%": ("share", 1e-2),
}
_SLIPS = (1e3, 1e6, 1e9, 2.0**10, 100.0, 8.0, 2.0)
"""Factors that answers are off by when a unit was mistaken, or a two forgotten."""


def factor(typed: str, wanted: str) -> float | None:
    """How many `wanted` one `typed` is; None if they measure different things or are not known."""
    one, other = _UNITS.get(_plain(typed)), _UNITS.get(_plain(wanted))
    if one is None or other is None:
        return 1.0 if _plain(typed) == _plain(wanted) else None
    return one[1] / other[1] if one[0] == other[0] else None


def slip(value: float, right: float, relative: float) -> float | None:
    """The usual factor that `value` is from `right`: above 1 if it is too large, else below."""
    for step in _SLIPS:
        for times in (step, 1 / step):
            if abs(value - right * times) <= relative * abs(right * times):
                return times
    return None


def _plain(unit: str) -> str:
    """One spelling of what is written in many: GB / s, gb/s; TFLOPS, TFLOP/s; bytes, B; µs, us."""
    text = "".join(unit.split()).lower().replace("µ", "u").replace("μ", "u")
    text = text.replace("flops", "flop").replace("bytes", "b").replace("byte", "b")
    return text.removesuffix("/s")
