"""How much stack a kernel needs: the deepest chain of calls, or a fixed amount when there is no telling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trainer.ptx.frame import FrameLayout
from trainer.ptx.module import CallTarget, Instruction

STACK_BYTES = 256 << 10  # of a warp, for kernels that recurse or call through pointers
LOCAL_BYTES = 16 << 10  # of a thread, likewise


def stack_needs(
    entry: str, layouts: Mapping[str, FrameLayout], code: Mapping[str, Iterable[Instruction]]
) -> tuple[int, int]:
    """(bytes of frames a warp, bytes of local memory a thread) that `entry` and all it calls can use."""
    calls = {name: set(_callees(code[name])) for name in layouts}
    known: dict[str, tuple[int, int]] = {}
    open_: set[str] = set()
    endless = any(None in callees for callees in calls.values())

    def needs(name: str) -> tuple[int, int]:
        nonlocal endless
        if name in open_:
            endless = True
            return 0, 0
        if name not in known:
            open_.add(name)
            below = [needs(c) for c in calls[name] if c is not None and c in layouts]
            open_.discard(name)
            frames, depots = (max((b[k] for b in below), default=0) for k in (0, 1))
            known[name] = (layouts[name].frame_bytes + frames, layouts[name].depot_bytes + depots)
        return known[name]

    frames, depots = needs(entry)
    return (frames + STACK_BYTES, depots + LOCAL_BYTES) if endless else (frames, depots)


def _callees(code: Iterable[Instruction]) -> Iterable[str | None]:
    """Names of functions called; None for a call through a register."""
    for instruction in code:
        target = instruction.operands[0] if instruction.op == "call" else None
        if isinstance(target, CallTarget):
            yield target.callee if isinstance(target.callee, str) else None
