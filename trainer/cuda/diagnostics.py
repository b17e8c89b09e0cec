"""NVRTC's log as diagnostics at the user's own lines, without our headers and paths."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trainer.cuda.demangle import pretty
from trainer.cuda.includes import FILE_NAME, include_folders
from trainer.cuda.model import Diagnostic, Severity

_HEAD = re.compile(
    r"^(?:(?P<file>[^\s(][^\n(]*)\((?P<line>\d+)\)|At end of source) ?: "
    r"(?P<kind>catastrophic error|error|Error|warning|remark)(?: #\d+(?:-D)?)?: (?P<message>.*)$"
)
_AT_LINE = re.compile(rf"at line (\d+) of {re.escape(FILE_NAME)}")
_AT_LINE_ANYWHERE = re.compile(r"\s*detected during:?.*|\s*instantiation of .*|\s*\[ \d+ instantiation.*")
_NOTE = re.compile(r"\((\d+)\): note")
_PTXAS = re.compile(r"^ptxas (?P<kind>error|fatal)\s*: (?P<message>.*)$")
_TOO_MUCH_SHARED = re.compile(r"Entry function '(\S+)' uses too much shared data \((\w+) bytes, (\w+) max\)")
_NAME_EXPRESSION = "Error in parsing name expression"
_NOISE = re.compile(
    r"^(?:ptxas |Remark: |\d+ errors? detected|\d+ catastrophic|Compilation terminated|Error limit)"
)
_SHIM = re.compile(r"\bwd_(?=cuda|fprintf)|\bwd_anonymous::")
_SEVERITY = {
    "error": Severity.ERROR,
    "Error": Severity.ERROR,
    "catastrophic error": Severity.ERROR,
    "warning": Severity.WARNING,
    "remark": Severity.NOTE,
}


def parse_log(log: str, source: str) -> tuple[Diagnostic, ...]:
    """Diagnostics of one compile. Warnings about headers, and what is said of text that we append
    to `source`, are not the user's business."""
    lines = source.split("\n")
    found = [_diagnostic(block, lines) for block in _blocks(log)]
    return merge(d for d in found if d and d.line <= len(lines) and (d.line or d.severity is Severity.ERROR))


def merge(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """In order of lines, each once: both compiles report a mistake that both see."""
    unique = {(d.line, d.message): d for d in diagnostics}
    return tuple(sorted(unique.values(), key=lambda d: (d.line or 1 << 30, d.column)))


def render(diagnostics: Iterable[Diagnostic], source: str) -> str:
    """A log that quotes the user's lines only."""
    lines = source.split("\n")
    out = []
    for d in diagnostics:
        place = f"{FILE_NAME}:{d.line}:{d.column}: " if d.line else ""
        out.append(f"{place}{d.severity}: {d.message}")
        if 0 < d.line <= len(lines):
            text = lines[d.line - 1].expandtabs(1)
            out.append(f"    {text.rstrip()[:200]}")
            if 0 < d.column <= 200:
                out.append("    " + " " * (d.column - 1) + "^")
    return "\n".join(out)


def _blocks(log: str) -> list[list[str]]:
    """A block is a message with the lines that belong to it."""
    blocks: list[list[str]] = []
    for line in log.split("\n"):
        if _HEAD.match(line) or _PTXAS.match(line):
            blocks.append([line])
        elif blocks and not _NOISE.match(line):
            blocks[-1].append(line)
    return blocks


def _diagnostic(block: list[str], lines: list[str]) -> Diagnostic | None:
    head = _HEAD.match(block[0])
    if not head:
        return _from_ptxas(block[0])
    if _NAME_EXPRESSION in head["message"]:  # ours; the cause has its own message
        return None
    body, excerpt, caret = _split_body(block[1:])
    column = 0
    if head["file"] is None:  # something is not closed; a note says where it was opened
        note = _NOTE.search("\n".join(block))
        line = int(note.group(1)) if note else len(lines)
    elif head["file"] == FILE_NAME or head["file"].endswith("/" + FILE_NAME):
        line = int(head["line"])
        column = _column(lines, line, excerpt, caret)
    else:
        via = _AT_LINE.search("\n".join(block))
        line = int(via.group(1)) if via else 0
    message = " ".join([head["message"].strip(), *body])
    return Diagnostic(line, column, _SEVERITY[head["kind"]], clean(message))


def _split_body(body: list[str]) -> tuple[list[str], str, int]:
    """Continuation lines of the message, the quoted source line, and where the caret is in it."""
    excerpt, caret = "", -1
    kept: list[str] = []
    for line in body:
        if line.strip() == "^":
            caret = line.index("^")
            excerpt = kept.pop() if kept else ""
        elif _AT_LINE_ANYWHERE.match(line) or _NOTE.search(line):
            continue
        else:
            kept.append(line)
    return [line.strip() for line in kept if line.strip()], excerpt, caret


def _column(lines: list[str], line: int, excerpt: str, caret: int) -> int:
    """NVRTC indents what it quotes; the caret counts from there."""
    quoted = excerpt.strip()
    if caret < 0 or not quoted or not 0 < line <= len(lines):
        return 0
    start = lines[line - 1].find(quoted)
    return max(1, start + caret - (len(excerpt) - len(excerpt.lstrip())) + 1) if start >= 0 else 0


def _from_ptxas(line: str) -> Diagnostic | None:
    match = _PTXAS.match(line)
    if not match:
        return None
    message = match["message"].strip()
    shared = _TOO_MUCH_SHARED.search(message)
    if shared:
        used, limit = int(shared.group(2), 16), int(shared.group(3), 16)
        message = (
            f"{pretty(shared.group(1))} declares {used:,} bytes of static shared memory; "
            f"{limit:,} is the limit. Use dynamic shared memory (extern __shared__) "
            "and cudaFuncSetAttribute for more."
        )
    elif message.startswith("Ptx assembly aborted"):
        return None
    return Diagnostic(0, 0, Severity.ERROR, clean(f"ptxas: {message}" if not shared else message))


def clean(text: str) -> str:
    """Without our folders and our spelling of the API."""
    for folder in sorted(map(str, include_folders()), key=len, reverse=True):
        text = text.replace(folder + "/", "")
    return _SHIM.sub("", re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", text))
