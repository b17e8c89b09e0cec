"""Does the submission's host function take what the task passes?

The compiler itself tells the types: a probe behind the user's text takes the function's address
as an argument of a template, whose mangled name then spells every parameter with macros,
typedefs and `using` resolved.
"""

from __future__ import annotations

import re

from trainer.cuda.demangle import Unnameable, parameter_types
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.model import Parameter, Signature
from trainer.cuda.scanner import Function, Scan
from trainer.errors import CompileError, Location

_PROBE_NAME = "wd_signature_of"
_PROBE_SYMBOL = re.compile(rf"\b(_Z\d+{_PROBE_NAME}I\w+)")
_INTEGERS = {
    "bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1,
    "short": 2, "unsigned short": 2, "int16_t": 2, "uint16_t": 2,
    "int": 4, "unsigned int": 4, "unsigned": 4, "int32_t": 4, "uint32_t": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8,
    "size_t": 8, "int64_t": 8, "uint64_t": 8, "ptrdiff_t": 8,
}  # fmt: skip
_SYNONYMS = {
    "unsigned": "unsigned int",
    "size_t": "unsigned long",
    "half": "__half",
    "half2": "__half2",
    "bfloat16": "__nv_bfloat16",
    "nv_bfloat16": "__nv_bfloat16",
}
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct)\b|\*?\s*\b__?restrict(?:__)?\b")


def probe(entry: str) -> str:
    """Text to append to the host text; must follow a line break.

    Its names are reserved ones: a file may well say `#define R 3`.
    """
    return (
        f"template <class wd_R, class... wd_A> void {_PROBE_NAME}(wd_R (*)(wd_A...));\n"
        f'extern "C" void wd_probe() {{ {_PROBE_NAME}(&::{entry}); }}\n'
    )


def probed_types(host_ptx: str) -> tuple[str, ...] | None:
    """The parameter types that the probe saw; None if they cannot be told."""
    match = _PROBE_SYMBOL.search(host_ptx)
    if not match:
        return None
    try:
        return parameter_types(match.group(1))
    except (Unnameable, ValueError, IndexError):
        return None


def find_entry(scanned: Scan, signature: Signature) -> Function | None:
    """The definition of the host function. Raises CompileError when there is none or more than one.

    None when only the preprocessor can tell (the name appears, but not as a plain definition).
    """
    found = [f for f in scanned.functions if f.name == signature.entry and not f.in_class and not f.is_kernel]
    if len(found) > 1:
        lines = ", ".join(str(scanned.line_of(f.start)) for f in found)
        raise CompileError(
            f"`{signature.entry}` is defined {len(found)} times (lines {lines}).",
            where=Location(FILE_NAME, scanned.line_of(found[1].start)),
            hint=f"Keep one: {signature}",
        )
    if found:
        return found[0]
    if re.search(rf"\b{re.escape(signature.entry)}\b", scanned.source):
        return None
    raise missing_entry(scanned, signature)


def missing_entry(scanned: Scan, signature: Signature) -> CompileError:
    others = [f.name for f in scanned.functions if not f.in_class]
    seen = f"functions found: {', '.join(dict.fromkeys(others[:8]))}" if others else "no function found"
    return CompileError(
        f"There is no host function `{signature.entry}` ({seen}).",
        where=Location(FILE_NAME),
        hint=f"Expected: {signature}",
    )


def check_signature(types: tuple[str, ...], signature: Signature, entry: Function | None, line: int) -> None:
    """Raises CompileError, showing both signatures, unless `types` can take the task's arguments."""
    expected = signature.parameters
    fits = len(types) == len(expected) and all(
        compatible(parameter.ctype, found) for parameter, found in zip(expected, types, strict=True)
    )
    if fits:
        return
    names = [_declared_name(p) for p in entry.parameters] if entry else []
    names += [""] * (len(types) - len(names))
    parameters = tuple(Parameter(n, shown(t)) for t, n in zip(types, names, strict=False))
    found = ", ".join(f"{p.ctype} {p.name}".strip() for p in parameters)
    raise CompileError(
        f"`{signature.entry}` has the wrong parameters.\n"
        f"  expected: {signature}\n"
        f"  found:    void {signature.entry}({found})",
        where=Location(FILE_NAME, line or None),
        hint="Change the parameters of your function to the expected ones; names do not matter.",
    )


def compatible(expected: str, found: str) -> bool:
    """Same type up to `const`, and up to width and sign for integers passed by value."""
    left, left_depth = _normal(expected)
    right, right_depth = _normal(found)
    if left_depth != right_depth:
        return False
    if left in _INTEGERS and right in _INTEGERS:
        return left_depth == 0 or _INTEGERS[left] == _INTEGERS[right]
    return left == right or (left_depth > 0 and "void" in (left, right))


def shown(ctype: str) -> str:
    """A type as people write it: `const float*`, `size_t`."""
    base, depth = _normal(ctype)
    prefix = "const " if re.match(r"const\b", ctype) or " const" in ctype.split("*")[0] else ""
    return prefix + {"unsigned long": "size_t", "__half": "half"}.get(base, base) + "*" * depth


def _normal(ctype: str) -> tuple[str, int]:
    """(base type without qualifiers, pointer depth); references count as values."""
    depth = ctype.count("*") + ctype.count("[")
    base = _QUALIFIERS.sub(" ", ctype.replace("*", " * ")).replace("*", " ").replace("&", " ")
    base = " ".join(re.sub(r"\[\w*\]", " ", base).split())
    return _SYNONYMS.get(base, base), depth


def _declared_name(parameter: str) -> str:
    match = re.search(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?:=.*)?$", parameter)
    return match.group(1) if match else ""
