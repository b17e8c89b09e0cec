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

_SPLICE = r"(?:\\[ \t]*\r?\n)*"
_GAP = rf"(?:[ \t]|{_SPLICE}|/\*.*?\*/)*?"
_WORDS = "|".join(_SPLICE.join(word) for word in ("include_next", "include", "import", "embed"))
_INCLUDE_LIKE = re.compile(rf"^(?P<gap>{_GAP})(?:\#|%:|\?\?=){_GAP}(?:{_WORDS})", re.MULTILINE | re.DOTALL)
_INCLUDE = re.compile(r"\s*(?:#|%:)\s*include\s*(?:<([^<>\n]+)>|\"([^\"\n]+)\")")
_COMMENT_OR_SPLICE = re.compile(r"/\*.*?\*/|//[^\n]*|\\[ \t]*\r?\n", re.DOTALL)
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
    for start, end, _ in directives(masked):
        text = source[start:end]
        if not _INCLUDE_LIKE.match(text):
            continue
        line = source.count("\n", 0, start) + 1
        replacement, absent = _resolve(text, line)
        out += [source[position:start], replacement, "\n" * text.count("\n")]
        missing += [absent] if absent else []
        position = end
    out.append(source[position:])
    return _disarm("".join(out)), tuple(missing)


def _resolve(text: str, line: int) -> tuple[str, MissingHeader | None]:
    match = _INCLUDE.match(_COMMENT_OR_SPLICE.sub(" ", text))
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


def _disarm(source: str) -> str:
    """Breaks what still looks like an include: it lies in a comment or string, as far as we can tell.

    Should the compiler see it otherwise, it finds no directive.
    """

    def check(match: re.Match[str]) -> str:
        text = match.group()
        rest = source[match.start() : source.find("\n", match.end()) % (len(source) + 1)]
        canonical = re.match(r"#include <([^<>\n]+)>$", rest)
        if canonical and _exists(canonical.group(1)):
            return text
        return text.replace("#", " ").replace("%:", "  ").replace("??=", "   ")

    return _INCLUDE_LIKE.sub(check, source)


@cache
def _exists(name: str) -> bool:
    if not re.fullmatch(r"[\w./+-]+", name):
        return False
    return any((folder / name).is_file() for folder in include_folders())


def include_folders() -> tuple[Path, ...]:
    """Ours first: they stand in for C++ library headers and for what CUDA's own refuse under NVRTC."""
    return (INCLUDE_ROOT, INCLUDE_ROOT / "stubs", *nvrtc.include_folders())
