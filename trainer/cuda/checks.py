"""Mistakes with launches that the device compiler does not see: to it, all code is device code."""

from __future__ import annotations

import re

from trainer.cuda.model import Diagnostic, Severity
from trainer.cuda.scanner import Function, Scan, defined_names

_LAUNCH = re.compile(r"\b(\w+)\s*(?:<[^;{}()<]*>\s*)?<\s*<\s*<")
_BEFORE_A_CALL = re.compile(r"(\w+)\s*$")
_KEYWORDS = frozenset({"return", "else", "do"})


def misused_kernels(scanned: Scan) -> list[Diagnostic]:
    """Kernels called like functions, functions launched like kernels."""
    functions = [f for f in scanned.functions if not f.in_class]
    kernels = {f.name for f in functions if f.is_kernel} - defined_names(
        scanned.source
    )  # `KERNEL(name)(...)`
    plain = {f.name for f in scanned.functions if not f.is_kernel}
    found = []
    for function in scanned.functions:
        if not function.is_device:
            found += _calls(scanned, function, kernels - plain)
            found += _launches(scanned, function, plain - kernels)
    return found


def _calls(scanned: Scan, function: Function, kernels: set[str]) -> list[Diagnostic]:
    if not kernels:
        return []
    pattern = re.compile(rf"(?<![\w.:>])({'|'.join(map(re.escape, sorted(kernels)))})\s*\(")
    found = []
    for match in pattern.finditer(scanned.code, function.body, function.end):
        before = _BEFORE_A_CALL.search(scanned.code, function.body, match.start())
        if before and before.group(1) not in _KEYWORDS:
            continue  # a variable of that name is declared
        name = match.group(1)
        message = f"the kernel {name} needs a launch configuration: {name}<<<grid, block>>>(...)"
        found.append(_error(scanned, match.start(1), message))
    return found


def _launches(scanned: Scan, function: Function, plain: set[str]) -> list[Diagnostic]:
    return [
        _error(
            scanned, m.start(1), f"{m.group(1)} is launched like a kernel but is not a __global__ function"
        )
        for m in _LAUNCH.finditer(scanned.code, function.body, function.end)
        if m.group(1) in plain
    ]


def _error(scanned: Scan, offset: int, message: str) -> Diagnostic:
    column = offset - (scanned.source.rfind("\n", 0, offset) + 1) + 1
    return Diagnostic(scanned.line_of(offset), column, Severity.ERROR, message)
