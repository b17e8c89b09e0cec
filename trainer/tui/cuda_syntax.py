"""Colours for CUDA text: tree-sitter parses it, `cuda.scm` says what has which colour.

Without tree-sitter, on a machine for which nobody built it, code has no colours and all else works.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

    Captures = Mapping[str, Sequence[Node]]
    _Point = tuple[int, int]  # row and byte in it
    _Place = tuple[_Point, _Point]

KINDS = tuple("number function builtin type keyword cuda directive string escape comment".split())
"""Of weak ones first: where two take the same characters, the later one has them."""
_MACRO = "macro"
_RUN = re.compile(rb"([^\0])\1*", re.DOTALL)


class Span(NamedTuple):
    """`start` to `end` of a line; `kind` is the theme variable without "code-"."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Grammar:
    language: Language
    query: Query


def grammar() -> Grammar | None:
    """None where tree-sitter cannot be loaded."""
    return _loaded()[0]


def problem() -> str:
    """Why there are no colours; "" where there are."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[Grammar | None, str]:
    """Takes 30 ms or more, most of them for the query: not before the first frame."""
    try:
        import tree_sitter_cuda
        from tree_sitter import Language, Query

        language = Language(tree_sitter_cuda.language())
        query = Query(language, Path(__file__).with_name("cuda.scm").read_text(encoding="utf-8"))
    except Exception as problem:  # of another version or for another machine, it may fail in any way
        return None, f"{type(problem).__name__}: {problem}"
    return Grammar(language, query), ""


def highlight(rows: Sequence[str]) -> list[list[Span]]:
    """The coloured pieces of each line, in characters and in order; together the lines are one text."""
    known = grammar()
    if known is None:
        return [[] for _ in rows]
    encoded = [row.encode(errors="replace") for row in rows]
    found = by_row(_captures(known, b"\n".join(encoded)), encoded)
    return [
        spans if len(row) == len(text) else [_in_characters(span, text) for span in spans]
        for row, text, spans in zip(rows, encoded, found, strict=True)
    ]


def by_row(captures: Captures, rows: Sequence[bytes], first: int = 0) -> list[list[Span]]:
    """What of `captures` lies in `rows`, the lines of a text from number `first` on; in bytes."""
    paint = [bytearray(len(row)) for row in rows]
    places = _places(captures)
    for number, kind in enumerate(KINDS, 1):
        for (top, left), (bottom, right) in places[kind]:
            for at in range(max(top, first), min(bottom + 1, first + len(rows))):
                row = paint[at - first]
                start = left if at == top else 0
                end = min(right, len(row)) if at == bottom else len(row)
                row[start:end] = bytes((number,)) * (end - start)
    return [[Span(*run.span(), KINDS[run[0][0] - 1]) for run in _RUN.finditer(row)] for row in paint]


def _captures(known: Grammar, text: bytes) -> Captures:
    from tree_sitter import Parser, QueryCursor

    return QueryCursor(known.query).captures(Parser(known.language).parse(text).root_node)


def _places(captures: Captures) -> dict[str, list[_Place]]:
    """By kind, those in macros among them."""
    found: dict[str, list[_Place]] = {
        kind: [(node.start_point, node.end_point) for node in captures.get(kind, ())] for kind in KINDS
    }
    for macro in captures.get(_MACRO, ()):
        top, left = macro.start_point
        for kind, places in _in_macro(macro.text or b"").items():
            found[kind] += [(_moved(start, top, left), _moved(end, top, left)) for start, end in places]
    return found


@lru_cache(maxsize=64)
def _in_macro(text: bytes) -> dict[str, list[_Place]]:
    """As if it stood alone. Kept, since an editor asks again for each line of it."""
    known = grammar()
    captures = _captures(known, text) if known is not None else {}
    return _places({kind: nodes for kind, nodes in captures.items() if kind != _MACRO})


def _moved(point: _Point, top: int, left: int) -> _Point:
    row, byte = point
    return top + row, left + byte if row == 0 else byte


def _in_characters(span: Span, text: bytes) -> Span:
    start, end = (len(text[:byte].decode(errors="replace")) for byte in (span.start, span.end))
    return Span(start, end, span.kind)
