"""The inside of a PTX function: statements to instructions.

One compiled pattern finds the next statement; operand texts are parsed once per scope and remembered,
which keeps ten thousand lines well under a third of a second.
"""

from __future__ import annotations

import re
import struct
from dataclasses import replace

from trainer.errors import Location, UnsupportedError
from trainer.ptx.module import (
    Address,
    Body,
    CallTarget,
    Immediate,
    Instruction,
    Negated,
    Operand,
    Pair,
    Predicate,
    Register,
    Sink,
    Special,
    Symbol,
    Variable,
    Vector,
)
from trainer.ptx.types import ScalarType, scalar_type

_STATEMENT = re.compile(
    r"\s*(?:"
    r"(?P<brace>[{}])"
    r"|\.loc\s+(?P<loc>[^\n]*)"
    r"|(?P<label>[$%\w]+)\s*:(?!:)\s*(?:\.(?P<table>branchtargets|calltargets|callprototype)(?P<targets>[^;]*);)?"
    r"|\.reg\s*\.(?P<regtype>\w+)\s+(?P<regs>[^;]*);"
    r"|(?P<variable>\.(?:local|shared|param|global|const)\b)"
    r"|\.(?P<pragma>pragma|callprototype|calltargets|branchtargets)\b[^;]*;"
    r"|(?:@(?P<guard>!?\s*[$%\w]+)\s+)?(?P<opcode>[a-z][\w.:]*)\s*(?P<operands>[^;]*);"
    r"|(?P<empty>;)"
    r")"
)
_CALL = re.compile(
    r"\s*(?:\(([^)]*)\)\s*,\s*)?([$%\w]+)\s*(?:,\s*\(([^)]*)\))?\s*(?:,\s*([$%\w]+))?\s*$", re.S
)
_OPERANDS = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s{\[][^,]*")
_LOC = re.compile(r"(\d+)\s+(\d+)\s+(\d+)(?:.*?inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?", re.S)
_NUMBERED = re.compile(r"([%$A-Za-z_][\w$]*?)(\d+)$")
_INTEGER = re.compile(r"[+-]?\s*(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?$")
_OFFSET = re.compile(r"(.*?)\s*\+\s*([+-]?\s*(?:0[xX][0-9a-fA-F]+|\d+))$", re.S)
_FLOAT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?$|[+-]?\d+[eE][+-]?\d+$")
_SPECIAL = frozenset(
    "tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid gridid is_explicit_cluster clusterid nclusterid "
    "cluster_ctaid cluster_nctaid cluster_ctarank cluster_nctarank lanemask_eq lanemask_le lanemask_lt "
    "lanemask_ge lanemask_gt clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi "
    "total_smem_size aggr_smem_size dynamic_smem_size current_graph_exec "
    "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap "
    "reserved_smem_offset_0 reserved_smem_offset_1".split()
)
_BRANCHES = ("bra", "brx")


class LineMap:
    """`.loc` directives to lines of the user's file."""

    def __init__(self, user_file: int) -> None:
        self.user_file = str(user_file)
        self.line = 0
        self._seen: dict[tuple[str, str, str], int] = {}

    def see(self, text: str) -> None:
        match = _LOC.match(text)
        if match is None:
            return
        file, line, column, outer_file, outer_line, outer_column = match.groups()
        found = 0
        if file == self.user_file:
            found = int(line)
        elif outer_file is not None:
            if outer_file == self.user_file:
                found = int(outer_line)
            else:
                found = self._seen.get((outer_file, outer_line, outer_column), 0)
        self._seen[file, line, column] = found
        self.line = found or self.line


class _Scope:
    """Names declared between a pair of braces."""

    __slots__ = ("number", "names", "prefixes", "cache", "labels")

    def __init__(self, number: int) -> None:
        self.number = number
        self.names: dict[str, Register | str] = {}  # a string renames a variable
        self.prefixes: dict[str, ScalarType] = {}
        self.cache: dict[str, Operand] = {}
        self.labels: dict[str, str] = {}


class BodyParser:
    """Parses one function body; use once."""

    def __init__(self, text: str, lines: LineMap) -> None:
        self.text = text
        self.lines = lines
        self.scopes = [_Scope(0)]
        self.count = 1
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.variables: dict[str, Variable] = {}
        self.targets: dict[str, tuple[str, ...]] = {}
        self.prototypes: dict[str, int] = {}
        self.branches: list[tuple[int, tuple[_Scope, ...]]] = []

    def parse(self) -> Body:
        """The body. Raises UnsupportedError for what no PTX has, or none that we know."""
        try:
            return self._parse()
        except (ValueError, KeyError, IndexError) as error:
            raise self._unreadable(str(error)) from error

    def _parse(self) -> Body:
        text, position, end = self.text, 0, len(self.text)
        match_statement = _STATEMENT.match
        while True:
            match = match_statement(text, position)
            if match is None:
                if text[position:end].strip():
                    raise self._unreadable(text[position:end].strip().split("\n")[0])
                break
            position = match.end()
            kind = match.lastgroup
            if kind == "operands":
                self._instruction(match)
            elif kind == "loc":
                self.lines.see(match["loc"])
            elif kind == "label":
                self._label(match["label"])
            elif kind == "targets":
                self._table(match)
            elif kind == "regs":
                self._registers(scalar_type(match["regtype"]), match["regs"])
            elif kind == "brace":
                self._brace(match["brace"])
            elif kind == "variable":
                position = self._variable(match.start("variable"))
        self._resolve_branches()
        return Body(tuple(self.instructions), self.labels, self.variables, self.targets, self.prototypes)

    def _unreadable(self, what: str) -> UnsupportedError:
        where = Location("source", self.lines.line) if self.lines.line else None
        return UnsupportedError(f"PTX that the simulator cannot read: {what[:80]!r}", where=where)

    def _brace(self, brace: str) -> None:
        if brace == "{":
            self.scopes.append(_Scope(self.count))
            self.count += 1
        elif len(self.scopes) > 1:
            self.scopes.pop()

    def _unique(self, name: str) -> str:
        scope = self.scopes[-1]
        return name if scope.number == 0 else f"{name}#{scope.number}"

    def _label(self, name: str) -> None:
        unique = self._unique(name)
        self.scopes[-1].labels[name] = unique
        self.labels[unique] = len(self.instructions)

    def _table(self, match: re.Match[str]) -> None:
        if match["table"] == "branchtargets":
            names = tuple(t.strip() for t in match["targets"].split(",") if t.strip())
            self.targets[match["label"]] = names
        elif match["table"] == "callprototype":
            returns = re.match(r"\s*\(([^)]*)\)", match["targets"])
            empty = returns is None or not returns.group(1).strip()
            self.prototypes[match["label"]] = 0 if empty else 1

    def _registers(self, type_: ScalarType, names: str) -> None:
        scope = self.scopes[-1]
        for part in names.split(","):
            name = part.strip()
            if name.endswith(">"):
                prefix, count = name[:-1].split("<")
                if scope.number == 0:
                    scope.prefixes[prefix.strip()] = type_
                else:
                    for n in range(int(count)):
                        self._declare(f"{prefix.strip()}{n}", type_)
            elif name:
                self._declare(name, type_)

    def _declare(self, name: str, type_: ScalarType) -> None:
        scope = self.scopes[-1]
        scope.names[name] = Register(self._unique(name), type_)
        scope.cache.clear()

    def _variable(self, position: int) -> int:
        from trainer.ptx.parse import variable_at

        found = variable_at(self.text, position)
        if found is None:
            raise self._unreadable(self.text[position : position + 60].split("\n")[0])
        variable, end = found
        unique = self._unique(variable.name)
        self.scopes[-1].names[variable.name] = unique
        self.scopes[-1].cache.clear()
        self.variables[unique] = replace(variable, name=unique)
        return end

    def _instruction(self, match: re.Match[str]) -> None:
        guard, opcode, operands = match["guard"], match["opcode"], match["operands"]
        predicate = None
        if guard is not None:
            negated = guard[0] == "!"
            register = self._operand(guard[1:].strip() if negated else guard)
            if not isinstance(register, Register):
                raise self._unreadable(match.group().strip())
            predicate = Predicate(register, negated)
        op, *modifiers = opcode.split(".")
        index = len(self.instructions)
        if op in ("bar", "barrier") and "red" in modifiers:
            self._barrier_reduction(match, op, modifiers, predicate)
            return
        if op == "call":
            parsed: tuple[Operand, ...] = (self._call(operands),)
        else:
            cache = self.scopes[-1].cache
            parsed = tuple([cache.get(t) or self._operand(t) for t in _OPERANDS.findall(operands)])
            if op in _BRANCHES:
                self.branches.append((index, tuple(self.scopes)))
        self.instructions.append(
            Instruction(
                index, op, tuple(modifiers), predicate, parsed, self.lines.line, match.group().strip()
            )
        )

    def _barrier_reduction(
        self, match: re.Match[str], op: str, modifiers: list[str], predicate: Predicate | None
    ) -> None:
        """`bar.red d, ...` becomes the arrival and, behind the barrier, `block_collect d, ...`."""
        operands = tuple(self._operand(t) for t in _OPERANDS.findall(match["operands"]))
        text, line = match.group().strip(), self.lines.line
        for name, part in ((op, operands[1:]), ("block_collect", operands[:2])):
            index = len(self.instructions)
            self.instructions.append(Instruction(index, name, tuple(modifiers), predicate, part, line, text))

    def _call(self, text: str) -> CallTarget:
        match = _CALL.match(text)
        if match is None:
            raise self._unreadable("call " + text)
        returns = tuple(self._renamed(t) for t in (match.group(1) or "").split(",") if t.strip())
        arguments = tuple(self._operand(t) for t in (match.group(3) or "").split(",") if t.strip())
        callee = self._operand(match.group(2))
        target = callee if isinstance(callee, Register) else match.group(2)
        return CallTarget(returns, target, arguments, match.group(4))

    def _renamed(self, text: str) -> str:
        operand = self._operand(text)
        return operand.name if isinstance(operand, Symbol) else text.strip()

    def _resolve_branches(self) -> None:
        for index, scopes in self.branches:
            instruction = self.instructions[index]
            operands = list(instruction.operands)
            for k, operand in enumerate(operands):
                if isinstance(operand, Symbol):
                    for scope in reversed(scopes):
                        if operand.name in scope.labels:
                            operands[k] = Symbol(scope.labels[operand.name])
                            break
            self.instructions[index] = replace(instruction, operands=tuple(operands))

    # operands

    def _operand(self, text: str) -> Operand:
        cache = self.scopes[-1].cache
        found = cache.get(text)
        if found is None:
            found = cache[text] = self._read(text.strip())
        return found

    def _read(self, text: str) -> Operand:
        first = text[0]
        if first == "{":
            inner = text[1:-1].split(",")
            return Vector(tuple(self._operand(t) for t in inner if t.strip()))
        if first == "[":
            return self._address(text[1:-1].strip())
        if first == "!":
            register = self._operand(text[1:])
            if isinstance(register, Register):
                return Negated(register)
        elif "|" in text:
            left, right = text.split("|")
            return Pair(self._operand(left), self._operand(right))
        elif text == "_":
            return Sink()
        elif text == "WARP_SZ":
            return Immediate(32)
        elif first.isdigit() or first in "+-.":
            literal = _literal(text)
            if literal is not None:
                return literal
        else:
            named = self._named(text)
            if named is not None:
                return named
            if match := _OFFSET.match(text):
                base = self._operand(match.group(1))
                if isinstance(base, Symbol):
                    return Symbol(base.name, base.offset + int(match.group(2).replace(" ", ""), 0))
        raise self._unreadable(text)

    def _named(self, text: str) -> Register | Special | Symbol | None:
        for scope in reversed(self.scopes):
            known = scope.names.get(text)
            if known is not None:
                return Symbol(known) if isinstance(known, str) else known
        if match := _NUMBERED.match(text):
            type_ = self.scopes[0].prefixes.get(match.group(1))
            if type_ is not None:
                return Register(text, type_)
        if text[0] == "%":
            base = text[1:].split(".")[0]
            if base in _SPECIAL or re.fullmatch(r"envreg\d+|pm\d+(_64)?", base):
                return Special(text)
            raise self._unreadable(text)
        return Symbol(text) if re.fullmatch(r"[$\w]+", text) else None

    def _address(self, text: str) -> Address:
        coordinates: tuple[Operand, ...] = ()
        if "," in text:
            head, rest = text.split(",", 1)
            coordinates = tuple(self._operand(t) for t in _OPERANDS.findall(rest))
            text = head.strip()
        offset = 0
        if match := _OFFSET.match(text):
            text, offset = match.group(1).strip(), int(match.group(2).replace(" ", ""), 0)
        base = self._operand(text)
        if isinstance(base, (Register, Symbol, Immediate)):
            return Address(base, offset, coordinates)
        raise self._unreadable(text)


def _literal(text: str) -> Immediate | None:
    head = text[:2].lower()
    if head == "0f" and len(text) == 10:
        return Immediate(int(text[2:], 16), "f32")
    if head == "0d" and len(text) == 18:
        return Immediate(int(text[2:], 16), "f64")
    if _INTEGER.match(text):
        digits = text.rstrip("U").replace(" ", "")
        sign = -1 if digits[0] == "-" else 1
        digits = digits.lstrip("+-")
        octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        return Immediate(sign * (int(digits, 8) if octal else int(digits, 0)))
    if _FLOAT.match(text):
        return Immediate(struct.unpack("<Q", struct.pack("<d", float(text)))[0], "f64")
    return None
