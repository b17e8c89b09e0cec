"""Every error a user can meet, in one hierarchy.

    WarpDojoError                 what, where (file:line) and what to do next
    ├── UsageError                the command line or a file name is wrong          exit 2
    │   └── ContentError          a question, rung or blueprint file is wrong       exit 2
    ├── MissingToolError          no GPU, NVRTC, headers ... for what was asked     exit 3
    ├── SubmissionError           the user's file, not us; becomes a verdict        exit 1
    │   ├── CompileError          NVRTC or the signature check refused it
    │   ├── UnsupportedError      correct CUDA that this backend cannot run
    │   ├── DeviceFault           an access or instruction that a GPU would trap
    │   └── TimeLimitError        a budget ran out                                  exit 4
    ├── WorkerError               the child process died or spoke nonsense
    ├── CancelledError            the user stopped it                               exit 130
    └── StoreError                the history cannot be read or written
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainer.cuda.model import Diagnostic


@dataclass(frozen=True)
class Location:
    """A place in a text file; `line` and `column` count from 1, None when not known."""

    file: Path | str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [str(self.file), *(str(n) for n in (self.line, self.column) if n is not None)]
        return ":".join(parts)


class WarpDojoError(Exception):
    """Base of all errors shown to users.

    `message` says what happened, `where` names the place, `hint` says what to do next.
    """

    exit_code = 2

    def __init__(self, message: str, *, where: Location | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f"\n  {self.hint}" if self.hint else ""
        return f"{place}{self.message}{advice}"


class UsageError(WarpDojoError):
    """The command line, an option or a file name cannot be used as given."""


class ContentError(UsageError):
    """A question, solution or blueprint file breaks its schema."""


class MissingToolError(WarpDojoError):
    """The machine lacks what was asked for: a GPU, NVRTC, headers, a Python package."""

    exit_code = 3


class SubmissionError(WarpDojoError):
    """The submission is at fault; grading turns it into a verdict."""

    exit_code = 1


class CompileError(SubmissionError):
    """The submission does not compile, or its `solve` has the wrong parameters."""

    def __init__(
        self,
        message: str,
        *,
        where: Location | None = None,
        hint: str = "",
        log: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.log = log
        self.diagnostics = diagnostics


class UnsupportedError(SubmissionError):
    """Valid CUDA that the chosen backend cannot run; names the feature and its line."""


class DeviceFault(SubmissionError):
    """Something a GPU would stop at: null or wild pointer, misaligned access, bad launch, trap."""


class TimeLimitError(SubmissionError):
    """An instruction or wall-clock budget ran out."""

    exit_code = 4


class WorkerError(WarpDojoError):
    """The worker process crashed, was killed or broke the protocol."""

    exit_code = 1


class CancelledError(WarpDojoError):
    """`cancel()` was called, from the TUI or by a newer save in `watch`, while a worker was busy."""

    exit_code = 130

    def __init__(self, message: str = "stopped", *, where: Location | None = None, hint: str = "") -> None:
        super().__init__(message, where=where, hint=hint)


class StoreError(WarpDojoError):
    """The history file is locked, damaged, read-only or of a newer version; never fails a grade."""
