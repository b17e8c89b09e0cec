"""Leaves out headers that cost a second or more to read and that the text does not use.

Many files include <cub/cub.cuh> or <cooperative_groups.h> out of habit, and a host function hardly
ever needs what its kernels do. Of CUB, the device-wide part is our own and needs none of CUB's headers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trainer.cuda.scanner import blank_spans, directives, scan

_DEVICE_WIDE = re.compile(r"Device[A-Z]\w+|DoubleBuffer|Sum|Max|Min")
_LIGHT_CUB = "#include <warpdojo/cub_light.cuh>"


@dataclass(frozen=True)
class _Library:
    header: re.Pattern[str]
    namespace: str
    words: re.Pattern[str]  # what `using namespace` would bring in
    has_kernels: bool = False  # that the host function launches


_LIBRARIES = (
    _Library(
        re.compile(r"#include <cooperative_groups[./]"),
        "cooperative_groups",
        re.compile(
            r"\b(?:this_\w+|thread_block\w*|tiled_partition|grid_group|cluster_group|coalesced_\w+|thread_group"
            r"|labeled_partition|binary_partition|memcpy_async|wait|wait_prior|sync|invoke_one\w*|reduce"
            r"|inclusive_scan|exclusive_scan)\b"
        ),
    ),
    _Library(
        re.compile(r"#include <cub/"),
        "cub",
        re.compile(r"\b(?:Block|Warp|Device|Caching|Double)[A-Z]\w+"),
        has_kernels=True,
    ),
    _Library(re.compile(r"#include <thrust/"), "thrust", re.compile(r"\b\w+"), has_kernels=True),
    _Library(re.compile(r"#include <cuda/"), "cuda", re.compile(r"\b\w+")),
)


def lighten(text: str, launcher: str = "") -> str:
    """Blanks unused heavy includes, with the aliases and using-directives of their namespaces.

    What `launcher`, the host text, uses of a library with kernels counts as well.
    """
    if not any(library.header.search(text) for library in _LIBRARIES):
        return text
    code = scan(text).code
    launching = scan(launcher).code
    if _only_device_wide(code + launching):
        text = _with_light_cub(text)
    spans: list[tuple[int, int]] = []
    lines = {start: (end, line) for start, end, line in directives(text)}
    for library in _LIBRARIES:
        mentions = _mentions(library, code)
        if mentions is None or (library.has_kernels and _mentions(library, launching) is None):
            continue
        headers = [(a, b) for a, (b, line) in lines.items() if library.header.match(line.strip())]
        if headers:
            text = _drop_lines(text, headers)
            spans += mentions
    return blank_spans(text, spans)


def _only_device_wide(code: str) -> bool:
    names = re.findall(r"\bcub\s*::\s*(\w+)", code)
    return (
        bool(names)
        and len(names) == len(re.findall(r"\bcub\b", code))
        and all(_DEVICE_WIDE.fullmatch(name) for name in names)
    )


def _with_light_cub(text: str) -> str:
    lines = list(re.finditer(r"^#include <cub/[^\n]*>$", text, re.MULTILINE))
    text = _drop_lines(text, [m.span() for m in lines[1:]])
    return text[: lines[0].start()] + _LIGHT_CUB + text[lines[0].end() :] if lines else text


def _mentions(library: _Library, code: str) -> list[tuple[int, int]] | None:
    """Where the namespace is only announced; None if something of it is used."""
    namespace = library.namespace
    announced: list[tuple[int, int]] = []
    for match in re.finditer(rf"\bnamespace\s+(\w+)\s*=\s*(?:::)?{namespace}\s*;", code):
        if len(re.findall(rf"\b{match.group(1)}\b", code)) > 1:
            return None
        announced.append(match.span())
    for match in re.finditer(rf"\busing\s+namespace\s+(?:::)?{namespace}\s*;", code):
        announced.append(match.span())
        if library.words.search(blank_spans(code, announced)):
            return None
    rest = blank_spans(code, announced)
    return None if re.search(rf"\b{namespace}\b", rest) else announced


def _drop_lines(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
