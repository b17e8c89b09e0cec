"""What a submission may `#include`: the CUDA headers, our stand-ins for the C++ library, nothing else.

Every include line is rewritten to name a header that is known to exist in one of the include
folders, or blanked. So the compiler never looks for a file where the user could point it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from trainer.cuda import nvrtc
from trainer.cuda.scanner import directives, mask
from trainer.errors import CompileError, Location

INCLUDE_ROOT = Path(__file__).parent / "include"
FILE_NAME = "submission.cu"
MAX_COMMENTS = 1000

_SPLICE = r"(?:\\[ \t]*+\r?\n)*+"
_WORDS = ("include_next", "include", "import", "embed")
_SPLICED_WORD = re.compile("|".join(_SPLICE.join(word) for word in _WORDS))
_DIRECTIVE = re.compile(rf"\s*(?:\#|%:|\?\?=)\s*(?:{'|'.join(_WORDS)})\b")
_LINE_NUMBER = re.compile(r"\s*(?:#|%:)\s*(?:line\b|\d)")
_MARKS = ("#", "%:", "??=")
_SPLICE_BEFORE = re.compile(r"\\[ \t]*\r?\n?\Z")
_INCLUDE = re.compile(r"\s*(?:#|%:)\s*include\s*(?:<([^<>\n]+)>|\"([^\"\n]+)\")")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LINE_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_HEADER_SUFFIXES = (".h", ".cuh", ".hpp", ".hh", ".inl", ".inc", ".cu")


@dataclass(frozen=True)
class MissingHeader:
    """An include that was taken out: the file compiles only if nothing in it is used."""

    name: str
    line: int

    @property
    def advice(self) -> str:
        for prefix, advice in _ADVICE.items():
            if self.name.lower().startswith(prefix):
                return advice
        return f'A submission is one file: paste what "{self.name}" holds into it.'


_ADVICE = {
    "torch/": "PyTorch's C++ API is not available: `solve` gets plain device pointers, use those.",
    "aten/": "PyTorch's C++ API is not available: `solve` gets plain device pointers, use those.",
    "c10/": "PyTorch's C++ API is not available: `solve` gets plain device pointers, use those.",
    "cutlass/": "CUTLASS is not available: write the kernel itself.",
    "cute/": "CuTe is not available: write the kernel itself.",
    "cudnn": "cuDNN is not available: write the kernel itself.",
    "cufft": "cuFFT is not available: write the kernel itself.",
    "cusparse": "cuSPARSE is not available: write the kernel itself.",
    "cusolver": "cuSOLVER is not available: write the kernel itself.",
    "curand": "cuRAND is not available: compute random numbers in your kernel.",
    "nccl": "NCCL is not available: a submission runs on one GPU.",
    "gtest": "GoogleTest is not available: leave tests out of a submission.",
    "gmock": "GoogleTest is not available: leave tests out of a submission.",
}


def resolve_includes(source: str) -> tuple[str, tuple[MissingHeader, ...]]:
    """Rewrites or blanks every include line; no line moves.

    Raises CompileError for a path (`/etc/passwd`, `../x`), a computed include or another way to
    pull a file in.
    """
    out: list[str] = []
    missing: list[MissingHeader] = []
    position = 0
    masked = mask(source)
    for start, end, blank in directives(masked):
        text = source[start:end]
        if blank.strip() in _MARKS:  # nothing but a comment follows, which may hide the rest
            out += [source[position:start], text.replace("#", " ", 1).replace("%:", "  ", 1)]
            position = end
            continue
        plain = _without_comments(text)
        if _LINE_NUMBER.match(plain):  # messages shall name the lines that the user sees
            out += [source[position:start], "\n" * text.count("\n")]
            position = end
            continue
        if not _DIRECTIVE.match(plain):
            continue
        line = source.count("\n", 0, start) + 1
        replacement, absent = _resolve(text, line)
        out += [source[position:start], replacement, "\n" * text.count("\n")]
        missing += [absent] if absent else []
        position = end
    out.append(source[position:])
    return _disarm("".join(out)), tuple(missing)


def _resolve(text: str, line: int) -> tuple[str, MissingHeader | None]:
    match = _INCLUDE.match(_without_comments(text))
    if not match:
        raise _refusal(f"`{' '.join(text.split())}` is not allowed", line)
    angled, quoted = match.groups()
    name = (angled or quoted).strip()
    if name.startswith(("/", "~")) or "\\" in name or ":" in name:
        raise _refusal(f"`#include` of the file {name} is not allowed", line)
    if ".." in name.split("/"):
        if not name.endswith(_HEADER_SUFFIXES):
            raise _refusal(f"`#include` of the file {name} is not allowed", line)
        return "", MissingHeader(name, line)
    if _exists(name):
        return f"#include <{name}>", None
    return "", MissingHeader(name, line)


def _refusal(message: str, line: int) -> CompileError:
    return CompileError(
        f"{message}.",
        where=Location(FILE_NAME, line),
        hint="A submission is one file; it may include CUDA and C++ library headers by their plain names.",
    )


def _without_comments(text: str) -> str:
    return _COMMENT.sub(" ", _LINE_SPLICE.sub("", text))


def _disarm(source: str) -> str:
    """Breaks what still looks like an include: it lies in a comment or string, as far as we can tell.

    Should the compiler see it otherwise, it finds no directive.
    """
    out: list[str] = []
    position = 0
    for word in _SPLICED_WORD.finditer(source):
        mark = _mark_before(source, word.start())
        if mark is None or mark[0] < position:
            continue
        line_end = source.find("\n", word.end())
        line = source[mark[0] : line_end if line_end >= 0 else len(source)]
        canonical = re.match(r"#include <([^<>\n]+)>$", line)
        if not canonical or not _exists(canonical.group(1)):
            out += [source[position : mark[0]], " " * (mark[1] - mark[0])]
            position = mark[1]
    out.append(source[position:])
    return "".join(out)


def _mark_before(source: str, position: int) -> tuple[int, int] | None:
    """Where the `#` of a directive is whose word starts at `position`: over blanks, splices and comments.

    Where a comment before it may have begun is tried at every place, for only the compiler knows.
    """
    pending, seen = [position], set[int]()
    while pending:
        place = _skip_blanks(source, pending.pop())
        if place in seen:
            continue
        seen.add(place)
        if len(seen) > MAX_COMMENTS:
            raise _refusal(
                "A directive behind so many comments is not allowed", source.count("\n", 0, position) + 1
            )
        for mark in _MARKS:
            if source.endswith(mark, 0, place):
                return place - len(mark), place
        if source.endswith("*/", 0, place):
            before = max(source.rfind("*/", 0, place - 2), 0)
            pending += [before + m.start() for m in re.finditer(r"/\*", source[before : place - 2])]
    return None


def _skip_blanks(source: str, position: int) -> int:
    """Backwards over blanks and spliced line ends."""
    while position:
        if source[position - 1] in " \t":
            position -= 1
            continue
        line = source.rfind("\\", max(0, position - 80), position)
        if not source.endswith("\n", 0, position) or not _SPLICE_BEFORE.match(
            source[max(line, 0) : position]
        ):
            break
        position = line
    return position


@cache
def _exists(name: str) -> bool:
    if not re.fullmatch(r"[\w./+-]+", name):
        return False
    return any((folder / name).is_file() for folder in include_folders())


def include_folders() -> tuple[Path, ...]:
    """Ours first: they stand in for C++ library headers and for what CUDA's own refuse under NVRTC."""
    return (INCLUDE_ROOT, INCLUDE_ROOT / "stubs", *nvrtc.include_folders())
