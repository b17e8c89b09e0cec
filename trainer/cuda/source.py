"""From a submission's text to the two texts that are compiled, every line where the user has it.

The *host text* is compiled with `-rdc` and run for its host function: it keeps the entry and what
it reaches; kernels keep their names and parameters only. The *device text* is compiled plainly
for the kernels: functions that only the host calls are blanked, and so is what kernels may not use of
the host's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from trainer.cuda.host_only import Hidden, hidden_from_kernels
from trainer.cuda.includes import FILE_NAME, MissingHeader, resolve_includes
from trainer.cuda.lighten import lighten
from trainer.cuda.scanner import Function, Scan, blank_spans, directives, mask, matching, scan
from trainer.errors import CompileError, Location

MAX_SOURCE_BYTES = 1_000_000
MAX_DECLARATION = 300  # characters between `static` and its `;`, or in the head of a `catch`

_ANONYMOUS = re.compile(r"\bnamespace(\s*)\{")
_LAUNCH = re.compile(r"<\s*<\s*<")
_DEFINE = re.compile(r"\bdefine\s+(\w+)")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_OPERATOR = re.compile(r"\boperator\b")
_STATIC = re.compile(r"\bstatic\b")
_COMPUTED = re.compile(r"=\s*\[|=[^;(]*\(")
_CATCH = re.compile(r"\bcatch\s*\(")
_ACCELERATED = re.compile(r"\bwgmma\b|\bsetmaxnreg\b")


@dataclass(frozen=True)
class Prepared:
    original: str  # the user's text
    scan: Scan  # of the text after includes, the same lines
    host_text: str
    device_text: str
    missing: tuple[MissingHeader, ...]
    accelerated: bool  # uses instructions that only sm_90a has
    hidden: tuple[Hidden, ...] = ()  # of the host, named by kernels, not in the device text


def decode_source(data: bytes, name: str = FILE_NAME) -> str:
    """Bytes of a file to text, or a CompileError that says what kind of file this is."""
    if len(data) > MAX_SOURCE_BYTES:
        raise CompileError(
            f"The file has {len(data):,} bytes; a submission may have {MAX_SOURCE_BYTES:,}.",
            where=Location(name),
            hint="Leave data and generated tables out of it.",
        )
    if b"\0" in data:
        raise CompileError("This is a binary file, not CUDA source.", where=Location(name))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CompileError(
            "The file is not UTF-8 text.", where=Location(name, line), hint="Save it as UTF-8 and try again."
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def prepare(source: str, entry: str) -> Prepared:
    """Both texts for a submission whose host function is called `entry`. Raises CompileError."""
    source = decode_source(source.encode("utf-8", errors="surrogateescape"))
    if not source.strip():
        raise CompileError("The file is empty.", where=Location(FILE_NAME))
    text, missing = resolve_includes(source)
    text = _name_anonymous_namespaces(text)
    scanned = scan(text)
    host_text = _host_text(scanned, entry)
    device_text, hidden = _device_text(scanned, entry, host_text)
    return Prepared(
        original=source,
        scan=scanned,
        host_text=host_text,
        device_text=device_text,
        missing=missing,
        accelerated=bool(_ACCELERATED.search(text)),
        hidden=hidden,
    )


def _name_anonymous_namespaces(text: str) -> str:
    """Kernels in `namespace { }` get internal names that nobody could ask for."""
    out = list(text)
    for match in reversed(list(_ANONYMOUS.finditer(scan(text).code))):
        out[match.start() : match.end()] = f"inline namespace wd_anonymous{match.group(1)}{{"
    return "".join(out)


def _host_text(scanned: Scan, entry: str) -> str:
    outer = [f for f in scanned.functions if not f.in_class]
    needed = _reachable(
        scanned,
        outer,
        lambda f: f.name == entry or _is_hosts_operator(f),
        bodies_of=lambda f: not f.is_kernel,
    )
    spans = [(f.start, f.end) for f in outer if f not in needed and not f.is_kernel]
    spans += [(f.body + 1, f.end - 1) for f in outer if f.is_kernel]
    for function in needed:
        spans += _computed_statics(scanned, function)
    return lighten(blank_spans(scanned.source, spans + _catch_blocks(scanned)))


def _device_text(scanned: Scan, entry: str, host_text: str) -> tuple[str, tuple[Hidden, ...]]:
    outer = [f for f in scanned.functions if not f.in_class]
    needed = _reachable(scanned, outer, lambda f: f.is_device, bodies_of=lambda f: True)

    def host_only(function: Function) -> bool:
        if function.is_device:
            return False
        return function.name in {entry, "main"} or function not in needed or _launches(scanned, function)

    gone = [f for f in outer if host_only(f)]
    hidden = hidden_from_kernels(scanned, stays=lambda f: f not in gone)
    spans = [(f.start, f.end) for f in gone] + [(h.start, h.end) for h in hidden]
    spans += [(f.body + 1, f.end - 1) for f in _host_methods(scanned, {f.name for f in gone})]
    spans += [span for f in outer if f.is_kernel for span in _static_words(scanned, f)]
    return lighten(blank_spans(scanned.source, spans + _catch_blocks(scanned)), host_text), hidden


def _host_methods(scanned: Scan, host_functions: set[str]) -> Iterable[Function]:
    """Member functions that launch kernels, by a macro too, or call functions that only the host has."""
    marks = host_functions | _launching_macros(scanned)
    for function in scanned.functions:
        if function.in_class and not function.is_device:
            words = _WORD.findall(scanned.code[function.body : function.end])
            if _launches(scanned, function) or not marks.isdisjoint(words):
                yield function


def _launches(scanned: Scan, function: Function) -> bool:
    return bool(_LAUNCH.search(scanned.code, function.body, function.end))


def _launching_macros(scanned: Scan) -> set[str]:
    """Names of macros that hold a launch."""
    texts = (text for _, _, text in directives(mask(scanned.source)))
    return {m.group(1) for t in texts if (m := _DEFINE.search(t)) and _LAUNCH.search(t)}


def _static_words(scanned: Scan, function: Function) -> Iterable[tuple[int, int]]:
    """A `static` kernel is invisible to whoever loads the module."""
    return [m.span() for m in _STATIC.finditer(scanned.code, function.start, function.body)]


def _computed_statics(scanned: Scan, function: Function) -> Iterable[tuple[int, int]]:
    """Device code has no `static` with an initialiser that runs: without it, it runs at each call."""
    for match in _STATIC.finditer(scanned.code, function.body, function.end):
        end = scanned.code.find(";", match.end(), match.end() + MAX_DECLARATION)
        if _COMPUTED.search(scanned.code, match.end(), max(end, match.end())):
            yield match.span()


def _catch_blocks(scanned: Scan) -> list[tuple[int, int]]:
    spans = []
    for match in _CATCH.finditer(scanned.code):
        close = matching(scanned.code, match.end() - 1, "(", ")", MAX_DECLARATION)
        brace = scanned.code.find("{", close, close + MAX_DECLARATION)
        if brace >= 0 and not scanned.code[close + 1 : brace].strip():
            spans.append((match.start(), matching(scanned.code, brace) + 1))
    return spans


def _reachable(
    scanned: Scan,
    functions: list[Function],
    is_root: Callable[[Function], bool],
    *,
    bodies_of: Callable[[Function], bool],
) -> set[Function]:
    """The roots and every function that their bodies name, directly or through others.

    Names in classes, global initialisers and macros count as used: nothing says who uses those.
    """
    by_name: dict[str, list[Function]] = {}
    for function in functions:
        by_name.setdefault(_called_by(function), []).append(function)
    found = {f for f in functions if is_root(f)}
    pending = list(found)
    words = _words_outside(scanned, functions)
    while True:
        for word in words:
            for function in by_name.pop(word, ()):
                if function not in found:
                    found.add(function)
                    pending.append(function)
        if not pending:
            return found
        function = pending.pop()
        end = function.end if bodies_of(function) else function.body
        words = set(_WORD.findall(scanned.code[function.start : end]))


def _is_hosts_operator(function: Function) -> bool:
    """No word tells where an operator is called."""
    is_hosts = not function.is_device or "__host__" in function.qualifiers
    return is_hosts and bool(_OPERATOR.search(function.head))


def _called_by(function: Function) -> str:
    """The word that code has where it calls `function`: of a destructor the class."""
    name = function.name.split("::")[-1].split("<")[0].strip()
    return name.removeprefix("~")


def _words_outside(scanned: Scan, functions: list[Function]) -> set[str]:
    spans = [(f.start, f.end) for f in functions]
    words = set(_WORD.findall(blank_spans(scanned.code, spans)))
    for _, _, text in directives(mask(scanned.source)):
        if "define" in text:
            words.update(_WORD.findall(text))
    return words
