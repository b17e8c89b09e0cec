"""Calls: into other PTX functions, directly or through pointers, and out to Python.

A callee runs as a native call with a frame of its own behind the caller's. When it stops half way (at a
barrier, or with its slice used up) so does the caller, which remembers the call in `frame.pending`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir

from trainer.ptx.flow import Block
from trainer.ptx.guards import first_lane, taken_lanes
from trainer.ptx.layout import FUNCTION_BASE, OFFSET, EventKind, Status
from trainer.ptx.lower.values import I8, I32, I64, POINTER
from trainer.ptx.module import CallTarget, Instruction, Register, Symbol

if TYPE_CHECKING:
    from trainer.ptx.function import FunctionBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types
MAX_DEPTH = 200  # nested device calls; a host function may go deeper
MAX_HOST_DEPTH = 4000


def call(function: FunctionBuilder, block: Block, last: Instruction) -> None:
    target = last.operands[0]
    assert isinstance(target, CallTarget)
    context, builder = function.context, function.builder
    taken = taken_lanes(function, last)
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
        after_event(function, block)
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


def after_event(function: FunctionBuilder, block: Block) -> None:
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
    first = first_lane(function, addresses, mask)
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
