"""The device's printf: a format and a buffer of arguments, each at its natural alignment."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

MAX_WIDTH = 512
_DIRECTIVE = re.compile(r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*))?"
                        r"(?P<size>hh|h|ll|l|z|j|t)?(?P<kind>[diouxXeEfFgGaAcsp%n])")  # fmt: skip


def format_printf(text: str, read: Callable[[int, int], bytes], read_string: Callable[[int], str]) -> str:
    """`read(offset, nbytes)` gives bytes of the argument buffer; `read_string(address)` a C string.

    An unknown directive is printed as it stands, like CUDA does.
    """
    cursor = 0

    def take(nbytes: int) -> bytes:
        nonlocal cursor
        cursor = -(-cursor // nbytes) * nbytes
        data = read(cursor, nbytes)
        cursor += nbytes
        return data

    def integer(nbytes: int, *, signed: bool) -> int:
        return int.from_bytes(take(nbytes), "little", signed=signed)

    def number(group: str | None) -> str:
        """Widths are bounded: a wider field is a mistake or an attack."""
        value = integer(4, signed=True) if group == "*" else int(group) if group else None
        return "" if value is None else str(max(-MAX_WIDTH, min(value, MAX_WIDTH)))

    def expand(match: re.Match[str]) -> str:
        kind = match["kind"]
        if kind == "%":
            return "%"
        width, precision = number(match["width"]), number(match["precision"])
        head = "%" + match["flags"] + width + (f".{precision}" if match["precision"] else "")
        wide = 8 if match["size"] in {"l", "ll", "z", "j", "t"} else 4
        if kind in "di":
            return (head + "d") % integer(wide, signed=True)
        if kind in "ouxX":
            return (head + kind.replace("u", "d")) % integer(wide, signed=False)
        if kind in "eEfFgG":
            return str((head + kind) % struct.unpack("<d", take(8))[0])
        if kind in "aA":
            return float(struct.unpack("<d", take(8))[0]).hex()
        if kind == "c":
            return (head + "s") % chr(integer(4, signed=False) & 0xFF)
        if kind == "s":
            return (head + "s") % read_string(integer(8, signed=False))
        if kind == "p":
            return hex(integer(8, signed=False))
        take(8)  # %n writes nothing here
        return ""

    return _DIRECTIVE.sub(expand, text)
