"""PTX functions to LLVM IR: one native function per PTX function, run by a warp under lane masks.

The native function is a dispatcher over basic blocks. `frame.mask` holds the lanes that run, `frame.pc`
where each of the others continues. While the next block is smaller than any that other lanes wait at,
control jumps straight on; otherwise lanes park and the dispatcher picks the smallest block, which is what
makes diverged lanes meet again. Every block is a place where a warp can stop and be resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir

from trainer.errors import Location, SubmissionError, UnsupportedError
from trainer.ptx import control
from trainer.ptx.flow import Block, Flow, analyse, ends_block, polls
from trainer.ptx.frame import FrameLayout, lay_out
from trainer.ptx.layout import EventKind, Status
from trainer.ptx.lower import emit
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.registry import handler_for
from trainer.ptx.lower.special import special_register
from trainer.ptx.lower.values import I1, I8, I32, I64, POINTER, register_type
from trainer.ptx.module import (
    Function,
    Instruction,
    Register,
    Symbol,
)
from trainer.ptx.records import BlockInfo, HookInfo, PythonHook
from trainer.ptx.types import Kind

if TYPE_CHECKING:
    from trainer.ptx.translate import KernelBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types
POLL = 2500  # warp instructions that one look of a polling loop is counted as


class FunctionBuilder:
    """Translates one PTX function."""

    def __init__(self, kernel: KernelBuilder, function: Function) -> None:
        body = function.body
        if body is None:
            raise UnsupportedError(f"`{function.name}` is declared but not defined")
        self.kernel = kernel
        self.function = function
        self.flow: Flow = analyse(body)
        self.layout: FrameLayout = lay_out(function, self.flow, kernel.width)
        self.ir = emit.Function(kernel.ir, kernel.signature, kernel.native_name(function.name))
        self.builder = emit.Builder()
        self.first_block = len(kernel.blocks)
        for block in self.flow.blocks:
            instructions = self.flow.instructions(block)
            kernel.blocks.append(BlockInfo(function.name, block, instructions))
            kernel.instruction_count += len(instructions)
        self.arguments = {p.name: k for k, p in enumerate((*function.returns, *function.parameters))}
        self.labels: list[emit.Block] = []
        self.loops = loop_weights(self.flow)
        self.callsites: dict[int, emit.Block] = {}
        self.dispatch: emit.Block
        self.current = 0  # the block being translated
        self.context: Context

    def build(self) -> None:
        entry = self.ir.append_basic_block("entry")
        self.dispatch = self.ir.append_basic_block("dispatch")
        self.labels = [self.ir.append_basic_block(f"b{b.number}") for b in self.flow.blocks]
        self.entry = entry
        self.builder.position_at_end(entry)
        self.context = Context(self)
        self._scratch_at = entry
        self._scratches: list[tuple[ir.Type, int, Value]] = []
        self._shared_exits()
        for block in self.flow.blocks:
            self._block(block)
        self._drop_unused_exits()
        self._finish_entry()
        self._finish_dispatch()

    # the skeleton

    def _finish_entry(self) -> None:
        """Go on with a call that was in flight, or pick lanes."""
        builder = self.builder
        builder.position_at_end(self.entry)
        slice_at = self.context.field("env.slice")
        spent = sum(b.end - b.start for b in self.flow.blocks) // 8 + 8
        builder.store(builder.sub(builder.load(slice_at, typ=I64), I64(spent)), slice_at)
        if self.callsites:
            pending = self.context.load_field("frame.pending")
            switch = builder.switch(pending, self.dispatch)
            for number, block in self.callsites.items():
                switch.add_case(I32(number + 1), block)
        else:
            builder.branch(self.dispatch)

    def _finish_dispatch(self) -> None:
        builder, context = self.builder, self.context
        builder.position_at_end(self.dispatch)
        pc = context.intrinsic(self.kernel.runtime("pick"), I32, [context.warp, context.frame])
        idle = self.ir.append_basic_block("idle")
        switch = builder.switch(pc, idle)
        for number, label in enumerate(self.labels):
            switch.add_case(I32(number), label)
        builder.position_at_end(idle)
        live = context.load_field("frame.live")
        done = builder.icmp_unsigned("==", live, I32(0))
        builder.ret(builder.select(done, I32(Status.DONE), I32(Status.BLOCKED)))

    def _block(self, block: Block) -> None:
        builder, context = self.builder, self.context
        builder.position_at_end(self.labels[block.number])
        self.current = block.number
        instructions = self.flow.instructions(block)
        mask = context.load_field("frame.mask")
        self._count(block, mask)
        context.begin_block(mask)
        last = instructions[-1] if instructions and ends_block(instructions[-1]) else None
        for instruction in instructions[: -1 if last is not None else None]:
            context.begin(instruction)
            self._lower(instruction)
        if last is None:
            self.store_registers(block)
            self.jump(block.following)
        else:
            context.instruction = last
            self._guarded(lambda: control.terminate(self, block, last))

    def _lower(self, instruction: Instruction) -> None:
        handler = handler_for(instruction)
        if handler is None:
            self.context.unsupported()
        self._guarded(lambda: handler(self.context, instruction))

    def _guarded(self, translate: Callable[[], None]) -> None:
        """Operands that an instruction cannot have make handlers stumble: that is the file's fault, named."""
        try:
            translate()
        except SubmissionError:
            raise
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError) as error:
            self.context.unsupported(f"its operands: {self.context.instruction.text!r}: {error}")

    def _count(self, block: Block, mask: Value) -> None:
        """Count the execution; at the head of a loop, leave if the slice is used up."""
        builder, context = self.builder, self.context
        weight = self.loops.get(block.number)
        if weight is not None:
            slice_at = context.field("env.slice")
            left = builder.load(slice_at, typ=I64)
            spent = builder.icmp_signed("<", left, I64(0))
            go = self.ir.append_basic_block(f"go{block.number}")
            self.pause_number.add_incoming(I32(block.number), builder.block)
            builder.cbranch(spent, self.pause, go)
            builder.position_at_end(go)
            builder.store(builder.sub(left, I64(weight)), slice_at)
        counter = self.counter(block)
        executions = builder.load(counter, typ=I64)
        builder.store(builder.add(executions, I64(1)), counter)
        lanes_at = builder.at(counter, 8)
        lanes = builder.zext(context.unary_intrinsic("llvm.ctpop", mask), I64)
        builder.store(builder.add(builder.load(lanes_at, typ=I64), lanes), lanes_at)

    def counter(self, block: Block, column: int = 0) -> Value:
        """Pointer to a column of the block's counters: 0 executions, 1 lanes, 2 divergent branches."""
        table = self.context.load_field("env.counters", POINTER)
        offset = 32 * (self.first_block + block.number) + 8 * column
        return self.builder.at(table, offset)

    # registers

    def load_register(self, context: Context, register: Register) -> Value:
        offset = self.layout.registers.get(register.name)
        element = register_type(register.type)
        if offset is None:  # never written before being read on any path: any value will do
            return ir.Constant(context.vector(element), ir.Undefined)
        pointer = self.builder.at(context.frame, offset)
        if register.type.kind is Kind.PREDICATE:
            return context.lanes(self.builder.load(pointer, typ=I32))
        return self.builder.load(
            pointer, typ=context.vector(element), align=_alignment(register, context.width)
        )

    def store_registers(self, block: Block) -> None:
        """Write what later blocks read back to the frame, for the lanes of the block's mask."""
        builder, context = self.builder, self.context
        alive = {r.name for r in block.live_out}
        for name, register in context.dirty.items():
            if name not in alive:
                continue
            value = context.values[name]
            pointer = builder.at(context.frame, self.layout.registers[name])
            if register.type.kind is Kind.PREDICATE:
                old = builder.load(pointer, typ=I32)
                kept = builder.and_(old, builder.not_(context.block_mask_bits))
                new = builder.and_(context.bits(value), context.block_mask_bits)
                builder.store(builder.or_(kept, new), pointer)
                continue
            align = _alignment(register, context.width)
            old = builder.load(pointer, typ=value.type, align=align)
            builder.store(builder.select(context.block_mask, value, old), pointer, align=align)

    def scratch(self, vector: ir.Type, count: int) -> Value:
        """An alloca in the entry block, shared by equal requests within the function."""
        for have, room, pointer in self._scratches:
            if have == vector and room >= count:
                return pointer
        with self.builder.goto_block(self.entry):
            pointer = self.builder.alloca(vector, I32(count))
            pointer.type = POINTER  # llvmlite would give it a typed pointer
            pointer.align = 64
        self._scratches.append((vector, count, pointer))
        return pointer

    # names

    def special(self, context: Context, name: str) -> Value:
        return special_register(context, name)

    def symbol_address(self, context: Context, symbol: Symbol) -> Value:
        """Address of a variable or function in its own state space, in every lane (i64)."""
        return context.splat(self.symbol_scalar(context, symbol))

    def symbol_scalar(self, context: Context, symbol: Symbol) -> Value:
        name, builder = symbol.name, self.builder
        base: Value
        if name in self.layout.depot:
            local = context.load_field("frame.local_base")
            base = builder.add(builder.zext(local, I64), I64(self.layout.depot[name]))
        elif name in self.arguments:
            if self.function.is_entry:
                start = context.load_field("env.parameters_address", I64)
                base = builder.add(start, I64(self.function.parameter_offset(name)))
            else:
                base = builder.zext(context.load_field("frame.arguments", I32, self.arguments[name]), I64)
        elif name in self.kernel.function_numbers:
            from trainer.ptx.layout import FUNCTION_BASE

            base = I64(FUNCTION_BASE + 16 * self.kernel.function_numbers[name])
        else:
            base = self._variable_address(context, name)
        return builder.add(base, I64(symbol.offset)) if symbol.offset else base

    def _variable_address(self, context: Context, name: str) -> Value:
        variable = self.flow.body.variables.get(name) or self.kernel.module.variables.get(name)
        if variable is None:
            raise UnsupportedError(f"PTX names `{name}`, which is defined nowhere", where=self._where())
        if variable.space == "shared":
            if variable.external or variable.nbytes == 0:
                return self.builder.zext(context.load_field("env.static_shared"), I64)
            return I64(self.shared_offset(variable.name))
        table = context.load_field("env.symbols", POINTER)
        place = self.builder.gep(table, [I64(8 * self.kernel.symbols[name])], source_etype=I8)
        return self.builder.load(place, typ=I64)

    def shared_offset(self, name: str) -> int:
        """Offset of a static shared variable in the block's shared memory; placed when first met."""
        kernel, own = self.kernel, self.flow.body.variables.get(name)
        key = f"{self.function.name}::{name}" if own else name
        if key not in kernel.shared:
            variable = own or kernel.module.variables[name]
            kernel.shared[key] = -(-kernel.shared_end // variable.align) * variable.align
            kernel.shared_end = kernel.shared[key] + variable.nbytes
        return kernel.shared[key]

    def _where(self) -> Location | None:
        line = self.context.instruction.line
        return Location("source", line) if line else None

    # leaving a block

    def park(self, mask: Value, target: int, *, eager: bool = True) -> None:
        """Lanes of `mask` continue at `target` when picked; `eager`: if that only returns, now."""
        past_the_end = target >= len(self.flow.blocks)
        code = self.code(target) if eager or past_the_end else I32(target)
        self.call_runtime("go", self.context.warp, self.context.frame, mask, code)

    def call_runtime(self, name: str, *arguments: Value) -> None:
        """Call a routine of runtime.ll that returns nothing."""
        self.context.intrinsic(self.kernel.runtime(name), ir.VoidType(), arguments)

    def is_exit(self, target: int) -> bool:
        """Whether a block does nothing but return."""
        return target >= len(self.flow.blocks) or self.flow.blocks[target].exits

    def code(self, target: int) -> Value:
        """What wd_go is told: the block, or how to leave."""
        return self.exit_code() if self.is_exit(target) else I32(target)

    def exit_code(self, *, thread: bool = False) -> Value:
        """Returning from the kernel ends the thread; so does `exit`. A host function may call itself."""
        how = 1 if self.function.is_entry or thread else 3 if self.function.name == self.kernel.entry else 2
        return I32(-(4 * self.current + how))

    def exit_lanes(self, mask: Value, *, thread: bool = False) -> None:
        """Lanes return from this function (`thread`: they end)."""
        self.call_runtime("go", self.context.warp, self.context.frame, mask, self.exit_code(thread=thread))

    def go_dispatch(self) -> None:
        self.builder.branch(self.dispatch)

    def jump(self, target: int) -> None:
        """All lanes of frame.mask go to `target`: at once, unless others have to catch up."""
        builder, context = self.builder, self.context
        if self.is_exit(target):
            self.redirect_target.add_incoming(self.exit_code(), builder.block)
            builder.branch(self.redirect)
            return
        other = context.load_field("frame.other")
        ahead = builder.icmp_unsigned("<", I32(target), other)
        self.redirect_target.add_incoming(I32(target), builder.block)
        builder.cbranch(ahead, self.labels[target], self.redirect)

    def _shared_exits(self) -> None:
        """Code that all blocks share: parking before a dispatch, and leaving when the slice is used up."""
        builder, context = self.builder, self.context
        self.redirect = self.ir.append_basic_block("redirect")
        self.pause = self.ir.append_basic_block("pause")
        for block in (self.redirect, self.pause):
            builder.position_at_end(block)
            number = builder.phi(I32)
            mask = context.load_field("frame.mask")
            self.call_runtime("go", context.warp, context.frame, mask, number)
            if block is self.redirect:
                self.redirect_target = number
                self.go_dispatch()
            else:
                self.pause_number = number
                builder.ret(I32(Status.SLICE))

    def _drop_unused_exits(self) -> None:
        """A phi without predecessors is no valid IR."""
        for block, number in ((self.redirect, self.redirect_target), (self.pause, self.pause_number)):
            if not number.incoming:
                self.ir.blocks.remove(block)

    # Python

    def python_hook(
        self, context: Context, hook: PythonHook, inputs: Sequence[Value], outputs: Sequence[ir.Type]
    ) -> list[Value]:
        """See `Context.call_python`."""
        builder, width = self.builder, context.width
        number = len(self.kernel.hooks)
        self.kernel.hooks.append(
            HookInfo(hook, tuple(_dtype(v.type.element) for v in inputs), tuple(_dtype(t) for t in outputs))
        )
        total = 8 * width * (len(inputs) + len(outputs)) + 64
        with builder.goto_block(self.entry):
            buffer = builder.alloca(I8, I32(total))
            buffer.type = POINTER
            buffer.align = 64
        builder.store(I64(number), buffer)
        for k, value in enumerate(inputs):
            spot = builder.gep(buffer, [I64(64 + 8 * width * k)], source_etype=I8)
            stored = context.convert(value, I8) if value.type.element == I1 else value
            builder.store(stored, spot, align=8)
        context.event(EventKind.HOOK, data=buffer)
        results = []
        for k, element in enumerate(outputs):
            spot = builder.gep(buffer, [I64(64 + 8 * width * (len(inputs) + k))], source_etype=I8)
            results.append(builder.load(spot, typ=context.vector(element), align=8))
        return results


def loop_weights(flow: Flow) -> dict[int, int]:
    """Heads of loops, and how many instructions lie between the head and the last block that leads back.

    A turn of a loop that only polls counts as POLL, so that the slice is soon up and others can go on.
    """
    last: dict[int, int] = {}
    for block in flow.blocks:
        for successor in block.successors:
            if successor <= block.number:
                last[successor] = max(last.get(successor, 0), block.number)
    weights = {}
    for head, end in last.items():
        loop = [i for block in flow.blocks[head : end + 1] for i in flow.instructions(block)]
        weights[head] = POLL if polls(loop) else max(1, len(loop))
    return weights


def _alignment(register: Register, width: int) -> int:
    nbytes = max(register.type.bits // 8, 1) * width
    return 64 if nbytes >= 64 else nbytes


def _dtype(element: ir.Type) -> str:
    if isinstance(element, ir.IntType):
        return "u1" if element.width < 8 else f"u{element.width // 8}"
    from trainer.ptx.lower.values import bits_of

    return f"f{bits_of(element) // 8}"
