"""A PTX kernel and all functions it may call to one LLVM module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from trainer.ptx.function import FunctionBuilder
from trainer.ptx.jit import expand
from trainer.ptx.lower import emit
from trainer.ptx.lower.values import I32, POINTER
from trainer.ptx.module import (
    Address,
    Instruction,
    Module,
    Operand,
    Symbol,
)
from trainer.ptx.records import BlockInfo, HookInfo, SiteInfo

if TYPE_CHECKING:
    from trainer.ptx.lower.access import Access

SMALL = 250  # instructions up to which LLVM's register allocator and scheduler pay for themselves
RESERVED_SHARED = 512  # bytes; cooperative groups count on 288


class KernelBuilder:
    """Builds the LLVM module of one kernel (or host function) and all functions it may call."""

    def __init__(self, module: Module, entry: str, width: int, access: Access) -> None:
        self.module = module
        self.entry = entry
        self.width = width
        self.access = access
        self.ir = emit.Module(entry)
        self.sites: list[SiteInfo] = []
        self.blocks: list[BlockInfo] = []
        self.hooks: list[HookInfo] = []
        self.required: dict[str, Callable[[], str]] = {}  # routine name -> how to make its IR text
        self.subroutines: dict[str, emit.Function] = {}
        self.externals: dict[str, None] = {}
        self.symbols = {name: k for k, name in enumerate(module.variables)}
        self.function_numbers = {name: k for k, name in enumerate(module.functions)}
        self.shared: dict[str, int] = {}  # offsets of static shared variables, as they are met
        self.shared_end = 0
        self.builders: dict[str, FunctionBuilder] = {}
        self.instruction_count = 0
        self._declared: dict[str, emit.Function] = {}
        self._site_numbers: dict[tuple[str, int], int] = {}
        self.signature = ir.FunctionType(I32, [POINTER, POINTER, POINTER])

    def build(self) -> str:
        """Translate everything reachable; returns IR text. Raises UnsupportedError."""
        self._place_shared(self.function(self.entry))
        done: set[str] = set()
        while len(done) < len(self.builders):
            for name in [n for n in self.builders if n not in done]:
                self.builders[name].build()
                done.add(name)
        return str(self.ir)

    @property
    def large(self) -> bool:
        """Whether there is so much code that compiling it fast matters more than fast code."""
        return self.instruction_count > SMALL

    def _place_shared(self, main: FunctionBuilder) -> None:
        """Static shared variables lie in the order of their declarations, as ptxas places them."""
        body = main.flow.body
        named = {name for instruction in body.instructions for name in _symbols_in(instruction.operands)}
        for name, variable in {**self.module.variables, **body.variables}.items():
            if name in named and variable.space == "shared" and variable.nbytes and not variable.external:
                main.shared_offset(name)

    def native_name(self, function: str) -> str:
        """Symbol of the native function."""
        return f"k{id(self)}.{function}"

    def function(self, name: str) -> FunctionBuilder:
        """The builder of a PTX function with a body; queued for translation at first mention."""
        found = self.builders.get(name)
        if found is None:
            found = self.builders[name] = FunctionBuilder(self, self.module.functions[name])
        return found

    def indirect_targets(self) -> None:
        """An indirect call may reach any function whose address is taken: translate them all."""
        taken: set[str] = set()
        for variable in self.module.variables.values():
            taken.update(p.symbol for p in variable.pieces if p.symbol)
        for builder in list(self.builders.values()):
            for instruction in builder.flow.body.instructions:
                taken.update(o.name for o in instruction.operands if isinstance(o, Symbol))
        for name in sorted(taken):
            function = self.module.functions.get(name)
            if function is not None and function.parse_body is not None and not function.is_entry:
                self.function(name)

    def declare(self, name: str, result: ir.Type, arguments: Sequence[ir.Type]) -> emit.Function:
        """Declare an intrinsic or routine once."""
        found = self._declared.get(name)
        if found is None:
            found = emit.Function(self.ir, ir.FunctionType(result, list(arguments)), name)
            self._declared[name] = found
        return found

    def runtime(self, name: str) -> str:
        """Full name of a routine of runtime.ll."""
        return f"wd{self.width}_{name}"

    def require_text(self, name: str, text: Callable[[int], str]) -> None:
        """Make a complete IR module text available, compiled once per process."""
        if name not in self.required:
            self.required[name] = lambda: text(self.width)

    def require(self, name: str, text: Callable[[int], str] | str) -> str:
        """See `Context.helper`."""
        if name not in self.required:
            width = self.width
            self.required[name] = lambda: expand(text if isinstance(text, str) else text(width), width)
        return self.runtime(name)

    def reserved_shared(self) -> int:
        """Offset of the shared memory that a GPU keeps for cooperative groups (tiles beyond a warp)."""
        key = "reserved for cooperative groups"
        if key not in self.shared:
            self.shared[key] = -(-self.shared_end // 16) * 16
            self.shared_end = self.shared[key] + RESERVED_SHARED
        return self.shared[key]

    def site(self, function: FunctionBuilder, instruction: Instruction) -> int:
        key = (function.function.name, instruction.index)
        found = self._site_numbers.get(key)
        if found is None:
            found = self._site_numbers[key] = len(self.sites)
            self.sites.append(SiteInfo(function.function.name, instruction))
        return found


def _symbols_in(operands: Sequence[Operand]) -> Iterator[str]:
    """Names of the variables and functions that operands mention."""
    for operand in operands:
        if isinstance(operand, Symbol):
            yield operand.name
        elif isinstance(operand, Address) and isinstance(operand.base, Symbol):
            yield operand.base.name
