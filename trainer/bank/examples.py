"""Examples of a statement as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.bank.model import Example


def example_text(example: Example) -> str:
    """What goes in and what comes out: a line for each array, one for all scalars."""
    return "\n".join([*_lines(example.inputs), "gives", *_lines(example.outputs)])


def _lines(values: Mapping[str, Any]) -> list[str]:
    arrays = [f"  {name} = {_text(value)}" for name, value in values.items() if isinstance(value, list)]
    scalars = [f"  {name} = {_text(value)}" for name, value in values.items() if not isinstance(value, list)]
    return [*arrays, "".join(scalars)] if scalars else arrays


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return str(value) if isinstance(value, int) else f"{value:.9g}"
