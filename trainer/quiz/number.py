"""Numbers as people type them: "1,024", "12,5", "1_024", "3/4", "1.5e3"."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_NUMBER = re.compile(r"[-+]?(\d[\d_' ]*)?(\.\d+)?([eE][-+]?\d+)?(\s*/\s*\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")


def write_number(value: float) -> str:
    """A number as one would type it: whole numbers in full, others to six digits."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def read_number(text: str) -> float | None:
    """The number that `text` is, or None."""
    stripped = text.strip()
    if _THOUSANDS.fullmatch(stripped):
        stripped = stripped.replace(",", "")
    elif stripped.count(",") == 1:
        stripped = stripped.replace(",", ".")
    if not _NUMBER.fullmatch(stripped) or not any(c.isdigit() for c in stripped):
        return None
    plain = re.sub(r"[\s_']", "", stripped)
    top, _, bottom = plain.partition("/")
    if bottom and int(bottom) == 0:
        return None
    try:
        value = float(Fraction(top) / int(bottom)) if bottom else float(top)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None
