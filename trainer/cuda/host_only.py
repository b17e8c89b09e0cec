"""Functions and variables of the host that kernels name. nvcc refuses to compile such a file; NVRTC, which
takes all code for device code, would not. So they are left out of the device text, and what the compiler
then says of an unknown identifier is put in CUDA's terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from trainer.cuda.model import Diagnostic
from trainer.cuda.scanner import Function, Scan, blank_spans, directives, mask, matching

_WORD = re.compile(r"\b[A-Za-z_]\w*")
_DEFINED = re.compile(r"\bdefine\s+(\w+)")
_UNKNOWN = re.compile(r'^identifier "(\w+)" is undefined|^\w+ "[^"]*" has no member "(\w+)"')
_TYPE_HEAD = re.compile(r"\b(?:struct|class|union|enum)\b[^;{}=]*(?=\{)")
_VARIABLE = re.compile(
    r"(?<=[;{}])\s*(?P<type>(?:\w+(?:::\w+)*\s+)*\w+(?:::\w+)*(?:\s*<[^;{}()<>]*>)?[\s*]+)"
    r"(?P<name>\w+)\s*(?P<extent>\[[^;{}]*\]\s*)?(?:=\s*[^;{}]*|=?\s*\{[^;{}]*\}\s*)?;"
)
_SEEN_BY_KERNELS = frozenset(
    "__device__ __constant__ __managed__ __shared__ using typedef template namespace"
    " extern return friend static_assert struct class union enum goto else operator".split()
)
_CONSTANTS = frozenset({"const", "constexpr"})
_CONSTANT = re.compile(r"\b(?:constexpr|static_assert)\b[^;{}]*|<[^;{}<>]*>")


@dataclass(frozen=True)
class Hidden:
    """Something of the host's, to be blanked from `start` to `end` in the device text."""

    name: str
    start: int
    end: int
    why: str  # what it is, and what kernels can use


_FUNCTION = "is a host function: kernels call only what is marked __device__"
_METHOD = "is a host function of its class: kernels call only what is marked __device__"
_VARIABLE_OF_HOST = (
    "is a variable of the host: kernels see it as a parameter, or if it is const or __device__"
)
_ARRAY = "is an array of the host: kernels see only what is __constant__, __device__ or a parameter"


def hidden_from_kernels(scanned: Scan, stays: Callable[[Function], bool]) -> tuple[Hidden, ...]:
    """What pure device functions name and only they, besides functions that leave the device text anyway
    (`stays` is false of those). Everything that might be meant for both sides is left alone: what is
    marked by a macro, declared before, or named in a class or a macro, functions that are `constexpr` and
    constants that are no arrays.
    """
    outer = [f for f in scanned.functions if not f.in_class]
    pure = [f for f in outer if f.is_device and "__host__" not in f.qualifiers]
    named = _words(scanned, pure)
    macros = _macros(scanned)
    functions = {
        f: _hidden_function(scanned, f) for f in scanned.functions if f.name in named and _is_hosts(f, macros)
    }
    constants = _in_constant_expressions(scanned, pure)
    variables = [v for v in _host_variables(scanned, outer, constants) if v.name in named]
    blanked = [(h.start, h.end) for h in (*functions.values(), *variables)]
    blanked += [(f.start, f.end) for f in outer]
    elsewhere = set(_WORD.findall(blank_spans(scanned.code, blanked))) | macros
    elsewhere |= _words(scanned, [f for f in outer if f not in pure and f not in functions and stays(f)])
    while shared := [f for f in functions if f.name in elsewhere]:
        for function in shared:
            del functions[function]
        elsewhere |= _words(scanned, shared)
    return (*functions.values(), *(v for v in variables if v.name not in elsewhere))


def explained(diagnostics: Iterable[Diagnostic], hidden: Sequence[Hidden]) -> list[Diagnostic]:
    """Diagnostics that say why a kernel does not know what the file plainly has."""
    of_name = {h.name: h for h in hidden}
    return [_explained(d, of_name) for d in diagnostics]


def _explained(diagnostic: Diagnostic, of_name: dict[str, Hidden]) -> Diagnostic:
    match = _UNKNOWN.match(diagnostic.message)
    hidden = of_name.get(match.group(1) or match.group(2)) if match else None
    return replace(diagnostic, message=f"{hidden.name} {hidden.why}") if hidden else diagnostic


def _is_hosts(function: Function, macros: Collection[str]) -> bool:
    words = set(_WORD.findall(function.head))
    plain = re.fullmatch(r"\w+", function.name) is not None and function.name not in function.scope
    return (
        plain
        and not function.is_device
        and words.isdisjoint({"constexpr", "virtual", "override"} | {*macros})
    )


def _hidden_function(scanned: Scan, function: Function) -> Hidden:
    if not function.in_class:
        return Hidden(function.name, function.start, function.end, _FUNCTION)
    start = scanned.code.index(function.head, function.start)  # past `public:`
    return Hidden(function.name, start, function.end, _METHOD)


def _in_constant_expressions(scanned: Scan, functions: Iterable[Function]) -> set[str]:
    """Words of statements that the compiler works out, where arrays of constants may be named."""
    texts = (m.group() for f in functions for m in _CONSTANT.finditer(scanned.code, f.start, f.end))
    return {word for text in texts for word in _WORD.findall(text)}


def _host_variables(scanned: Scan, outer: Sequence[Function], constants: Collection[str]) -> list[Hidden]:
    """Variables at file scope or in a namespace, one to a declaration, that kernels cannot see."""
    text = blank_spans(scanned.code, [(f.start, f.end) for f in outer])
    bodies = [(m.end(), matching(text, m.end()) + 1) for m in _TYPE_HEAD.finditer(text)]
    marked = [";", *blank_spans(text, bodies)]  # a statement starts behind another, the first one as well
    for function in outer:  # which ends like a statement, but blanked it has no bracket to tell
        marked[function.end] = ";"
    found = []
    for match in _VARIABLE.finditer("".join(marked)):
        words = set(_WORD.findall(match["type"]))
        is_array = match["extent"] is not None and match["name"] not in constants
        if _SEEN_BY_KERNELS.isdisjoint(words) and (is_array or _CONSTANTS.isdisjoint(words)):
            why = _ARRAY if match["extent"] else _VARIABLE_OF_HOST
            found.append(Hidden(match["name"], match.start("type") - 1, match.end() - 1, why))
    return found


def _words(scanned: Scan, functions: Iterable[Function]) -> set[str]:
    return {w for f in functions for w in _WORD.findall(scanned.code[f.start : f.end])}


def _macros(scanned: Scan) -> set[str]:
    """Names that the file defines, and the words of their definitions."""
    texts = [text for _, _, text in directives(mask(scanned.source)) if _DEFINED.search(text)]
    return {word for text in texts for word in _WORD.findall(text)} - {"define"}
