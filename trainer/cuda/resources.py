"""What ptxas reports about kernels (`--ptxas-options=-v`), joined with what their PTX says."""

from __future__ import annotations

import re

from trainer.cuda.demangle import pretty
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.model import KernelResources

_FUNCTION = re.compile(
    r"^ptxas info\s*: (?:Compiling entry function|Function properties for) '?([\w$]+)'?", re.MULTILINE
)
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_SPILLS = re.compile(r"(\d+) bytes spill stores")
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s")
_LIMIT = re.compile(r"\.(?:maxntid|reqntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")


def entries(ptx: str) -> tuple[str, ...]:
    """Mangled names of the kernels in a PTX text."""
    return tuple(dict.fromkeys(_ENTRY.findall(ptx)))


def kernel_resources(ptx: str, log: str) -> tuple[KernelResources, ...]:
    files = {int(number): path for number, path in _FILE.findall(ptx)}
    own = {number for number, path in files.items() if path.rsplit("/", 1)[-1] == FILE_NAME}
    reports = _reports(log)
    found = []
    for match in _ENTRY.finditer(ptx):
        symbol = match.group(1)
        body = ptx.find("{", match.end())
        report = reports.get(symbol)
        limit = _LIMIT.search(ptx, match.end(), body)
        found.append(
            KernelResources(
                name=pretty(symbol),
                symbol=symbol,
                line=_line(ptx, body, own),
                registers=_value(_REGISTERS, report),
                shared_bytes=_value(_SHARED, report),
                spill_bytes=_value(_SPILLS, report),
                max_threads=_product(limit) if limit else 1024,
            )
        )
    return tuple(found)


def _reports(log: str) -> dict[str, str]:
    """The lines of the log that belong to each kernel."""
    reports: dict[str, str] = {}
    matches = list(_FUNCTION.finditer(log))
    ends = [m.start() for m in matches[1:]] + [len(log)]
    for match, end in zip(matches, ends, strict=False):
        reports[match.group(1)] = reports.get(match.group(1), "") + log[match.end() : end]
    return reports


def _line(ptx: str, body: int, own: set[int]) -> int:
    loc = _LOC.search(ptx, body, body + 4000)
    return int(loc.group(2)) if loc and int(loc.group(1)) in own else 0


def _value(pattern: re.Pattern[str], report: str | None) -> int | None:
    """ptxas leaves out what is 0."""
    if report is None:
        return None
    match = pattern.search(report)
    return int(match.group(1)) if match else 0


def _product(limit: re.Match[str]) -> int:
    result = 1
    for group in limit.groups():
        result *= int(group) if group else 1
    return result
