"""What passes between parent and child, beside the requests and answers of trainer.grade.backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trainer.cuda.model import Signature
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest

# What each request carries and what its answer is.
OPERATIONS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "compile": ((str, Signature), Compiled),
    "run": ((RunRequest,), RunOutcome),
    "time": ((TimeRequest,), TimeOutcome),
}


@dataclass(frozen=True)
class Problem:
    """An exception on its way to the parent. `kind` is the class name in trainer.errors."""

    kind: str
    message: str
    hint: str = ""


@dataclass(frozen=True)
class Hello:
    """The child's first message: it is ready, or `problem` says why it never will be."""

    name: str = ""
    device: str = ""
    problem: Problem | None = None
