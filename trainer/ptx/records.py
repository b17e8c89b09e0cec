"""What the numbers in generated code stand for: memory sites, block counters, Python hooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trainer.ptx.flow import Block
from trainer.ptx.module import Instruction

PythonHook = Callable[..., None]


@dataclass(frozen=True)
class SiteInfo:
    """What a site number stands for."""

    function: str
    instruction: Instruction


@dataclass(frozen=True)
class BlockInfo:
    """What a block counter counts."""

    function: str
    block: Block
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True)
class HookInfo:
    """A Python function that generated code calls, and the NumPy dtypes of its vectors."""

    function: PythonHook
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
