"""A scanner for CUDA C++ that knows comments, strings, preprocessor lines and top-level functions.

It is not a parser: it finds where each function starts and ends, what it is called and what its
qualifiers are. That is enough to take host functions out of a text without moving a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trainer.errors import CompileError

_TOKENS = re.compile(
    r"""(?P<line_comment>//(?:[^\\\n]|\\\n|\\.)*)
      | (?P<block_comment>/\*.*?(?:\*/|\Z))
      | (?P<raw_string>\bR"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z))
      | (?P<number>(?<![\w.])\.?\d(?:'?[\w.])*)
      | (?P<string>"(?:\\.|\\\n|[^"\\\n])*"?)
      | (?P<character>'(?:\\.|[^'\\\n])*'?)""",
    re.VERBOSE | re.DOTALL,
)
_NOT_A_NEWLINE = re.compile(r"[^\n]")
_DIRECTIVE = re.compile(r"[ \t]*(?:#|%:)[ \t]*(\w*)(.*)", re.DOTALL)
_DEFINE = re.compile(r"\bdefine\s+(\w+)")
_PRAGMA = re.compile(r"[ \t]*(?:#|%:)[ \t]*pragma\b")

_QUALIFIER = re.compile(r"\b(__global__|__device__|__host__|static|inline|constexpr|extern)\b")
_CALL_LIKE = re.compile(  # attributes that look like a parameter list but are none
    r"(?:__launch_bounds__|__cluster_dims__|__maxnreg__|__block_size__|__attribute__|__align__|alignas"
    r"|__declspec|noexcept|decltype)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
_NAME_AND_PARENTHESIS = re.compile(
    r"(operator\s*(?:\(\s*\)|[^\s\w(]{1,3})|(?<![\w:~])~?[\w:]++(?:\s*<[^()]*>(?:::~?\w+)?|~\w+)?)\s*\("
)
_TYPE_BODY = re.compile(r"(?:typedef\s+)?(?:struct|class|union|enum)\b")
_TYPE_NAME = re.compile(r"\w+(?:\s+(?:__\w+__|alignas|__align__)\s*(?:\([^()]*\))?)*\s*(\w*)")
_NAMESPACE = re.compile(r"(?:inline\s+)?namespace\b\s*([\w:]*)")
_LINKAGE = re.compile(r'extern\s*"\s*"$')
_TEMPLATE = re.compile(r"template\s*<")
MAX_NESTING = 100
_LINKAGE_SCOPE = ""  # `extern "C" {` nests, but names nothing
MAX_HEAD = 4000  # characters; a longer declaration is no function
_NOT_FUNCTIONS = frozenset({"if", "for", "while", "switch", "return", "sizeof", "catch", "static_assert"})


@dataclass(frozen=True, eq=False)
class Function:
    """A function definition; offsets are into the source text. Equal only to itself."""

    name: str  # as written: "solve", "Grid::size"
    start: int  # first token of the declaration, `template` included
    body: int  # the opening brace
    end: int  # just after the closing brace
    head: str  # declaration without comments and preprocessor lines
    parameters: tuple[str, ...]
    qualifiers: frozenset[str]
    is_template: bool = False
    scope: tuple[str, ...] = ()  # enclosing namespaces and classes
    in_class: bool = False

    @property
    def is_kernel(self) -> bool:
        return "__global__" in self.qualifiers

    @property
    def is_device(self) -> bool:
        return "__device__" in self.qualifiers or self.is_kernel


@dataclass(frozen=True)
class Scan:
    """`code` has the length and the lines of `source`, with comments, the contents of strings,
    preprocessor lines and regions that are switched off blanked."""

    source: str
    code: str
    functions: tuple[Function, ...]

    def line_of(self, offset: int) -> int:
        return self.source.count("\n", 0, offset) + 1


def scan(source: str) -> Scan:
    code = _blank_preprocessor(mask(source))
    found = _Functions(code, pairs=_brace_pairs(code))
    found.region(0, len(code), (), in_class=False)
    return Scan(source, code, tuple(found.functions))


def mask(source: str) -> str:
    """Same length and lines; comments and the contents of string and character literals are blank."""

    def blank(match: re.Match[str]) -> str:
        text = match.group()
        if match.lastgroup == "number" or match["number"] is not None:
            return text
        if text.startswith("/"):
            return _blanked(text)
        return text[0] + _blanked(text[1:-1]) + text[-1] if len(text) > 1 else text

    return _TOKENS.sub(blank, source)


def blank_spans(source: str, spans: list[tuple[int, int]]) -> str:
    """Blanks the spans but keeps line breaks and preprocessor lines, so nothing after them moves.

    Not pragmas: without the loop that they unroll the compiler warns about each.
    """
    if not spans:
        return source
    kept = [(start, end) for start, end, text in directives(mask(source)) if not _PRAGMA.match(text)]
    out = []
    position = 0
    for start, end in sorted(spans):
        start = max(start, position)
        if end <= start:
            continue
        out.append(source[position:start])
        cursor = start
        for line_start, line_end in kept:
            if line_end <= cursor or line_start >= end:
                continue
            out.append(_blanked(source[cursor : max(cursor, line_start)]))
            out.append(source[max(cursor, line_start) : min(line_end, end)])
            cursor = min(line_end, end)
        out.append(_blanked(source[cursor:end]))
        position = end
    out.append(source[position:])
    return "".join(out)


def directives(masked: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, text) of every preprocessor line, continuation lines included."""
    for match in re.finditer(r"^[ \t]*(?:#|%:)(?:[^\n\\]|\\\n|\\(?!\n))*", masked, re.MULTILINE):
        yield match.start(), match.end(), match.group()


def defined_names(source: str) -> set[str]:
    """Names of the macros that a text defines."""
    return {m.group(1) for _, _, text in directives(mask(source)) if (m := _DEFINE.search(text))}


def split_parameters(text: str) -> tuple[str, ...]:
    """Splits at commas outside any bracket."""
    parts: list[str] = []
    depth = 0
    current = ""
    for character in text:
        depth += (character in "(<[{") - (character in ")>]}")
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    parts.append(current)
    cleaned = tuple(" ".join(part.split()) for part in parts)
    return () if cleaned in {("",), ("void",)} else cleaned


def _blanked(text: str) -> str:
    return _NOT_A_NEWLINE.sub(" ", text)


def _blank_preprocessor(masked: str) -> str:
    """Blanks directives and what `#if 0`, `#ifdef` and `#ifndef` of names the file decides switch off.

    Any other condition keeps all its branches.
    """
    out: list[str] = []
    position = 0
    defined: set[str] = {"__CUDACC__", "__cplusplus"}
    regions: list[_Region] = []
    for start, end, text in directives(masked):
        between = masked[position:start]
        out.append(between if all(r.active for r in regions) else _blanked(between))
        out.append(_blanked(text))
        position = end
        _follow(text, regions, defined)
    tail = masked[position:]
    out.append(tail if all(r.active for r in regions) else _blanked(tail))
    return "".join(out)


@dataclass
class _Region:
    """One `#if` in progress: whether the current branch is on, and whether one was surely taken."""

    active: bool
    taken: bool


def _follow(text: str, regions: list[_Region], defined: set[str]) -> None:
    match = _DIRECTIVE.match(text)
    if not match:
        return
    word, rest = match.group(1), match.group(2).split("/*")[0].strip()
    argument = rest.split()[0] if rest.split() else ""
    if word in {"if", "ifdef", "ifndef"}:
        truth = _truth(word, rest, argument, defined)
        regions.append(_Region(truth is not False, truth is True))
    elif word in {"else", "elif"} and regions:
        region = regions[-1]
        truth = _truth("if", rest, argument, defined) if word == "elif" else None
        region.active = not region.taken and truth is not False
        region.taken = region.taken or truth is True
    elif word == "endif" and regions:
        regions.pop()
    elif all(r.active for r in regions) and argument:
        name = re.match(r"\w*", argument)
        if word == "define" and name:
            defined.add(name.group())
        elif word == "undef":
            defined.discard(argument)


def _truth(word: str, rest: str, argument: str, defined: set[str]) -> bool | None:
    if word == "if":
        return {"0": False, "1": True}.get(rest)
    known = argument in defined
    if argument.startswith("__") and not known:  # the compiler's own macros: cannot tell
        return None
    return known if word == "ifdef" else not known


def _brace_pairs(code: str) -> dict[int, int]:
    """Every opening brace and the one that closes it; the end of the text if none does."""
    pairs: dict[int, int] = {}
    open_braces: list[int] = []
    for match in re.finditer(r"[{}]", code):
        if match.group() == "{":
            open_braces.append(match.start())
        elif open_braces:
            pairs[open_braces.pop()] = match.start()
    return pairs | dict.fromkeys(open_braces, len(code) - 1)


@dataclass
class _Functions:
    code: str
    functions: list[Function] = field(default_factory=list)
    pairs: dict[int, int] = field(default_factory=dict)

    def region(self, start: int, end: int, scope: tuple[str, ...], *, in_class: bool) -> None:
        """Finds the functions between two offsets; descends into namespaces and classes."""
        if len(scope) > MAX_NESTING:
            raise CompileError(f"Namespaces and classes are nested more than {MAX_NESTING} deep.")
        code = self.code
        head_start = position = start
        depth = 0
        while position < end:
            character = code[position]
            if character == "(":
                depth += 1
            elif character == ")":
                depth -= 1
            elif character == ";" and depth <= 0:
                head_start = position + 1
                depth = 0
            elif character == "}":
                head_start = position + 1
            elif character == "{":
                close = self.pairs[position]
                if depth <= 0 and self._braces(head_start, position, close, scope, in_class):
                    head_start = close + 1
                position = close
            position += 1

    def _braces(self, start: int, brace: int, close: int, scope: tuple[str, ...], in_class: bool) -> bool:
        """Handles one `head { ... }`; True when a new declaration starts after it."""
        head = self.code[start:brace].strip()
        if len(head) > MAX_HEAD:
            return False
        if in_class:
            head = re.sub(r"^(?:(?:public|private|protected)\s*:\s*)+", "", head)
        namespace = _NAMESPACE.match(head)
        if namespace:
            self.region(brace + 1, close, (*scope, namespace.group(1)), in_class=False)
            return True
        if _LINKAGE.match(head):
            self.region(brace + 1, close, (*scope, _LINKAGE_SCOPE), in_class=False)
            return True
        declaration, is_template = _without_template(head)
        if _TYPE_BODY.match(declaration) and not _ends_parameters(declaration):
            name = _TYPE_NAME.match(declaration)
            self.region(brace + 1, close, (*scope, name.group(1) if name else ""), in_class=True)
            return False
        function = self._function(head, declaration, is_template, start, brace, close, scope, in_class)
        if function:
            self.functions.append(function)
        return function is not None

    def _function(
        self,
        head: str,
        declaration: str,
        is_template: bool,
        start: int,
        brace: int,
        close: int,
        scope: tuple[str, ...],
        in_class: bool,
    ) -> Function | None:
        plain = _CALL_LIKE.sub(lambda m: " " * len(m.group()), declaration)
        match = _NAME_AND_PARENTHESIS.search(plain)
        if not match or match.group(1) in _NOT_FUNCTIONS:
            return None
        if "=" in plain[: match.start()]:  # an initialiser: `auto f = [](int x) {`
            return None
        opening = match.end() - 1
        closing = matching(plain, opening, "(", ")")
        return Function(
            name=match.group(1).strip(),
            start=self.code.index(head[0], start),
            body=brace,
            end=close + 1,
            head=head,
            parameters=split_parameters(plain[opening + 1 : closing]),
            qualifiers=frozenset(_QUALIFIER.findall(declaration)),
            is_template=is_template,
            scope=tuple(name for name in scope if name != _LINKAGE_SCOPE),
            in_class=in_class,
        )


def matching(text: str, position: int, opening: str = "{", closing: str = "}", reach: int = 1 << 60) -> int:
    """Offset of the bracket that closes the one at `position`; of the last character looked at if none
    of the next `reach` does."""
    depth = 0
    stop = min(len(text), position + reach)
    for match in re.compile(f"[{re.escape(opening + closing)}]").finditer(text, position, stop):
        depth += 1 if match.group() == opening else -1
        if depth == 0:
            return match.start()
    return stop - 1


def _without_template(head: str) -> tuple[str, bool]:
    """Cuts `template <...>` prefixes."""
    is_template = False
    while match := _TEMPLATE.match(head):
        is_template = True
        close = matching(head, match.end() - 1, "<", ">")
        head = head[close + 1 :].strip()
    return head, is_template


def _ends_parameters(declaration: str) -> bool:
    """Whether a head that starts with `struct` is a function that returns one."""
    return bool(re.search(r"\)\s*(?:const|noexcept|override|final)*\s*$", declaration)) and not re.match(
        r"(?:struct|class|union)\s+(?:__\w+__|alignas|__align__)\s*\([^()]*\)$", declaration
    )
