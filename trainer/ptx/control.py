"""How a basic block ends: branches, exits, barriers, calls and traps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from trainer.ptx.calls import after_event, call
from trainer.ptx.flow import Block, targets
from trainer.ptx.guards import first_lane, taken_lanes
from trainer.ptx.layout import OFFSET, SIZE, EventKind
from trainer.ptx.lower import meetings
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.values import I8, I32, I64, POINTER
from trainer.ptx.module import Immediate, Instruction, Operand

if TYPE_CHECKING:
    from trainer.ptx.function import FunctionBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types


def terminate(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    """Emit the end of `block`, whose last instruction is `last`."""
    if last.op == "bra":
        _branch(function, block, last)
    elif last.op == "brx":
        _indexed_branch(function, block, last)
    elif last.op in ("ret", "exit"):
        _leave(function, block, last)
    elif last.op in ("bar", "barrier"):
        _barrier(function, block, last)
    elif last.op == "call":
        call(function, block, last)
    else:
        _trap(function, block, last)


def _branch(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    label = targets(function.flow.body, last)[0]
    target = function.flow.label_block[label]
    taken = taken_lanes(function, last)
    function.store_registers(block)
    if taken is None:
        function.jump(target)
    else:
        split(function, block, taken, target, block.following)


def split(function: FunctionBuilder, block: Block, taken: Value, target: int, following: int) -> None:
    """Lanes in `taken` go to `target`, the others of the block to `following`."""
    builder, context = function.builder, function.context
    mask = context.block_mask_bits
    go = function.ir.append_basic_block(f"take{block.number}")
    part = function.ir.append_basic_block(f"part{block.number}")
    stay = function.ir.append_basic_block(f"stay{block.number}")
    forked = function.ir.append_basic_block(f"fork{block.number}")
    builder.cbranch(builder.icmp_unsigned("==", taken, mask), go, part)
    builder.position_at_end(part)
    builder.cbranch(builder.icmp_unsigned("==", taken, I32(0)), stay, forked)
    builder.position_at_end(go)
    function.jump(target)
    builder.position_at_end(stay)
    function.jump(following)
    builder.position_at_end(forked)
    counter = function.counter(block, 2)
    rest = builder.and_(mask, builder.not_(taken))
    if function.is_exit(target) == function.is_exit(following):
        codes = (function.code(target), function.code(following))
        function.call_runtime("fork", context.warp, context.frame, counter, taken, codes[0], rest, codes[1])
        function.go_dispatch()
        return
    if function.is_exit(following):
        taken, rest, target, following = rest, taken, following, target
    function.call_runtime("shed", context.warp, context.frame, counter, taken, function.code(target), rest)
    function.jump(following)


def _indexed_branch(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    builder, context = function.builder, function.context
    index = context.read(last.operands[0], "u32")
    labels = targets(function.flow.body, last)
    taken = taken_lanes(function, last)
    mask = context.block_mask_bits if taken is None else taken
    function.store_registers(block)
    if taken is not None:
        function.park(builder.and_(context.block_mask_bits, builder.not_(taken)), block.following)
    beyond = context.bits(builder.icmp_unsigned(">=", index, context.constant(32, len(labels))))
    lost = builder.and_(beyond, mask)
    context.if_any(lost, lambda: _tell(context, EventKind.TRAP, lost))
    function.exit_lanes(lost)
    for k, label in enumerate(labels):
        here = context.bits(builder.icmp_unsigned("==", index, context.constant(32, k)))
        function.park(builder.and_(here, mask), function.flow.label_block[label])
    function.go_dispatch()


def _leave(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    builder, context = function.builder, function.context
    taken = taken_lanes(function, last)
    function.store_registers(block)
    thread = last.op == "exit"
    if taken is None:
        function.exit_lanes(context.block_mask_bits, thread=thread)
        function.go_dispatch()
        return
    function.exit_lanes(taken, thread=thread)
    rest = builder.and_(context.block_mask_bits, builder.not_(taken))
    builder.store(rest, context.field("frame.mask"))
    some = function.ir.append_basic_block(f"rest{block.number}")
    builder.cbranch(builder.icmp_unsigned("!=", rest, I32(0)), some, function.dispatch)
    builder.position_at_end(some)
    function.jump(block.following)


# barriers


def _scalar(function: FunctionBuilder, operand: Operand, mask: Value) -> Value:
    if isinstance(operand, Immediate):
        return I32(operand.value)
    return first_lane(function, function.context.read(operand, "u32"), mask)


def _barrier(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    """bar.sync/arrive/red a{, b}{, p}: lanes wait (or not, for arrive) and continue behind it."""
    builder, context = function.builder, function.context
    context.modifiers("sync", "arrive", "red", "aligned", "cta", "popc", "and", "or")
    taken = taken_lanes(function, last)
    mask = context.block_mask_bits if taken is None else taken
    operands = list(last.operands)
    true = I32(0)
    if "red" in last.modifiers:
        condition = operands.pop()
        true = context.bits(
            context.read(condition, "pred")
            if not isinstance(condition, Immediate)
            else context.constant(1, condition.value)
        )
    number = _scalar(function, operands[0], mask)
    count = _scalar(function, operands[1], mask) if len(operands) > 1 else I32(0)
    context.mask_bits, context.mask = mask, context.lanes(mask)
    context.memory.block_barrier(context, last)
    function.store_registers(block)
    waits = I32(0 if "arrive" in last.modifiers else 1)
    some = function.ir.append_basic_block(f"arrive{block.number}")
    after = function.ir.append_basic_block(f"arrived{block.number}")
    builder.cbranch(builder.icmp_unsigned("!=", mask, I32(0)), some, after)
    builder.position_at_end(some)
    site = context.site()
    arguments = [context.warp, mask, builder.and_(number, I32(15)), count, I32(site), true, waits]
    bad = context.intrinsic(function.kernel.runtime("arrive"), I32, arguments)
    context.if_any(bad, lambda: _tell(context, EventKind.BARRIER_DIVERGENCE, mask))
    if len(operands) == 1 and "arrive" not in last.modifiers:
        meetings.at_barrier(context, mask)
    builder.branch(after)
    builder.position_at_end(after)
    function.park(context.block_mask_bits, block.following, eager=False)
    function.go_dispatch()


def _tell(context: Context, kind: EventKind, mask: Value) -> None:
    context.event(kind, mask)


def collect_reduction(ctx: Context, instruction: Instruction) -> None:
    """The result of `bar.red.popc/and/or d, a, ...`: the barrier keeps it until its next release."""
    builder = ctx.builder
    target, which = instruction.operands
    number = _scalar(ctx.function, which, ctx.mask_bits)
    slot = ctx.load_field("warp.slot", POINTER)
    offset = builder.mul(builder.zext(number, I64), I64(SIZE["barrier"]))
    barrier = builder.gep(slot, [builder.add(offset, I64(OFFSET["slot.barriers"]))], source_etype=I8)

    def field(name: str) -> Value:
        return builder.load(builder.gep(barrier, [I64(OFFSET[f"barrier.{name}"])], source_etype=I8), typ=I32)

    hits = field("popc_result")
    if "popc" in instruction.modifiers:
        ctx.write(target, ctx.splat(hits))
    elif "and" in instruction.modifiers:
        ctx.write(target, ctx.splat(builder.icmp_unsigned("==", hits, field("total_result"))))
    else:
        ctx.write(target, ctx.splat(builder.icmp_unsigned("!=", hits, I32(0))))


# traps


def _trap(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    context, builder = function.context, function.builder
    taken = taken_lanes(function, last)
    mask = context.block_mask_bits if taken is None else taken
    function.store_registers(block)
    context.if_any(mask, lambda: _tell(context, EventKind.TRAP, mask))
    after_event(function, block)
    del builder
