"""How a basic block ends: branches, exits, barriers, calls and traps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir

from trainer.ptx.flow import Block, targets
from trainer.ptx.layout import FUNCTION_BASE, OFFSET, SIZE, EventKind, Status
from trainer.ptx.lower.context import Context
from trainer.ptx.lower.values import I8, I32, I64, POINTER
from trainer.ptx.module import CallTarget, Immediate, Instruction, Negated, Operand, Register, Symbol

if TYPE_CHECKING:
    from trainer.ptx.translate import FunctionBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types
MAX_DEPTH = 200  # nested device calls; a host function may go deeper
MAX_HOST_DEPTH = 4000


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
        _call(function, block, last)
    else:
        _trap(function, block, last)


def _taken(function: FunctionBuilder, last: Instruction) -> Value | None:
    """i32 lanes for which the guard of `last` holds; None when it has no guard."""
    guard = last.predicate
    if guard is None:
        return None
    context, builder = function.context, function.builder
    bits = context.bits(context.register(guard.register))
    if guard.negated:
        bits = builder.not_(bits)
    return builder.and_(bits, context.block_mask_bits)


def _branch(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    label = targets(function.flow.body, last)[0]
    target = function.flow.label_block[label]
    taken = _taken(function, last)
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
        function.call_runtime(
            "fork", context.warp, context.frame, counter, taken, codes[0], rest, codes[1]
        )
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
    taken = _taken(function, last)
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
    taken = _taken(function, last)
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


def _first_lane(function: FunctionBuilder, vector: Value, mask: Value) -> Value:
    """The value of the lowest active lane, as a scalar (lane 0 when none is active)."""
    builder, context = function.builder, function.context
    lane = context.intrinsic("llvm.cttz.i32", I32, [mask, ir.Constant(ir.IntType(1), 0)])
    return builder.extract_element(vector, builder.and_(lane, I32(context.width - 1)))


def _scalar(function: FunctionBuilder, operand: Operand, mask: Value) -> Value:
    if isinstance(operand, Immediate):
        return I32(operand.value)
    return _first_lane(function, function.context.read(operand, "u32"), mask)


def _barrier(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    """bar.sync/arrive/red a{, b}{, p}: lanes wait (or not, for arrive) and continue behind it."""
    builder, context = function.builder, function.context
    context.modifiers("sync", "arrive", "red", "aligned", "cta", "popc", "and", "or")
    taken = _taken(function, last)
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


# calls


def _call(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    target = last.operands[0]
    assert isinstance(target, CallTarget)
    context, builder = function.context, function.builder
    taken = _taken(function, last)
    if taken is not None:
        _guarded_call(function, block, taken)
    callee = target.callee
    if isinstance(callee, Register):
        _indirect_call(function, block, target, callee)
        return
    function.store_registers(block)
    known = function.kernel.module.functions.get(callee)
    if known is None or known.parse_body is None:
        names = [*target.returns, *(a.name for a in target.arguments if isinstance(a, Symbol))]
        if any(name not in function.layout.depot for name in names):
            context.unsupported("call with arguments that are not .param variables")
        function.kernel.externals[callee] = None
        context.event(EventKind.CALL, builder.load(context.field("frame.mask"), typ=I32))
        _after_event(function, block)
        return
    inner = function.kernel.function(callee)
    callee_frame = _enter(function, target, builder.load(context.field("frame.mask"), typ=I32))
    _check_room(function, callee_frame, I64(inner.layout.frame_bytes), I64(inner.layout.depot_bytes))
    _callsite(function, block, lambda frame: builder.call(inner.ir, [context.env, context.warp, frame]))


def _guarded_call(function: FunctionBuilder, block: Block, taken: Value) -> None:
    """Lanes whose guard fails wait behind the call."""
    builder, context = function.builder, function.context
    function.park(builder.and_(context.block_mask_bits, builder.not_(taken)), block.following)
    builder.store(taken, context.field("frame.mask"))
    some = function.ir.append_basic_block(f"some{block.number}")
    none = function.ir.append_basic_block(f"none{block.number}")
    builder.cbranch(builder.icmp_unsigned("!=", taken, I32(0)), some, none)
    builder.position_at_end(none)
    function.store_registers(block)
    function.go_dispatch()
    builder.position_at_end(some)


def _after_event(function: FunctionBuilder, block: Block) -> None:
    """Go on behind a trapped call or trap, unless Python said stop."""
    builder, context = function.builder, function.context
    stop = context.load_field("env.stop")
    halt = function.ir.append_basic_block(f"halt{block.number}")
    go = function.ir.append_basic_block(f"on{block.number}")
    builder.cbranch(builder.icmp_unsigned("!=", stop, I32(0)), halt, go)
    builder.position_at_end(halt)
    builder.ret(I32(Status.STOPPED))
    builder.position_at_end(go)
    function.jump(block.following)


def _enter(function: FunctionBuilder, target: CallTarget, mask: Value) -> Value:
    """Prepare the callee's frame, which starts where this one ends; returns its address."""
    builder, context = function.builder, function.context
    frame = builder.gep(context.frame, [I64(function.layout.frame_bytes)], source_etype=I8)

    def put(name: str, value: Value, index: int = 0) -> None:
        place = builder.gep(frame, [I64(OFFSET[f"frame.{name}"] + 4 * index)], source_etype=I8)
        builder.store(value, place)

    pcs = builder.gep(frame, [I64(OFFSET["frame.pc"])], source_etype=I8)
    builder.store(ir.Constant(context.vector(I32), None), pcs, align=64 if context.width > 15 else 4)
    put("live", mask)
    put("pending", I32(0))
    base = context.load_field("frame.local_base")
    put("local_base", builder.add(base, I32(function.layout.depot_bytes)))
    names = [*target.returns, *(a.name for a in target.arguments if isinstance(a, Symbol))]
    if len(names) != len(target.returns) + len(target.arguments) or len(names) > 54:
        context.unsupported("call with arguments that are not .param variables")
    for k, name in enumerate(names):
        if name in function.layout.depot:
            put("arguments", builder.add(base, I32(function.layout.depot[name])), k)
        else:
            put("arguments", context.load_field("frame.arguments", I32, function.arguments[name]), k)
    return frame


def _check_room(function: FunctionBuilder, frame: Value, frame_bytes: Value, depot_bytes: Value) -> None:
    """Fault when the warp's stack, local memory or call depth is used up."""
    builder, context = function.builder, function.context
    base = builder.ptrtoint(frame, I64)
    top = builder.ptrtoint(context.load_field("warp.stack_end", POINTER), I64)
    deep = builder.icmp_unsigned(">", builder.add(base, frame_bytes), top)
    local = builder.zext(context.load_field("frame.local_base"), I64)
    bottom = builder.add(builder.add(local, I64(function.layout.depot_bytes)), depot_bytes)
    wide = builder.icmp_unsigned(">", bottom, context.load_field("env.local_stride", I64))
    limit = MAX_HOST_DEPTH if context.width == 1 else MAX_DEPTH
    far = builder.icmp_unsigned(">=", context.load_field("warp.depth"), I32(limit))
    with builder.if_then(builder.or_(far, builder.or_(deep, wide)), likely=False):
        context.event(EventKind.STACK_OVERFLOW, context.load_field("frame.mask"))
        builder.ret(I32(Status.STOPPED))


def _callsite(function: FunctionBuilder, block: Block, invoke: object) -> None:
    """Run the callee; if it stops half way, so do we, and the next entry comes back here."""
    builder, context = function.builder, function.context
    depth_at = context.field("warp.depth")
    builder.store(builder.add(builder.load(depth_at, typ=I32), I32(1)), depth_at)
    builder.store(I32(block.number + 1), context.field("frame.pending"))
    site = function.ir.append_basic_block(f"call{block.number}")
    function.callsites[block.number] = site
    builder.branch(site)
    builder.position_at_end(site)
    frame = builder.gep(context.frame, [I64(function.layout.frame_bytes)], source_etype=I8)
    assert callable(invoke)
    status = invoke(frame)
    back = function.ir.append_basic_block(f"back{block.number}")
    stopped = function.ir.append_basic_block(f"stopped{block.number}")
    builder.cbranch(builder.icmp_unsigned("==", status, I32(Status.DONE)), back, stopped)
    builder.position_at_end(stopped)
    builder.ret(status)
    builder.position_at_end(back)
    builder.store(I32(0), context.field("frame.pending"))
    depth_at = context.field("warp.depth")
    builder.store(builder.sub(builder.load(depth_at, typ=I32), I32(1)), depth_at)
    alive = context.load_field("warp.alive")
    for name in ("frame.live", "frame.mask"):
        place = context.field(name)
        builder.store(builder.and_(builder.load(place, typ=I32), alive), place)
    left = context.load_field("frame.mask")
    on = function.ir.append_basic_block(f"returned{block.number}")
    builder.cbranch(builder.icmp_unsigned("!=", left, I32(0)), on, function.dispatch)
    builder.position_at_end(on)
    function.jump(block.following)


def _indirect_call(function: FunctionBuilder, block: Block, target: CallTarget, callee: Register) -> None:
    """Lanes that call the same function go together; the others come back to this block."""
    builder, context = function.builder, function.context
    function.kernel.indirect_targets()
    mask = builder.load(context.field("frame.mask"), typ=I32)
    addresses = context.read(callee, "u64")
    first = _first_lane(function, addresses, mask)
    same = context.bits(builder.icmp_unsigned("==", addresses, context.splat(first)))
    group = builder.and_(mask, same)
    function.store_registers(block)
    function.park(builder.and_(mask, builder.not_(same)), block.number)
    builder.store(group, context.field("frame.mask"))
    offset = builder.sub(first, I64(FUNCTION_BASE))
    number = builder.lshr(offset, I64(4))
    known = builder.icmp_unsigned("<", number, context.load_field("env.function_count", I64))
    with builder.if_then(builder.not_(known), likely=False):
        context.event(EventKind.BAD_CALL, group)
        builder.ret(I32(Status.STOPPED))
    table = context.load_field("env.functions", POINTER)
    native_at = builder.gep(table, [builder.mul(number, I64(8))], source_etype=I8)
    native = builder.load(native_at, typ=POINTER)
    with builder.if_then(builder.icmp_unsigned("==", native, ir.Constant(POINTER, None)), likely=False):
        context.event(EventKind.BAD_CALL, group)
        builder.ret(I32(Status.STOPPED))
    frames = context.load_field("env.function_frames", POINTER)
    sizes = builder.gep(frames, [builder.mul(number, I64(16))], source_etype=I8)
    frame_bytes = builder.load(sizes, typ=I64)
    depot_bytes = builder.load(builder.gep(sizes, [I64(8)], source_etype=I8), typ=I64)
    frame = _enter(function, target, group)
    _check_room(function, frame, frame_bytes, depot_bytes)
    builder.store(builder.ptrtoint(native, I64), _native_slot(function, frame))
    _callsite(function, block, lambda frame: _invoke_native(function, frame))


def _native_slot(function: FunctionBuilder, frame: Value) -> Value:
    """Where the callee's native address waits while the call is in flight."""
    place = OFFSET["frame.arguments"] + 4 * 54
    return function.builder.gep(frame, [I64(place)], source_etype=I8)


def _invoke_native(function: FunctionBuilder, frame: Value) -> Value:
    builder, context = function.builder, function.context
    native = builder.inttoptr(builder.load(_native_slot(function, frame), typ=I64), POINTER)
    return builder.call(
        _FunctionPointer(native, function.kernel.signature), [context.env, context.warp, frame]
    )


class _FunctionPointer:
    """A native address with the signature that `IRBuilder.call` wants to know."""

    def __init__(self, value: Value, signature: ir.FunctionType) -> None:
        self.value, self.function_type = value, signature
        self.type = value.type
        self.attributes: tuple[str, ...] = ()

    def get_reference(self) -> str:
        return str(self.value.get_reference())


# traps


def _trap(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    context, builder = function.context, function.builder
    taken = _taken(function, last)
    mask = context.block_mask_bits if taken is None else taken
    function.store_registers(block)
    context.if_any(mask, lambda: _tell(context, EventKind.TRAP, mask))
    _after_event(function, block)
    del builder


__all__ = ["Negated", "collect_reduction", "split", "terminate"]
