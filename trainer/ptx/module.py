"""Parsed PTX as data: modules, functions, instructions and their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from trainer.ptx.types import ScalarType


@dataclass(frozen=True, slots=True)
class Register:
    """A virtual register. `name` is unique in its function (inner scopes get a `#n` suffix)."""

    name: str
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Special:
    """A special register: `%tid.x`, `%laneid`, `%clock64`, ..."""

    name: str


@dataclass(frozen=True, slots=True)
class Immediate:
    """A literal. `form` is "int" (value is the integer), "f32" or "f64" (value is the bit pattern)."""

    value: int
    form: str = "int"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable, function or label, plus a byte offset."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """`[base + offset]`; `coordinates` are the extra operands of `[map, {x, y}]`."""

    base: Register | Symbol | Immediate
    offset: int = 0
    coordinates: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Vector:
    """`{a, b, ...}`"""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """`p|q`: two destinations."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Negated:
    """`!p`"""

    register: Register


@dataclass(frozen=True, slots=True)
class Sink:
    """`_`: a result nobody wants."""


@dataclass(frozen=True, slots=True)
class CallTarget:
    """The operands of `call`: names of `.param` variables, and whom to call."""

    returns: tuple[str, ...]
    callee: str | Register
    arguments: tuple[Operand, ...]
    prototype: str | None = None


Operand = Register | Special | Immediate | Symbol | Address | Vector | Pair | Negated | Sink | CallTarget


@dataclass(frozen=True, slots=True)
class Predicate:
    """The guard `@p` or `@!p`."""

    register: Register
    negated: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `line` is the user's source line (0 when unknown)."""

    index: int
    op: str
    modifiers: tuple[str, ...]
    predicate: Predicate | None
    operands: tuple[Operand, ...]
    line: int
    text: str

    @property
    def opcode(self) -> str:
        return ".".join((self.op, *self.modifiers))


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of an initialiser: raw bytes, or the address of a symbol (`generic` for generic())."""

    offset: int
    data: bytes = b""
    symbol: str | None = None
    addend: int = 0
    nbytes: int = 8


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in any state space; `nbytes` is 0 for `.extern .shared x[]`."""

    name: str
    space: str  # "global" | "const" | "shared" | "local" | "param"
    nbytes: int
    align: int
    pieces: tuple[Piece, ...] = ()
    external: bool = False
    managed: bool = False  # `__managed__`: the host uses it, too


@dataclass(frozen=True)
class Body:
    """Instructions of a function, its labels (to instruction indices) and its local variables."""

    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]
    variables: Mapping[str, Variable]  # .local, .shared and call .param variables
    branch_targets: Mapping[str, tuple[str, ...]]
    prototypes: Mapping[str, int]  # label of a .callprototype: how many returns it declares


@dataclass(frozen=True)
class Function:
    """A `.entry` or `.func`. `body` is parsed when first asked for; it is None for a declaration."""

    name: str
    is_entry: bool
    parameters: tuple[Variable, ...]
    returns: tuple[Variable, ...]
    directives: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    parse_body: Callable[[], Body] | None = None

    @cached_property
    def body(self) -> Body | None:
        return self.parse_body() if self.parse_body else None

    @property
    def parameter_bytes(self) -> int:
        """Size of the parameter buffer of an entry."""
        end = 0
        for p in self.parameters:
            end = -(-end // p.align) * p.align + p.nbytes
        return end

    def parameter_offset(self, name: str) -> int:
        """Offset of parameter `name` in the parameter buffer of an entry."""
        end = 0
        for p in self.parameters:
            start = -(-end // p.align) * p.align
            if p.name == name:
                return start
            end = start + p.nbytes
        raise KeyError(name)


@dataclass(frozen=True)
class Module:
    """A PTX file."""

    target: str
    variables: Mapping[str, Variable]
    functions: Mapping[str, Function]

    @property
    def entries(self) -> tuple[Function, ...]:
        return tuple(f for f in self.functions.values() if f.is_entry)
