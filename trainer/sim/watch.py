"""Turns the engine's memory hooks into observation: what `observe_ir` needs is emitted and set up here."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from trainer.cuda.device import Dim3
from trainer.ptx.compiled import CompiledKernel
from trainer.ptx.engine import Engine, LaunchState
from trainer.ptx.flow import analyse
from trainer.ptx.jit import expand, jit
from trainer.ptx.layout import ARENA_BASE, Allocation, Slot
from trainer.ptx.lower.access import Access
from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.copy_queue import UNREADY
from trainer.ptx.lower.values import I32, I64
from trainer.ptx.module import Instruction
from trainer.sim import (
    kernel_facts,
    observe_event_ir,
    observe_ir,
    observe_pattern_ir,
    observe_window_ir,
    sites,
)
from trainer.sim import observe_layout as native
from trainer.sim.faults import SharedNames
from trainer.sim.hazards import EVENT
from trainer.sim.memory import SimMemory
from trainer.sim.sites import Site
from trainer.sim.tally import RECORD, Tally

RECORD_LIMIT = 8192
EVENT_LIMIT = 4096
_UNSEEN = frozenset({"local", "const", "param"})


class WatchedAccess(Access):
    """Calls the observation routines before every load, store and atomic of global or shared memory."""

    name = "watched"

    def __init__(self) -> None:
        self._direction = "atomic"
        # the asynchronous copy that is being emitted, and the addresses it reads
        self._source: tuple[Instruction, Value] | None = None

    def load(
        self, ctx: Context, space: str, bits: int, count: int, addresses: Value, *, op: str = "load",
        mask_bits: Value | None = None,
    ) -> list[Value]:  # fmt: skip
        self._direction = "load"
        values = super().load(ctx, space, bits, count, addresses, op=op, mask_bits=mask_bits)
        self._direction = "atomic"
        return values

    def store(
        self, ctx: Context, space: str, values: Sequence[Value], addresses: Value, *, op: str = "store",
        mask_bits: Value | None = None,
    ) -> None:  # fmt: skip
        self._direction = "store"
        super().store(ctx, space, values, addresses, op=op, mask_bits=mask_bits)
        self._direction = "atomic"

    def before_access(
        self, ctx: Context, instruction: Instruction, space: str, op: str, addresses: Value,
        bytes_per_lane: int, mask_bits: Value,
    ) -> Value:  # fmt: skip
        if ctx.width != 32 or space in _UNSEEN:
            return mask_bits
        direction = "atomic" if op == "atomic" else self._direction
        _require(ctx, space, direction)
        ctx.intrinsic(
            ctx.kernel.runtime(f"see_{space}_{direction}"),
            ir.VoidType(),
            [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), mask_bits, addresses, I64(bytes_per_lane)],
        )
        if op == "async_copy" and "bulk" not in instruction.modifiers:
            self._see_copy(ctx, addresses, mask_bits)
        return mask_bits

    def after_load(
        self, ctx: Context, instruction: Instruction, space: str, addresses: Value, values: Sequence[Value],
        mask_bits: Value,
    ) -> None:  # fmt: skip
        """Where copies may be under way, a load from shared memory that finds their mark came too early."""
        bits = int(values[0].type.element.width)
        if ctx.width != 32 or space != "shared" or bits == 8 or ctx.function.layout.copy_queue is None:
            return
        mark = sum((UNREADY & 0xFFFF) << shift for shift in range(0, bits, 16))
        found = [
            ctx.bits(ctx.builder.icmp_signed("==", v, ctx.constant(v.type.element, mark))) for v in values
        ]
        lanes = reduce(ctx.builder.or_, found)
        early = ctx.builder.and_(lanes, mask_bits)

        def tell() -> None:
            arguments = [ctx.env, ctx.warp, I32(ctx.site()), early, addresses]
            ctx.call_helper("see_unready", observe_event_ir.UNREADY_READ, ir.VoidType(), arguments)

        ctx.if_any(early, tell)

    def _see_copy(self, ctx: Context, addresses: Value, mask_bits: Value) -> None:
        """What a copy costs depends on both sides: they are recorded together."""
        known = self._source is not None and self._source[0] is ctx.instruction
        if self._direction == "load":
            self._source = self._source if known else (ctx.instruction, addresses)
        elif known and self._source is not None:
            origin = self._source[1]
            arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), mask_bits, origin, addresses]
            ctx.call_helper("see_copy", observe_pattern_ir.COPY, ir.VoidType(), arguments)


def _require(ctx: Context, space: str, direction: str) -> None:
    ctx.helper("see_pattern", observe_pattern_ir.PATTERN)
    ctx.helper("see_note", observe_event_ir.NOTE)
    ctx.helper("see_touch", observe_window_ir.TOUCH)
    for op in ("load", "store"):
        ctx.helper(f"see_window_{op}", observe_window_ir.window_text(op))
    for part in ("global", "shared") if space == "generic" else (space,):
        ctx.helper(f"see_{part}_{direction}", observe_ir.see_text(part, direction))
    if space == "generic":
        ctx.helper(f"see_generic_{direction}", observe_ir.generic_text(direction))


_BLOCK_HOOK: list[int] = []


def _block_hook() -> int:
    """Native address of the routine that poisons shared memory when a block starts."""
    if not _BLOCK_HOOK:
        jit().add(expand(observe_pattern_ir.BLOCK_START, 32), level=0)
        _BLOCK_HOOK.append(jit().address("wd32_see_block"))
    return _BLOCK_HOOK[0]


@dataclass
class WatchedKernel:
    """A compiled kernel with what is known of its sites, and its observation buffers."""

    compiled: CompiledKernel
    facts: kernel_facts.KernelFacts
    sites: dict[int, Site]
    tally: Tally
    table: NDArray[np.uint8]
    names: SharedNames
    grid: Dim3 = (1, 1, 1)  # of the launches whose patterns the table holds
    _told: NDArray[Any] | int = 0  # events by site and kind, up to the last launch

    @classmethod
    def of(cls, engine: Engine, name: str) -> WatchedKernel:
        """Compile and analyse; raises UnsupportedError."""
        compiled = engine.kernel(name)
        described: dict[int, Site] = {}
        functions = {info.function for info in compiled.sites} | {name}
        per_function = {}
        for function in functions:
            body = engine.module.functions[function].body
            if body is not None:
                own = {k.split("::")[-1]: v for k, v in compiled.shared.items() if _belongs(k, function)}
                own.update(dict.fromkeys(_dynamic(engine, function), compiled.shared_bytes))
                per_function[function] = sites.facts_of(analyse(body), own)
        for number, info in enumerate(compiled.sites):
            site = sites.describe(number, info.instruction, per_function[info.function])
            if site is not None:
                described[number] = site
        reachable = [engine.module.functions[f] for f in {b.function for b in compiled.blocks} | {name}]
        count = max(len(compiled.sites), 1)
        table = np.zeros(2 * count * native.SITE_BYTES + 64, dtype=np.uint8)
        table = table[-table.ctypes.data % 64 :][: 2 * count * native.SITE_BYTES]
        names = _shared_names(engine, compiled, name)
        facts = kernel_facts.facts_of(reachable)
        watched = cls(compiled, facts, described, Tally(described, count), table, names)
        heads = watched.heads()
        for number, site in described.items():
            heads["quiet"][[number, number + count]] = int(site.volatile)
        return watched

    @property
    def site_count(self) -> int:
        return max(len(self.compiled.sites), 1)

    def reset(self) -> None:
        """Start counting afresh, for another run."""
        self.tally = Tally(self.sites, self.site_count)
        self.heads()["events"] = 0
        self._told = 0
        self.patterns()["hits"] = 0

    def unrecorded(self, events: NDArray[Any]) -> dict[tuple[int, int], int]:
        """How many events of the last launch got no record, by (site, kind); `events` got one."""
        totals = self.heads()["events"].copy()
        fresh = totals - self._told
        np.subtract.at(fresh, (events["site"], events["kind"]), 1)
        self._told = totals
        return {(int(s), int(k)): int(fresh[s, k]) for s, k in np.argwhere(fresh > 0)}

    def flush(self) -> None:
        """Cost the patterns that the table holds. They stay there from launch to launch of one grid."""
        patterns = self.patterns()
        used = patterns["hits"] > 0
        if used.any():
            self.tally.take(patterns[used], self.grid)
            patterns["hits"] = 0

    def width_at(self, instruction: Instruction) -> int:
        """Bytes per lane of a memory instruction, 1 when it is not one we know."""
        where = self.compiled.sites
        return next((s.width for s in self.sites.values() if where[s.number].instruction is instruction), 1)

    def heads(self) -> NDArray[Any]:
        """The heads of the site table as a structured view."""
        kind = np.dtype(
            {
                "names": ["lo", "hi", "watch", "quiet", "events"],
                "formats": ["<i8", "<i8", "<i8", "<i4", ("<i4", (6,))],
                "offsets": [0, 8, 16, 24, 28],
                "itemsize": native.SITE_BYTES,
            }
        )
        return self.table.view(kind)

    def patterns(self) -> NDArray[Any]:
        """The remembered patterns, (sites, ENTRIES) records sharing memory with the table."""
        kind = np.dtype(
            {
                "names": ["entries"],
                "formats": [(RECORD, (native.ENTRIES,))],
                "offsets": [native.SITE_HEAD],
                "itemsize": native.SITE_BYTES,
            }
        )
        entries: NDArray[Any] = self.table.view(kind)["entries"]
        return entries


def _belongs(key: str, function: str) -> bool:
    return "::" not in key or key.startswith(f"{function}::")


def _dynamic(engine: Engine, function: str) -> list[str]:
    body = engine.module.functions[function].body
    found = dict(engine.module.variables)
    if body is not None:
        found.update(body.variables)
    return [n for n, v in found.items() if v.space == "shared" and (v.external or v.nbytes == 0)]


def _shared_names(engine: Engine, compiled: CompiledKernel, name: str) -> SharedNames:
    variables = dict(engine.module.variables)
    body = engine.module.functions[name].body
    if body is not None:
        variables.update(body.variables)
    elements = {n: min(v.align, 16) for n, v in variables.items() if v.space == "shared"}
    elements.update({key: elements.get(key.split("::")[-1], 4) for key in compiled.shared})
    return SharedNames(compiled, elements, next(iter(_dynamic(engine, name)), None))


class Buffers:
    """Record and event buffers, shared by all launches of a run."""

    def __init__(self) -> None:
        self.records = np.zeros(RECORD_LIMIT, dtype=RECORD)
        self.events = np.zeros(EVENT_LIMIT, dtype=EVENT)


def set_up(
    state: LaunchState, kernel: WatchedKernel, memory: SimMemory, buffers: Buffers, parameters: bytes, *,
    counting: bool, hazards: bool,
) -> int:  # fmt: skip
    """Fill `env.extra` and the slots for a launch; returns the number of its first block."""
    env = state.env
    if kernel.grid != state.grid:
        kernel.flush()
        kernel.grid = state.grid
    memory.cover()
    memory.stamp += 1
    first = memory.number_blocks(int(env.block_count)) if hazards else 0
    values = {
        native.WRITERS: memory.writers.ctypes.data,
        native.READERS: memory.readers.ctypes.data,
        native.FIRST_BLOCK: first,
        native.ARENA_BYTES: memory.covered - 64,
        native.READ_STAMPS: memory.read_stamps.ctypes.data,
        native.WRITE_STAMPS: memory.write_stamps.ctypes.data,
        native.STAMP: memory.stamp,
        native.SITES: kernel.table.ctypes.data,
        native.RECORDS: buffers.records.ctypes.data,
        native.RECORD_COUNT: 0,
        native.RECORD_LIMIT: RECORD_LIMIT,
        native.EVENTS: buffers.events.ctypes.data,
        native.EVENT_COUNT: 0,
        native.EVENT_LIMIT: EVENT_LIMIT,
        native.PENDING: 0,
        native.FLAGS: native.COUNTING * counting + native.HAZARDS * hazards,
        native.LENIENT: int(kernel.facts.synchronises_blocks),
        native.ADVISE: int(not kernel.facts.synchronises_warps),
        native.SITE_COUNT: kernel.site_count,
    }
    for index, value in values.items():
        env.extra[index] = value
    heads = kernel.heads()
    heads["lo"] = heads["hi"] = 0
    if hazards:
        _choose_allocations(state, kernel, memory, parameters)
        _set_up_shared(state, memory)
    return first


def _choose_allocations(
    state: LaunchState, kernel: WatchedKernel, memory: SimMemory, parameters: bytes
) -> None:
    """Say for every live allocation whether its reads are to be watched, and what for."""
    written = set()
    for offset in kernel.facts.written:
        block = memory.holder(int.from_bytes(parameters[offset : offset + 8], "little"))
        if block is not None:
            written.add(block.address)
    live = [b for b in memory.blocks if b.alive and b.nbytes]
    table = (Allocation * max(len(live), 1)).from_address(int(state.env.allocations))
    for entry, block in zip(table, live, strict=False):
        tracked = (
            kernel.facts.writes_anywhere or block.address in written or block.name in kernel.facts.symbols
        )
        entry.spare = native.TRACKED * tracked
        if not block.tags.get("initialised", True):
            entry.spare |= native.UNWRITTEN


def _set_up_shared(state: LaunchState, memory: SimMemory) -> None:
    """Shadow arrays and poison for the shared memory of the resident blocks."""
    nbytes = int(state.env.shared_bytes)
    if not nbytes:
        return
    slots = (Slot * int(state.env.slot_count)).from_address(int(state.env.slots))
    words = nbytes // 4 + 16
    shadow = np.zeros((len(slots), 2, words), dtype=np.int64)
    state.keep.append(shadow)
    base, step = shadow.ctypes.data, shadow.strides[1]
    for number, slot in enumerate(slots):
        slot.extra[native.SHARED_WRITERS] = base + 2 * number * step
        slot.extra[native.SHARED_READERS] = base + (2 * number + 1) * step
    poison = np.resize(memory.poison, nbytes + 64)
    state.keep.append(poison)
    state.env.extra[native.POISON] = poison.ctypes.data
    state.env.block_hook = _block_hook()


def drain(state: LaunchState, kernel: WatchedKernel, buffers: Buffers) -> None:
    """Cost the records collected so far and empty the buffer."""
    count = int(state.env.extra[native.RECORD_COUNT])
    kernel.tally.take(buffers.records[:count], state.grid)
    state.env.extra[native.RECORD_COUNT] = 0


def events_of(state: LaunchState, buffers: Buffers) -> NDArray[Any]:
    """Event records of a finished launch; writes that changed nothing are left out."""
    count = int(state.env.extra[native.EVENT_COUNT])
    events = buffers.events[:count].copy()
    pending = int(state.env.extra[native.PENDING])
    if not pending:
        return events
    keep = np.ones(count, dtype=np.bool_)
    for k in range(pending - 1, count):
        if events["kind"][k] == native.WRITE_WRITE:
            now = ctypes.c_int32.from_address(int(events["place"][k])).value
            keep[k] = now != ctypes.c_int32(int(events["old"][k]) & 0xFFFFFFFF).value
    return events[keep]


def touched_bytes(memory: SimMemory) -> tuple[int, int, int]:
    """(read, written, read but still in L2 from before) of the last launch, whole sectors."""
    read = memory.read_stamps == memory.stamp
    written = memory.write_stamps == memory.stamp
    resident = int((read & memory.seen).sum())
    memory.seen |= read | written
    return 32 * int(read.sum()), 32 * int(written.sum()), 32 * resident


__all__ = ["ARENA_BASE", "Buffers", "WatchedAccess", "WatchedKernel", "drain", "events_of"]
