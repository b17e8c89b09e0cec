"""PTX text to `Module`. Function bodies are only parsed when somebody asks for them.

Accepts what NVRTC 12/13 writes at compute_80 to compute_90, with and without `-rdc`, plus the inline
assembly that people write. Raises `UnsupportedError` with the offending statement.
"""

from __future__ import annotations

import re
import struct

from trainer.errors import UnsupportedError
from trainer.ptx.body import BodyParser, LineMap
from trainer.ptx.module import Function, Module, Piece, Variable
from trainer.ptx.types import scalar_type

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
_BRACE = re.compile(r"[{}]")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"((?:\\.|[^"\\])*)"', re.M)
_TARGET = re.compile(r"\.target\s+(\w+)")
_SECTION = re.compile(r"\s*\.section\s+[^\s{]+\s*\{")
_SKIP = re.compile(r"\s*\.(?:version|target|address_size|file|loc|weak_symbol)\b[^\n]*")
_LINKAGE = re.compile(r"\s*\.(visible|extern|weak|common|internal)\b")
_FUNCTION = re.compile(
    r"\s*\.(entry|func)\b(?:\s*\.noreturn|\s*\.attribute\([^)]*\))*\s*(?:\(([^)]*)\)\s*)?([$%\w]+)\s*(?:\(([^)]*)\))?"
)
_DIRECTIVE = re.compile(
    r"\s*\.(maxntid|reqntid|minnctapersm|maxnreg|maxnctapersm|noreturn|explicitcluster|"
    r"reqnctapercluster|maxclusterrank|unified|abi_preserve\w*|pragma)\b([^.{;]*)"
)
_VARIABLE = re.compile(
    r"\s*\.(global|const|shared|local|param)\b((?:\s*\.(?!align)\w+(?:\([^)]*\))?)*)"
    r"(?:\s*\.align\s+(\d+))?((?:\s*\.\w+(?:\([^)]*\))?)*)\s*([$%\w]+)((?:\s*\[\s*\d*\s*\])*)\s*(?:=\s*([^;]*))?;",
    re.S,
)
_PARAMETER = re.compile(
    r"\s*\.(?:param|reg)\s*(?:\.align\s+(\d+)\s*)?\.(\w+)\s*(?:\.ptr\s*(?:\.\w+\s*)*(?:\.align\s+\d+)?\s*)?"
    r"([$%\w]+)\s*(?:\[\s*(\d*)\s*\])?\s*$"
)
_ITEM = re.compile(
    r"\s*(?:(0x[0-9a-fA-F]+|-?\d+)U?|(generic\s*\(\s*)?([$%\w]+)\s*(?:\+\s*(\d+)\s*)?\)?(?:\s*\+\s*(\d+))?)"
)
_FLOAT_ITEM = re.compile(r"\s*(0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})")


def parse_module(text: str, user_file: str = "") -> Module:
    """Parse `text`. Lines are those of `user_file` (by name), or of file 1 when not given."""
    files = {int(n): name for n, name in _FILE.findall(text)}
    user = next((n for n, name in files.items() if user_file and name.endswith(user_file)), 1)
    clean = _COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else " ", text)
    target = _TARGET.search(clean)
    reader = _Reader(clean, user)
    try:
        reader.read()
    except (ValueError, KeyError, IndexError, StopIteration) as error:
        raise UnsupportedError(f"PTX that the simulator cannot read: {error}") from error
    return Module(target.group(1) if target else "", reader.variables, reader.functions)


class _Reader:
    """Walks the top level of a PTX file."""

    def __init__(self, text: str, user_file: int) -> None:
        self.text = text
        self.user_file = user_file
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, Function] = {}

    def read(self) -> None:
        text, position, external = self.text, 0, False
        while position < len(text):
            if match := _SECTION.match(text, position):
                position = self._closing(match.end() - 1)
            elif match := _LINKAGE.match(text, position):
                external = match.group(1) == "extern"
                position = match.end()
            elif match := _FUNCTION.match(text, position):
                position, external = self._function(match), False
            elif match := _VARIABLE.match(text, position):
                variable = read_variable(match, external)
                if not (external and variable.name in self.variables):
                    self.variables[variable.name] = variable
                position, external = match.end(), False
            elif match := _SKIP.match(text, position):
                position = match.end()
            elif not text[position].isspace() and text[position] != ";":
                line = text[position : position + 60].split("\n")[0]
                raise UnsupportedError(f"PTX that the simulator cannot read: {line!r}")
            else:
                position += 1

    def _closing(self, opening: int) -> int:
        depth = 0
        for brace in _BRACE.finditer(self.text, opening):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                return brace.end()
        raise UnsupportedError("PTX with unbalanced braces")

    def _function(self, match: re.Match[str]) -> int:
        text, position = self.text, match.end()
        directives: dict[str, tuple[int, ...]] = {}
        while directive := _DIRECTIVE.match(text, position):
            directives[directive.group(1)] = tuple(int(n) for n in re.findall(r"\d+", directive.group(2)))
            position = directive.end()
        parser = None
        stop = re.compile(r"\s*([{;])").match(text, position)
        if stop is None:
            raise UnsupportedError(f"PTX function {match.group(3)} has an unknown directive")
        end = stop.end()
        if stop.group(1) == "{":
            end = self._closing(stop.end() - 1)
            source = text[stop.end() : end - 1]
            parser = BodyParser(source, LineMap(self.user_file)).parse
        name = match.group(3)
        known = self.functions.get(name)
        if known is None or known.parse_body is None:
            self.functions[name] = Function(
                name,
                match.group(1) == "entry",
                _parameters(match.group(4)),
                _parameters(match.group(2)),
                directives,
                parser,
            )
        return end


def _parameters(text: str | None) -> tuple[Variable, ...]:
    result = []
    for part in (text or "").split(","):
        if not part.strip():
            continue
        match = _PARAMETER.match(part)
        if match is None:
            raise UnsupportedError(f"PTX parameter that the simulator cannot read: {part.strip()!r}")
        size = scalar_type(match.group(2)).bytes
        count = int(match.group(4)) if match.group(4) else 1
        result.append(Variable(match.group(3), "param", size * count, int(match.group(1) or size)))
    return tuple(result)


def read_variable(match: re.Match[str], external: bool) -> Variable:
    """A variable from a match of the variable pattern."""
    space, before, align, after, name, dimensions, initial = match.groups()
    words = re.findall(r"\.(\w+)", before + after)
    kinds = [w for w in words if w not in ("attribute", "managed")]
    vector = next((int(k[1]) for k in kinds if k in ("v2", "v4")), 1)
    type_ = scalar_type(next(k for k in kinds if k not in ("v2", "v4", "unified")))
    size = type_.bytes * vector
    counts = re.findall(r"\[\s*(\d*)\s*\]", dimensions)
    nbytes = size
    for count in counts:
        nbytes *= int(count) if count else 0
    pieces = _initialiser(initial, type_.bytes) if initial else ()
    if counts and not counts[0] and pieces:
        last = pieces[-1]
        nbytes = last.offset + (last.nbytes if last.symbol else len(last.data))
    return Variable(name, space, nbytes, int(align or size), pieces, external, "managed" in words)


def variable_at(text: str, position: int, external: bool = False) -> tuple[Variable, int] | None:
    """The variable declared at `position` and where its statement ends."""
    match = _VARIABLE.match(text, position)
    return (read_variable(match, external), match.end()) if match else None


def _initialiser(text: str, size: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    data, start, offset = bytearray(), 0, 0
    for item in text.replace("{", " ").replace("}", " ").split(","):
        if not item.strip():
            continue
        if literal := _FLOAT_ITEM.match(item):
            digits = literal.group(1)[2:]
            data += int(digits, 16).to_bytes(len(digits) // 2, "little")
        else:
            match = _ITEM.match(item)
            if match is None:
                raise UnsupportedError(f"PTX initialiser that the simulator cannot read: {item.strip()!r}")
            if match.group(1) is not None:
                value = int(match.group(1), 0)
                data += (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
            elif re.match(r"\s*-?\d*\.\d", item):
                data += struct.pack("<f" if size == 4 else "<d", float(item))
            else:
                if data:
                    pieces.append(Piece(start, bytes(data)))
                addend = int(match.group(4) or match.group(5) or 0)
                pieces.append(Piece(offset, symbol=match.group(3), addend=addend, nbytes=size))
                data, start = bytearray(), offset + size
        offset += size
    if data:
        pieces.append(Piece(start, bytes(data)))
    return tuple(pieces)
