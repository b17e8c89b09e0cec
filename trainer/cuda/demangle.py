"""Itanium C++ names as NVRTC mangles them, back to C++: names, template arguments and types.

https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling. What a template argument or a
parameter of `solve` can be is covered; lambdas and local types have no name that C++ could say,
and raise `Unnameable`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_BUILTIN = {
    "v": "void", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long",
    "x": "long long", "y": "unsigned long long", "f": "float", "d": "double", "w": "wchar_t",
    "n": "__int128", "o": "unsigned __int128", "e": "long double",
}  # fmt: skip
_LITERAL_SUFFIX = {"j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"}


class Unnameable(ValueError):
    """The name contains something that C++ source cannot spell."""


@dataclass(frozen=True)
class Name:
    """`text` is the qualified name with its template arguments, without parameters."""

    text: str
    is_template: bool


def demangle(symbol: str) -> Name:
    """The function's or variable's name. A symbol that is not mangled is its own name.

    Raises Unnameable.
    """
    if not symbol.startswith("_Z"):
        return Name(symbol, False)
    try:
        text = _Reader(symbol, 2).name()
    except (IndexError, ValueError) as error:
        raise Unnameable(symbol) from error
    return Name(text, text.endswith(">"))


def pretty(symbol: str) -> str:
    """For people: the name if it can be spelled, else the symbol."""
    try:
        return demangle(symbol).text.replace("wd_anonymous::", "")
    except Unnameable:
        return symbol


def parameter_types(symbol: str) -> tuple[str, ...]:
    """The pack `A` of a symbol for `template <class R, class... A> f(R (*)(A...))`."""
    reader = _Reader(symbol, 2)
    reader.remember(reader.source_name())
    reader.take("I")
    reader.type()
    reader.take("J")
    types = []
    while not reader.try_take("E"):
        types.append(reader.type())
    return tuple(types)


@dataclass
class _Reader:
    text: str
    position: int
    substitutions: list[str] = field(default_factory=list)

    # ---- characters

    def peek(self, length: int = 1) -> str:
        return self.text[self.position : self.position + length]

    def take(self, expected: str) -> None:
        if not self.try_take(expected):
            raise Unnameable(self.text)

    def try_take(self, expected: str) -> bool:
        if self.text.startswith(expected, self.position):
            self.position += len(expected)
            return True
        return False

    def number(self) -> int:
        start = self.position
        while self.peek().isdigit():
            self.position += 1
        return int(self.text[start : self.position])

    def source_name(self) -> str:
        length = self.number()
        name = self.text[self.position : self.position + length]
        self.position += length
        return name

    def remember(self, text: str) -> str:
        self.substitutions.append(text)
        return text

    # ---- names

    def name(self) -> str:
        if self.try_take("N"):
            return self.nested()
        if self.peek() == "Z":
            raise Unnameable(self.text)
        if self.peek() == "S" and self.peek(2) != "St":
            base = self.substitution()
        else:
            base = self.unqualified("std::" if self.try_take("St") else "")
            if self.peek() == "I":
                self.remember(base)
        return base + self.template_arguments() if self.peek() == "I" else base

    def nested(self) -> str:
        while self.peek() in "rVK":
            self.position += 1
        so_far = ""
        while not self.try_take("E"):
            if self.peek() == "S" and self.peek(2) != "St":
                so_far = self.substitution()
                continue
            if self.peek() == "I":
                so_far += self.template_arguments()
            elif self.try_take("St"):
                so_far = "std"
                continue
            else:
                so_far = self.unqualified(so_far + "::" if so_far else "")
            if self.peek() != "E":
                self.remember(so_far)
        return so_far

    def unqualified(self, prefix: str) -> str:
        self.try_take("L")
        if not self.peek().isdigit():
            raise Unnameable(self.text)
        name = self.source_name()
        if name.startswith(("_GLOBAL__N", "_INTERNAL_")):
            return prefix.removesuffix("::")
        return prefix + name

    def template_arguments(self) -> str:
        self.take("I")
        arguments: list[str] = []
        while not self.try_take("E"):
            arguments += self.argument()
        return "<" + ", ".join(arguments) + (" >" if arguments and arguments[-1].endswith(">") else ">")

    def argument(self) -> list[str]:
        if self.try_take("J"):
            pack: list[str] = []
            while not self.try_take("E"):
                pack += self.argument()
            return pack
        if self.try_take("L"):
            return [self.literal()]
        if self.peek() == "X":
            return [self.expression()]
        return [self.type()]

    def expression(self) -> str:
        """The address of a function or variable: `XadL_Z3fooEE`."""
        self.take("X")
        address = self.try_take("ad")
        self.take("L")
        text = ("&" if address else "") + self.external()
        self.take("E")
        return text

    def literal(self) -> str:
        if self.peek(2) == "_Z":
            return self.external()
        code = self.peek()
        kind = self.type()
        negative = self.try_take("n")
        start = self.position
        self.position = self.text.index("E", start)
        value = ("-" if negative else "") + self.text[start : self.position]
        self.take("E")
        if kind == "bool":
            return "true" if value == "1" else "false"
        if kind == "int":
            return value
        if code in _LITERAL_SUFFIX:
            return value + _LITERAL_SUFFIX[code]
        return f"({kind}){value}"

    def external(self) -> str:
        """A mangled name inside an argument, parameters included, up to its closing E."""
        self.take("_Z")
        text = self.name()
        while not self.try_take("E"):
            self.type()
        return text

    # ---- types

    def substitution(self) -> str:
        self.take("S")
        if self.try_take("_"):
            return self.substitutions[0]
        digits = ""
        while self.peek() != "_":
            digits += self.peek()
            self.position += 1
            if not digits.isalnum() or not digits.isupper() and not digits.isdigit():
                raise Unnameable(self.text)
        self.take("_")
        return self.substitutions[int(digits, 36) + 1]

    def type(self) -> str:
        code = self.peek()
        if code in _BUILTIN:
            self.position += 1
            return _BUILTIN[code]
        if code in "PRO":
            self.position += 1
            return self.remember(_attach(self.type(), {"P": "*", "R": "&", "O": "&&"}[code]))
        if code in "KVr":
            return self.qualified()
        if code == "A":
            self.position += 1
            length = self.number() if self.peek().isdigit() else ""
            self.take("_")
            return self.remember(f"{self.type()}[{length}]")
        if code == "F":
            return self.function()
        if self.try_take("Dn"):
            return "decltype(nullptr)"
        if self.try_take("DF16_"):
            return "_Float16"
        if self.try_take("u"):
            return self.remember(self.source_name())
        if code == "S" and self.peek(2) != "St":
            base = self.substitution()
            return self.remember(base + self.template_arguments()) if self.peek() == "I" else base
        if code.isdigit() or code in "NS":
            return self.remember(self.name())
        raise Unnameable(self.text)

    def qualified(self) -> str:
        """`const` and `volatile` are one component: they are remembered together."""
        words = {"K": "const", "V": "volatile", "r": "__restrict__"}
        found = []
        while self.peek() in words and self.peek():
            found.append(words[self.peek()])
            self.position += 1
        inner = self.type()
        text = " ".join(sorted(w for w in found if w != "__restrict__"))
        if inner.endswith(("*", "&")):
            return self.remember(f"{inner} {text}".rstrip())
        return self.remember(f"{text} {inner}".strip())

    def function(self) -> str:
        self.take("F")
        self.try_take("Y")
        result = self.type()
        parameters = []
        while not self.try_take("E"):
            parameters.append(self.type())
        return self.remember(f"{result} ({', '.join(p for p in parameters if p != 'void')})")


def _attach(inner: str, mark: str) -> str:
    """Pointers and references to functions and arrays go inside: `void (*)(int)`."""
    if inner.endswith(")"):
        result, _, parameters = inner.partition(" (")
        return f"{result} ({mark})({parameters}"
    if inner.endswith("]"):
        base, _, bounds = inner.partition("[")
        return f"{base} ({mark})[{bounds}"
    return inner + mark
