"""What a handler sees: the warp's registers as vectors, and a builder.

Inside a basic block registers are SSA values, loaded from the frame at first use and written back at
the end of the block. Lanes outside `mask` hold garbage: anything that can trap must be sanitised.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from llvmlite import ir

from trainer.errors import Location, UnsupportedError
from trainer.ptx.layout import OFFSET, EventKind
from trainer.ptx.lower import emit
from trainer.ptx.lower.values import (
    FLOAT,
    HALF,
    I1,
    I8,
    I32,
    I64,
    POINTER,
    Splat,
    SplatFloat,
    bits_of,
    element_type,
    integer,
    literal_bits,
    register_type,
    vector_type,
)
from trainer.ptx.module import (
    Address,
    Immediate,
    Instruction,
    Negated,
    Operand,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from trainer.ptx.types import TYPES, U64, ScalarType

if TYPE_CHECKING:
    from trainer.ptx.function import FunctionBuilder
    from trainer.ptx.lower.access import Access
    from trainer.ptx.translate import KernelBuilder

Value: TypeAlias = Any  # an llvmlite value; the library has no types


class Context:
    """Translation state of one PTX function.

    builder   llvmlite IRBuilder, positioned where code goes
    width     lanes in a warp (32; 1 for host functions)
    mask      <W x i1>: lanes that execute the current instruction (guard included)
    mask_bits i32: the same as an integer
    memory    the Access object that emits loads, stores and atomics
    env, warp, frame   pointers to the structures of trainer.ptx.layout
    """

    def __init__(self, function: FunctionBuilder) -> None:
        self.function = function
        self.kernel: KernelBuilder = function.kernel
        self.width = function.kernel.width
        self.memory: Access = function.kernel.access
        self.builder: emit.Builder = function.builder
        self.env, self.warp, self.frame = function.ir.args
        self.instruction: Instruction
        self.block_mask: Value
        self.block_mask_bits: Value
        self.mask: Value
        self.mask_bits: Value
        self.values: dict[str, Value] = {}
        self.dirty: dict[str, Register] = {}
        self.flushed: dict[int, tuple[Value, Value]] = {}  # id -> (value, its flushed form)
        self._guard: Value | None = None

    # blocks and instructions

    def begin_block(self, mask_bits: Value) -> None:
        self.values, self.dirty, self.flushed = {}, {}, {}
        self.block_mask_bits = mask_bits
        self.block_mask = self.lanes(mask_bits)
        self.mask, self.mask_bits = self.block_mask, mask_bits

    def begin(self, instruction: Instruction) -> None:
        """Make `instruction` the current one: applies its guard to `mask`."""
        self.instruction = instruction
        guard = instruction.predicate
        if guard is None:
            self._guard = None
            self.mask, self.mask_bits = self.block_mask, self.block_mask_bits
            return
        held = self.register(guard.register)
        self._guard = self.builder.not_(held) if guard.negated else held
        self.mask = self.builder.and_(self.block_mask, self._guard)
        self.mask_bits = self.bits(self.mask)

    # types and constants

    def vector(self, element: ir.Type) -> ir.VectorType:
        """<W x element>"""
        return vector_type(element, self.width)

    def type_of(self, modifier: str) -> ScalarType:
        """The PTX type a modifier names, e.g. "u32"."""
        try:
            return TYPES[modifier]
        except KeyError:
            self.unsupported()

    def constant(self, element: ir.Type | int, value: int) -> Value:
        """An integer in every lane; `element` is an LLVM integer type or a number of bits."""
        kind = integer(element) if isinstance(element, int) else element
        return Splat(self.width, kind, value)

    def float_constant(self, value: float, element: ir.Type = FLOAT) -> Value:
        """A float in every lane (half, float or double)."""
        if element == FLOAT:
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        if element != HALF and value == value:
            return SplatFloat(self.width, element, value)
        name = {16: "f16", 32: "f32", 64: "f64"}[bits_of(element)]
        raw = int.from_bytes(struct.pack("<d", value), "little")
        bits = literal_bits(raw, "f64", TYPES[name])
        return self.builder.bitcast(self.constant(bits_of(element), bits), self.vector(element))

    def splat(self, scalar: Value) -> Value:
        """A scalar value in every lane."""
        return self.builder.splat(scalar, self.vector(scalar.type))

    def lane_ids(self, element: ir.Type = I32) -> Value:
        """0, 1, 2, ... in the lanes."""
        return ir.Constant(self.vector(element), [element(k) for k in range(self.width)])

    def lanes(self, bits: Value) -> Value:
        """i32 lane mask to <W x i1>."""
        if self.width != 32:
            bits = self.builder.trunc(bits, integer(self.width))
        return self.builder.bitcast(bits, self.vector(I1))

    def bits(self, lanes: Value) -> Value:
        """<W x i1> to an i32 lane mask."""
        whole = self.builder.bitcast(lanes, integer(self.width))
        return whole if self.width == 32 else self.builder.zext(whole, I32)

    def convert(self, value: Value, element: ir.Type, *, signed: bool = False) -> Value:
        """Reinterpret lanes as `element`: bitcast if as wide, else truncate or extend as integers."""
        have = value.type.element
        if have == element:
            return value
        builder, old, new = self.builder, bits_of(have), bits_of(element)
        if old == new:
            return builder.bitcast(value, self.vector(element))
        if not isinstance(have, ir.IntType):
            value = builder.bitcast(value, self.vector(integer(old)))
        target = self.vector(integer(new))
        if new < old:
            value = builder.trunc(value, target)
        else:
            value = builder.sext(value, target) if signed else builder.zext(value, target)
        return value if isinstance(element, ir.IntType) else builder.bitcast(value, self.vector(element))

    # operands

    def register(self, register: Register) -> Value:
        """Current value of a register in its own LLVM type."""
        value = self.values.get(register.name)
        if value is None:
            value = self.values[register.name] = self.function.load_register(self, register)
        return value

    def read(self, operand: Operand, type_: ScalarType | str) -> Value:
        """An operand as <W x T> of a PTX type: half/float/double, else integers (pred: i1, bf16: i16)."""
        kind = TYPES[type_] if isinstance(type_, str) else type_
        element = element_type(kind)
        if isinstance(operand, Register):
            return self.convert(self.register(operand), element, signed=kind.is_signed)
        if isinstance(operand, Immediate):
            bits = literal_bits(operand.value, operand.form, kind)
            constant = self.constant(kind.bits, bits)
            return (
                constant
                if isinstance(element, ir.IntType)
                else self.builder.bitcast(constant, self.vector(element))
            )
        if isinstance(operand, Special):
            return self.convert(self.function.special(self, operand.name), element)
        if isinstance(operand, Symbol):
            return self.convert(self.function.symbol_address(self, operand), element)
        if isinstance(operand, Negated):
            return self.builder.not_(self.register(operand.register))
        if isinstance(operand, Vector):
            return self._join(operand, element)
        self.unsupported()

    def _join(self, operand: Vector, element: ir.Type) -> Value:
        total = bits_of(element)
        part = total // len(operand.elements)
        result: Value | None = None
        for k, item in enumerate(operand.elements):
            piece = self.read(item, TYPES[f"b{part}"])
            wide = self.convert(piece, integer(total))
            if k:
                wide = self.builder.shl(wide, self.constant(total, k * part))
            result = wide if result is None else self.builder.or_(result, wide)
        if result is None:
            self.unsupported()
        return self.convert(result, element)

    def write(self, operand: Operand, value: Value, *, signed: bool = False) -> None:
        """Assign to a register (or split over a vector operand); lanes whose guard is false keep theirs."""
        if isinstance(operand, Sink):
            return
        if isinstance(operand, Vector):
            total = bits_of(value.type.element)
            part = total // len(operand.elements)
            whole = self.convert(value, integer(total))
            for k, item in enumerate(operand.elements):
                piece = self.builder.lshr(whole, self.constant(total, k * part)) if k else whole
                self.write(item, self.builder.trunc(piece, self.vector(integer(part))))
            return
        if not isinstance(operand, Register):
            self.unsupported()
        new = self.convert(value, register_type(operand.type), signed=signed)
        if self._guard is not None:
            new = self.builder.select(self._guard, new, self.register(operand))
        self.values[operand.name] = new
        self.dirty[operand.name] = operand

    def address(self, operand: Operand) -> Value:
        """<W x i64>: the address of `[base + offset]`, in the operand's own state space."""
        if not isinstance(operand, Address):
            self.unsupported()
        start = operand.base
        base = self.register(start) if isinstance(start, Register) else self.read(start, U64)
        if operand.offset:  # added in the width of the base: a 32-bit address may pass through zero
            base = self.builder.add(base, self.constant(base.type.element, operand.offset))
        return self.convert(base, I64)

    # structures and helpers

    def field(self, name: str, index: Value | int | None = None, stride: int = 4) -> Value:
        """Pointer to a field such as "warp.alive", optionally to element `index` of an array field."""
        base = {"env": self.env, "warp": self.warp, "frame": self.frame}[name.split(".")[0]]
        if index is None:
            return self.builder.at(base, OFFSET[name])
        if isinstance(index, int):
            return self.builder.at(base, OFFSET[name] + index * stride)
        scaled = self.builder.mul(index, I64(stride))
        return self.builder.gep(self.builder.at(base, OFFSET[name]), [scaled], source_etype=I8)

    def load_field(
        self, name: str, kind: ir.Type = I32, index: Value | int | None = None, stride: int = 4
    ) -> Value:
        """Load a field of env, warp or frame."""
        return self.builder.load(self.field(name, index, stride), typ=kind)

    def slot_field(self, name: str, kind: ir.Type) -> Value:
        """Load a field of the resident block, e.g. "slot.x"."""
        slot = self.load_field("warp.slot", POINTER)
        return self.builder.load(self.builder.at(slot, OFFSET[name]), typ=kind)

    def scratch(self, element: ir.Type, count: int = 1) -> Value:
        """Stack space for `count` vectors, aligned to 64 bytes (lives as long as the function)."""
        return self.function.scratch(ir.VectorType(element, self.width), count)

    def intrinsic(self, name: str, result: ir.Type, arguments: Sequence[Value]) -> Value:
        """Call an LLVM intrinsic or a runtime routine by its full name."""
        callee = self.kernel.declare(name, result, [a.type for a in arguments])
        return self.builder.call(callee, arguments)

    def unary_intrinsic(self, name: str, value: Value) -> Value:
        """e.g. `unary_intrinsic("llvm.sqrt", x)`; the type suffix is added."""
        return self.intrinsic(f"{name}.{type_suffix(value.type)}", value.type, [value])

    def helper(self, name: str, text: Callable[[int], str] | str) -> str:
        """Make a routine written as IR text available (compiled once per process); returns its name.

        Use runtime-template syntax (trainer.ptx.jit.expand): define it as `@wd_<name>`, vectors as <W x T>.
        """
        return self.kernel.require(name, text)

    def call_helper(
        self, name: str, text: Callable[[int], str] | str, result: ir.Type, arguments: Sequence[Value]
    ) -> Value:
        """Call a text routine, see `helper`."""
        return self.intrinsic(self.helper(name, text), result, arguments)

    def subroutine(
        self, name: str, result: ir.Type, arguments: Sequence[Value], make: Callable[..., Value]
    ) -> Value:
        """Call an internal function of this module, made by `make(*parameters)` when first needed.

        For sequences too long to repeat; `make` may use everything but registers, memory and `mask`.
        """
        made = self.kernel.subroutines.get(name)
        if made is None:
            signature = ir.FunctionType(result, [a.type for a in arguments])
            made = emit.Function(self.kernel.ir, signature, f"sub.{name}")
            made.linkage = "internal"
            saved, self.builder = self.builder, emit.Builder(made.append_basic_block("entry"))
            self.builder.ret(make(*made.args))
            self.builder = saved
            self.kernel.subroutines[name] = made
        return self.builder.call(made, arguments)

    def site(self) -> int:
        """A number for the current instruction by which the engine finds it again (events, site caches)."""
        return self.kernel.site(self.function, self.instruction)

    def event(
        self, kind: EventKind | int, mask_bits: Value | None = None, data: Value | None = None
    ) -> Value:
        """Call the engine's event handler; returns its i64 answer. Slow: for the exceptional only."""
        mask = self.mask_bits if mask_bits is None else mask_bits
        pointer = ir.Constant(POINTER, None) if data is None else data
        arguments = [self.env, self.warp, self.frame, I64(int(kind)), mask, I32(self.site()), pointer]
        return self.intrinsic(self.kernel.runtime("event"), I64, arguments)

    def if_any(self, mask_bits: Value, then: Callable[[], None]) -> None:
        """Emit `then` under a branch taken when the i32 mask is not zero (no SSA results)."""
        hit = self.builder.icmp_unsigned("!=", mask_bits, I32(0))
        with self.builder.if_then(hit, likely=False):
            then()

    def call_python(
        self, hook: Callable[..., None], inputs: Sequence[Value], outputs: Sequence[ir.Type] = ()
    ) -> list[Value]:
        """Call `hook(mask, inputs, outputs)` with NumPy arrays of shape (W,); returns output vectors.

        For operations so rare that a microsecond call into Python does not matter.
        """
        return self.function.python_hook(self, hook, inputs, outputs)

    def unsupported(self, why: str = "") -> NoReturn:
        """Refuse the current instruction, naming it and its line."""
        instruction = self.instruction
        detail = f" ({why})" if why else ""
        where = Location("source", instruction.line) if instruction.line else None
        raise UnsupportedError(
            f"the simulator does not know the PTX instruction `{instruction.opcode}`{detail}",
            where=where,
            hint="use another way to say it, or grade on a GPU",
        )

    def modifiers(self, *known: str) -> set[str]:
        """The current modifiers as a set; refuses any that is neither in `known` nor a type name."""
        present = set(self.instruction.modifiers)
        for modifier in present:
            if modifier not in known and modifier not in TYPES:
                self.unsupported()
        return present


def type_suffix(type_: ir.Type) -> str:
    """Intrinsic suffix of a scalar or vector type: v32f32, i64, ..."""
    if isinstance(type_, ir.VectorType):
        return f"v{type_.count}{type_suffix(type_.element)}"
    if isinstance(type_, ir.IntType):
        return f"i{type_.width}"
    if isinstance(type_, ir.PointerType):
        return "p0"
    return {16: "f16", 32: "f32", 64: "f64"}[bits_of(type_)]
