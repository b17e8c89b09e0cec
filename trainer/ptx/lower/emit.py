"""A writer of LLVM IR text with the interface of llvmlite's IRBuilder, several times faster.

Types and constants are llvmlite's own; instructions are text from the start, because thousands of them
are written for a kernel and none is ever looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "udiv": "udiv", "sdiv": "sdiv", "urem": "urem", "srem": "srem",
    "shl": "shl", "lshr": "lshr", "ashr": "ashr", "and_": "and", "or_": "or", "xor": "xor",
    "fadd": "fadd", "fsub": "fsub", "fmul": "fmul", "fdiv": "fdiv",
}  # fmt: skip
_CASTS = (
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
    "ptrtoint", "inttoptr", "bitcast",
)  # fmt: skip
_WORD = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_I1 = ir.IntType(1)
_POINTER = ir.PointerType()


def text_of(type_: Any) -> str:
    """A type as IR text; remembered on the type itself."""
    try:
        return str(type_.ir_text)
    except AttributeError:
        type_.ir_text = str(type_)
        return str(type_.ir_text)


class Value:
    """The result of an instruction, or an argument."""

    __slots__ = ("name", "type")

    def __init__(self, type_: Any, name: str) -> None:
        self.type = type_
        self.name = name

    def get_reference(self) -> str:
        return self.name


class Alloca(Value):
    """Stack space; `align` may be set until the module is written."""

    __slots__ = ("align", "count", "element")

    def __init__(self, name: str, element: Any, count: Any) -> None:
        super().__init__(_POINTER, name)
        self.element, self.count = element, count
        self.align: int | None = None

    def __str__(self) -> str:
        size = "" if self.count is None else f", {text_of(self.count.type)} {self.count.get_reference()}"
        align = f", align {self.align}" if self.align else ""
        return f"  {self.name} = alloca {text_of(self.element)}{size}{align}"


class Phi(Value):
    """A value that depends on where control came from."""

    __slots__ = ("incoming",)

    def __init__(self, type_: Any, name: str) -> None:
        super().__init__(type_, name)
        self.incoming: list[tuple[Any, Block]] = []

    def add_incoming(self, value: Any, block: Block) -> None:
        self.incoming.append((value, block))

    def __str__(self) -> str:
        pairs = ", ".join(f"[ {v.get_reference()}, %{b.name} ]" for v, b in self.incoming)
        return f"  {self.name} = phi {text_of(self.type)} {pairs}"


class Switch:
    """A multi-way branch."""

    __slots__ = ("cases", "default", "value")

    def __init__(self, value: Any, default: Block) -> None:
        self.value, self.default = value, default
        self.cases: list[tuple[Any, Block]] = []

    def add_case(self, value: Any, block: Block) -> None:
        self.cases.append((value, block))

    def __str__(self) -> str:
        kind = text_of(self.value.type)
        cases = " ".join(f"{kind} {v.get_reference()}, label %{b.name}" for v, b in self.cases)
        return f"  switch {kind} {self.value.get_reference()}, label %{self.default.name} [ {cases} ]"


class Block:
    """A basic block under construction."""

    __slots__ = ("function", "is_terminated", "lines", "name")

    def __init__(self, function: Function, name: str) -> None:
        self.function, self.name = function, name
        self.lines: list[Any] = []
        self.is_terminated = False


class Module:
    """Functions and declarations."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.functions: list[Function] = []

    def __str__(self) -> str:
        return "\n".join(str(f) for f in self.functions)


class Function:
    """A function; without blocks it is a declaration."""

    def __init__(self, module: Module, signature: ir.FunctionType, name: str) -> None:
        self.function_type = signature
        self.name = name
        self.linkage = ""
        self.type = _POINTER
        self.args = tuple(Value(t, f"%a{k}") for k, t in enumerate(signature.args))
        self.blocks: list[Block] = []
        self.count = 0
        self._labels: set[str] = set()
        self._reference = f'@"{name}"'
        module.functions.append(self)

    def get_reference(self) -> str:
        return self._reference

    def append_basic_block(self, name: str = "b") -> Block:
        label, extra = name, 0
        while label in self._labels:
            extra += 1
            label = f"{name}.{extra}"
        self._labels.add(label)
        block = Block(self, label)
        self.blocks.append(block)
        return block

    def __str__(self) -> str:
        result = text_of(self.function_type.return_type)
        if not self.blocks:
            types = ", ".join(text_of(a.type) for a in self.args)
            return f"declare {result} {self._reference}({types})"
        arguments = ", ".join(f"{text_of(a.type)} {a.name}" for a in self.args)
        parts = [f"define {self.linkage} {result} {self._reference}({arguments}) {{"]
        for block in self.blocks:
            parts.append(f"{block.name}:")
            parts.extend(map(str, block.lines))
        parts.append("}")
        return "\n".join(parts)


class Builder:
    """Appends instructions to a block. Methods are those of llvmlite's IRBuilder."""

    def __init__(self, block: Block | None = None) -> None:
        if block is not None:
            self.position_at_end(block)

    block: Block
    function: Function

    # where

    def position_at_end(self, block: Block) -> None:
        self.block, self.function = block, block.function
        self._lines = block.lines

    def append_basic_block(self, name: str = "b") -> Block:
        return self.function.append_basic_block(name)

    @contextmanager
    def goto_block(self, block: Block) -> Iterator[None]:
        """Write to another block (before its terminator) for a while."""
        saved = self.block
        self.position_at_end(block)
        if block.is_terminated:
            ending = block.lines.pop()
            yield
            block.lines.append(ending)
        else:
            yield
        self.position_at_end(saved)

    @contextmanager
    def if_then(self, condition: Any, likely: bool | None = None) -> Iterator[Block]:
        """Code that runs if the condition holds."""
        then, after = self.append_basic_block("then"), self.append_basic_block("after")
        self.cbranch(condition, then, after)
        self.position_at_end(then)
        yield after
        if not self.block.is_terminated:
            self.branch(after)
        self.position_at_end(after)

    # building blocks

    def _new(self, type_: Any, right: str) -> Value:
        function = self.function
        function.count += 1
        name = f"%v{function.count}"
        self._lines.append(f"  {name} = {right}")
        return Value(type_, name)

    def _fresh(self) -> str:
        self.function.count += 1
        return f"%v{self.function.count}"

    def _end(self, line: Any) -> None:
        self._lines.append(line)
        self.block.is_terminated = True

    def not_(self, value: Any, name: str = "") -> Value:
        kind = value.type
        ones = "splat (i1 true)" if isinstance(kind, ir.VectorType) and kind.element.width == 1 else None
        if ones is None:
            ones = f"splat ({text_of(kind.element)} -1)" if isinstance(kind, ir.VectorType) else "-1"
        return self._new(kind, f"xor {text_of(kind)} {value.get_reference()}, {ones}")

    def neg(self, value: Any, name: str = "") -> Value:
        zero = "zeroinitializer" if isinstance(value.type, ir.VectorType) else "0"
        return self._new(value.type, f"sub {text_of(value.type)} {zero}, {value.get_reference()}")

    def fneg(self, value: Any, name: str = "") -> Value:
        return self._new(value.type, f"fneg {text_of(value.type)} {value.get_reference()}")

    # comparisons and choices

    def _compare(self, op: str, a: Any, b: Any) -> Value:
        kind = ir.VectorType(_I1, a.type.count) if isinstance(a.type, ir.VectorType) else _I1
        return self._new(kind, f"{op} {text_of(a.type)} {a.get_reference()}, {b.get_reference()}")

    def icmp_signed(self, op: str, a: Any, b: Any, name: str = "") -> Value:
        word = _WORD[op]
        return self._compare(f"icmp {word if word in ('eq', 'ne') else 's' + word}", a, b)

    def icmp_unsigned(self, op: str, a: Any, b: Any, name: str = "") -> Value:
        word = _WORD[op]
        return self._compare(f"icmp {word if word in ('eq', 'ne') else 'u' + word}", a, b)

    def fcmp_ordered(self, op: str, a: Any, b: Any, name: str = "") -> Value:
        return self._compare("fcmp ord" if op == "ord" else f"fcmp o{_WORD[op]}", a, b)

    def fcmp_unordered(self, op: str, a: Any, b: Any, name: str = "") -> Value:
        return self._compare("fcmp uno" if op == "uno" else f"fcmp u{_WORD[op]}", a, b)

    def select(self, condition: Any, a: Any, b: Any, name: str = "") -> Value:
        kind = text_of(a.type)
        held = f"{text_of(condition.type)} {condition.get_reference()}"
        return self._new(a.type, f"select {held}, {kind} {a.get_reference()}, {kind} {b.get_reference()}")

    def phi(self, type_: Any, name: str = "") -> Phi:
        value = Phi(type_, self._fresh())
        self._lines.append(value)
        return value

    # vectors

    def extract_element(self, vector: Any, index: Any, name: str = "") -> Value:
        right = f"extractelement {text_of(vector.type)} {vector.get_reference()}, "
        return self._new(vector.type.element, right + f"{text_of(index.type)} {index.get_reference()}")

    def insert_element(self, vector: Any, value: Any, index: Any, name: str = "") -> Value:
        right = f"insertelement {text_of(vector.type)} {vector.get_reference()}, {text_of(value.type)} "
        return self._new(
            vector.type, right + f"{value.get_reference()}, {text_of(index.type)} {index.get_reference()}"
        )

    def shuffle_vector(self, a: Any, b: Any, mask: Any, name: str = "") -> Value:
        kind = text_of(a.type)
        result = ir.VectorType(a.type.element, mask.type.count)
        right = f"shufflevector {kind} {a.get_reference()}, {kind} {b.get_reference()}, "
        return self._new(result, right + f"{text_of(mask.type)} {mask.get_reference()}")

    # memory

    def alloca(self, type_: Any, size: Any = None, name: str = "") -> Alloca:
        value = Alloca(self._fresh(), type_, size)
        self._lines.append(value)
        return value

    def at(self, pointer: Any, offset: int) -> Any:
        """A pointer `offset` bytes further."""
        if offset == 0:
            return pointer
        return self._new(_POINTER, f"getelementptr i8, ptr {pointer.get_reference()}, i64 {offset}")

    def splat(self, scalar: Any, vector: Any) -> Value:
        """A scalar in every lane of a vector type."""
        kind = text_of(vector)
        head = self._new(
            vector, f"insertelement {kind} poison, {text_of(scalar.type)} {scalar.get_reference()}, i32 0"
        )
        zeros = f"<{vector.count} x i32> zeroinitializer"
        return self._new(vector, f"shufflevector {kind} {head.name}, {kind} poison, {zeros}")

    def load(self, pointer: Any, name: str = "", align: int | None = None, typ: Any = None) -> Value:
        place = f", align {align}" if align else ""
        return self._new(typ, f"load {text_of(typ)}, ptr {pointer.get_reference()}{place}")

    def store(self, value: Any, pointer: Any, align: int | None = None) -> None:
        place = f", align {align}" if align else ""
        left = f"{text_of(value.type)} {value.get_reference()}"
        self._lines.append(f"  store {left}, ptr {pointer.get_reference()}{place}")

    def gep(
        self,
        pointer: Any,
        indices: Sequence[Any],
        inbounds: bool = False,
        name: str = "",
        source_etype: Any = None,
    ) -> Value:
        vector = next((i.type for i in (pointer, *indices) if isinstance(i.type, ir.VectorType)), None)
        kind = _POINTER if vector is None else ir.VectorType(_POINTER, vector.count)
        places = ", ".join(f"{text_of(i.type)} {i.get_reference()}" for i in indices)
        base = f"{text_of(pointer.type)} {pointer.get_reference()}"
        return self._new(kind, f"getelementptr {text_of(source_etype)}, {base}, {places}")

    # control

    def branch(self, target: Block) -> None:
        self._end(f"  br label %{target.name}")

    def cbranch(self, condition: Any, yes: Block, no: Block) -> None:
        self._end(f"  br i1 {condition.get_reference()}, label %{yes.name}, label %{no.name}")

    def switch(self, value: Any, default: Block) -> Switch:
        switch = Switch(value, default)
        self._end(switch)
        return switch

    def ret(self, value: Any) -> None:
        self._end(f"  ret {text_of(value.type)} {value.get_reference()}")

    def ret_void(self) -> None:
        self._end("  ret void")

    def unreachable(self) -> None:
        self._end("  unreachable")

    def call(self, function: Any, arguments: Sequence[Any], name: str = "") -> Value:
        result = function.function_type.return_type
        listed = ", ".join(f"{text_of(a.type)} {a.get_reference()}" for a in arguments)
        right = f"call {text_of(result)} {function.get_reference()}({listed})"
        if isinstance(result, ir.VoidType):
            self._lines.append(f"  {right}")
            return Value(result, "")
        return self._new(result, right)

    # the regular operations, defined below

    add: Callable[..., Value]
    sub: Callable[..., Value]
    mul: Callable[..., Value]
    udiv: Callable[..., Value]
    sdiv: Callable[..., Value]
    urem: Callable[..., Value]
    srem: Callable[..., Value]
    shl: Callable[..., Value]
    lshr: Callable[..., Value]
    ashr: Callable[..., Value]
    and_: Callable[..., Value]
    or_: Callable[..., Value]
    xor: Callable[..., Value]
    fadd: Callable[..., Value]
    fsub: Callable[..., Value]
    fmul: Callable[..., Value]
    fdiv: Callable[..., Value]
    trunc: Callable[..., Value]
    zext: Callable[..., Value]
    sext: Callable[..., Value]
    fptrunc: Callable[..., Value]
    fpext: Callable[..., Value]
    fptoui: Callable[..., Value]
    fptosi: Callable[..., Value]
    uitofp: Callable[..., Value]
    sitofp: Callable[..., Value]
    ptrtoint: Callable[..., Value]
    inttoptr: Callable[..., Value]
    bitcast: Callable[..., Value]


def _binary(word: str) -> Callable[..., Value]:
    def emit(self: Builder, a: Any, b: Any, name: str = "") -> Value:
        return self._new(a.type, f"{word} {text_of(a.type)} {a.get_reference()}, {b.get_reference()}")

    return emit


def _cast(word: str) -> Callable[..., Any]:
    def emit(self: Builder, value: Any, type_: Any, name: str = "") -> Any:
        if value.type is type_ or value.type == type_:
            return value
        return self._new(type_, f"{word} {text_of(value.type)} {value.get_reference()} to {text_of(type_)}")

    return emit


for _name, _text in _BINARY.items():
    setattr(Builder, _name, _binary(_text))
for _name in _CASTS:
    setattr(Builder, _name, _cast(_name))
