"""The device's printf, directive by directive."""

from __future__ import annotations

import struct

import pytest

from trainer.cuda.printf import format_printf


def show(text: str, layout: str = "", *values: object) -> str:
    data = struct.pack(layout, *values) if layout else b""
    return format_printf(text, lambda offset, n: data[offset : offset + n], lambda address: f"<{address}>")


@pytest.mark.parametrize(
    ("text", "layout", "values", "expected"),
    [
        ("%d %u %x", "iII", (-3, 4_000_000_000, 255), "-3 4000000000 ff"),
        ("%5d|%-5d|%05d", "iii", (1, 2, 3), "    1|2    |00003"),
        ("%lld %zu", "qQ", (-(1 << 40), 1 << 40), "-1099511627776 1099511627776"),
        ("%f %.2e %g", "ddd", (1.5, 12345.0, 0.1), "1.500000 1.23e+04 0.1"),
        ("%c%c", "ii", (72, 105), "Hi"),
        ("%s!", "Q", (16,), "<16>!"),
        ("%p", "Q", (0xABC,), "0xabc"),
        ("%*d", "ii", (4, 7), "   7"),
        ("100%% %q", "", (), "100% %q"),
    ],
)
def test_directives(text: str, layout: str, values: tuple[object, ...], expected: str) -> None:
    assert show(text, layout, *values) == expected


def test_arguments_lie_at_their_natural_alignment() -> None:
    assert show("%d %f %d", "=i4xdi", 1, 2.0, 3) == "1 2.000000 3"


def test_a_huge_width_costs_nothing() -> None:
    assert len(show("%999999999d", "i", 1)) < 1000
