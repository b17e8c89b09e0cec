"""Emits memory accesses. Subclass it to observe them: every hook is a method that does nothing here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from llvmlite import ir

from trainer.ptx.access_ir import access_text, routine_name
from trainer.ptx.lower.context import Context, Value
from trainer.ptx.lower.values import I32, I64, integer
from trainer.ptx.module import Instruction
from trainer.ptx.resolve_ir import resolve_text

VOID = ir.VoidType()


class Access:
    """Loads, stores and atomics with bounds, alignment and null checks only.

    Hooks that a subclass may override (all arguments are IR values of the current instruction):

    before_access  may change the lane mask, e.g. switch off lanes that a finer check refuses
    after_load     sees the loaded values
    before_store   sees the values to be stored
    fence, warp_barrier, block_barrier   see synchronisation (block_barrier before the warp stops)
    """

    name = "plain"  # part of the key under which compiled kernels are remembered

    def before_access(
        self,
        ctx: Context,
        instruction: Instruction,
        space: str,
        op: str,
        addresses: Value,
        bytes_per_lane: int,
        mask_bits: Value,
    ) -> Value:
        """`op` is "load", "store", "atomic", "async_copy", "ldmatrix" ...; returns the mask to go on with.

        `space` is "global" | "shared" | "local" | "const" | "generic"; `addresses` are <W x i64> in it.
        """
        return mask_bits

    def after_load(
        self,
        ctx: Context,
        instruction: Instruction,
        space: str,
        addresses: Value,
        values: Sequence[Value],
        mask_bits: Value,
    ) -> None:
        return None

    def before_store(
        self,
        ctx: Context,
        instruction: Instruction,
        space: str,
        addresses: Value,
        values: Sequence[Value],
        mask_bits: Value,
    ) -> None:
        return None

    def fence(self, ctx: Context, instruction: Instruction) -> None:
        return None

    def warp_barrier(self, ctx: Context, instruction: Instruction) -> None:
        return None

    def block_barrier(self, ctx: Context, instruction: Instruction) -> None:
        return None

    # what handlers call

    def load(
        self,
        ctx: Context,
        space: str,
        bits: int,
        count: int,
        addresses: Value,
        *,
        op: str = "load",
        mask_bits: Value | None = None,
    ) -> list[Value]:
        """`count` consecutive elements of `bits` (8 to 64) per lane, as <W x iN>; 0 in lanes that fault."""
        mask = ctx.mask_bits if mask_bits is None else mask_bits
        mask = self.before_access(ctx, ctx.instruction, space, op, addresses, bits // 8 * count, mask)
        values = self.raw_load(ctx, space, bits, count, addresses, mask)
        self.after_load(ctx, ctx.instruction, space, addresses, values, mask)
        return values

    def store(
        self,
        ctx: Context,
        space: str,
        values: Sequence[Value],
        addresses: Value,
        *,
        op: str = "store",
        mask_bits: Value | None = None,
    ) -> None:
        """Store `values` (<W x iN> each) to consecutive elements per lane."""
        mask = ctx.mask_bits if mask_bits is None else mask_bits
        bits = int(values[0].type.element.width)
        mask = self.before_access(ctx, ctx.instruction, space, op, addresses, bits // 8 * len(values), mask)
        self.before_store(ctx, ctx.instruction, space, addresses, values, mask)
        self.raw_store(ctx, space, values, addresses, mask)

    def atomic(
        self,
        ctx: Context,
        space: str,
        nbytes: int,
        addresses: Value,
        operands: Sequence[Value],
        *,
        mask_bits: Value | None = None,
    ) -> tuple[Value, Value]:
        """Checks an atomic; returns host addresses (<W x i64>) and the lanes (i32) that may go ahead."""
        mask = ctx.mask_bits if mask_bits is None else mask_bits
        mask = self.before_access(ctx, ctx.instruction, space, "atomic", addresses, nbytes, mask)
        return self.resolve(ctx, space, nbytes, addresses, mask, writes=True)

    def resolve(
        self,
        ctx: Context,
        space: str,
        nbytes: int,
        addresses: Value,
        mask_bits: Value,
        *,
        writes: bool,
        align: int | None = None,
    ) -> tuple[Value, Value]:
        """Checked host addresses of `nbytes` per lane, and the lanes (i32) whose address is good.

        No hooks are called. `align` defaults to `nbytes`. Host addresses of other lanes are garbage.
        """
        space = "global" if space == "const" else space
        name = f"resolve_{space}_{nbytes}_{align or nbytes}_{int(writes)}"
        ctx.kernel.require_text(name, lambda w: resolve_text(name, space, nbytes, align or nbytes, writes, w))
        data = ctx.scratch(I64, 8)
        arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), mask_bits, addresses, data]
        good = ctx.intrinsic(ctx.kernel.runtime(name), I32, arguments)
        return ctx.builder.load(data, typ=ctx.vector(I64), align=64 if ctx.width >= 8 else 8), good

    def raw_load(
        self, ctx: Context, space: str, bits: int, count: int, addresses: Value, mask_bits: Value
    ) -> list[Value]:
        """A load without hooks."""
        data = self._call(ctx, space, "load", bits, count, addresses, mask_bits, None)
        return [self._part(ctx, data, bits, k, None) for k in range(count)]

    def raw_store(
        self, ctx: Context, space: str, values: Sequence[Value], addresses: Value, mask_bits: Value
    ) -> None:
        """A store without hooks."""
        bits = int(values[0].type.element.width)
        self._call(ctx, space, "store", bits, len(values), addresses, mask_bits, values)

    def _call(
        self,
        ctx: Context,
        space: str,
        op: str,
        bits: int,
        count: int,
        addresses: Value,
        mask: Value,
        values: Sequence[Value] | None,
    ) -> Value:
        space = "global" if space == "const" else space
        spaces = ("global", "shared", "local") if space == "generic" else ()
        for part in (*spaces, space):
            make = partial(access_text, part, op, bits, count)
            ctx.kernel.require_text(routine_name(part, op, bits, count), make)
        data = ctx.scratch(I64, 8)
        for k, value in enumerate(values or ()):
            self._part(ctx, data, bits, k, value)
        arguments = [ctx.env, ctx.warp, ctx.frame, I32(ctx.site()), mask, addresses, data]
        ctx.intrinsic(ctx.kernel.runtime(routine_name(space, op, bits, count)), VOID, arguments)
        return data

    def _part(self, ctx: Context, data: Value, bits: int, k: int, value: Value | None) -> Value:
        """Load (value None) or store element `k` of the exchange buffer."""
        step = bits // 8 * ctx.width
        pointer = ctx.builder.at(data, step * k)
        align = 64 if step >= 64 else bits // 8
        if value is None:
            return ctx.builder.load(pointer, typ=ctx.vector(integer(bits)), align=align)
        ctx.builder.store(value, pointer, align=align)
        return value
