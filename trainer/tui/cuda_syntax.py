"""Colours for CUDA text, line by line.

A tree-sitter grammar would be a compiled dependency whose wheel has no query for highlighting, and
Pygments lexes a whole file at each key. One regular expression per line is enough for kernels: about
10 us a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<comment>//.*|/\*.*?(?:\*/|$))
      | (?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
      | (?P<directive>^[ \t]*\#[ \t]*\w+)
      | (?P<number>\b\d[\w.']*(?:(?<=[eE])[+-]\d+\w*)?)
      | (?P<word>[A-Za-z_]\w*)(?P<call>[ \t]*\()?""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    "if else for while do return break continue switch case default goto template typename class struct "
    "union enum using namespace sizeof static const constexpr inline volatile extern auto operator "
    "public private true false nullptr static_assert alignas asm this decltype".split()
)
_TYPES = frozenset(
    "void bool char short int long float double signed unsigned size_t half __half __half2 __nv_bfloat16 "
    "half2 float2 float3 float4 double2 int2 int3 int4 uint2 uint3 uint4 dim3 int8_t uint8_t int16_t "
    "uint16_t int32_t uint32_t int64_t uint64_t uchar4 char4 cudaStream_t".split()
)
_CUDA = frozenset(
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ __managed__ "
    "__forceinline__ __noinline__ __grid_constant__ threadIdx blockIdx blockDim gridDim warpSize".split()
)


@dataclass(frozen=True)
class Span:
    """Characters `start` to `end` of a line; `kind` is the theme variable without "code-"."""

    start: int
    end: int
    kind: str


def spans(line: str, in_comment: bool = False) -> tuple[list[Span], bool]:
    """The coloured pieces of one line, and whether a block comment goes on behind it."""
    found: list[Span] = []
    position = 0
    if in_comment:
        end = line.find("*/")
        if end < 0:
            return [Span(0, len(line), "comment")], True
        position = end + 2
        found.append(Span(0, position, "comment"))
    for match in _TOKEN.finditer(line, position):
        kind = _kind(match)
        if kind:
            end = match.end("word") if match["word"] else match.end()
            found.append(Span(match.start(), end, kind))
    last = found[-1] if found else None
    text = line[last.start : last.end] if last else ""
    open_comment = text.startswith("/*") and (len(text) < 4 or not text.endswith("*/"))
    return found, open_comment and last is not None and last.kind == "comment"


def highlight_lines(text: list[str]) -> Iterator[list[Span]]:
    """The pieces of each line of a file, block comments carried over."""
    in_comment = False
    for line in text:
        found, in_comment = spans(line, in_comment)
        yield found


def _kind(match: re.Match[str]) -> str:
    word = match["word"]
    if not word:
        return "keyword" if match["directive"] else (match.lastgroup or "")
    if word in _CUDA:
        return "cuda"
    if word in _KEYWORDS:
        return "keyword"
    if word in _TYPES:
        return "type"
    return "function" if match["call"] else ""
