"""A quiz as data: what a file says, and what a template draws."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.bank.model import Text

if TYPE_CHECKING:
    from trainer.quiz.proof import Observed


class Form(StrEnum):
    """How a quiz is answered."""

    SINGLE = "single"  # one option
    MULTIPLE = "multiple"  # every right option and no other
    NUMERIC = "numeric"  # a number
    ORDERING = "ordering"  # all options in the right order
    LINES = "lines"  # a whole number for each marked line of a kernel


TYPED = (Form.NUMERIC, Form.LINES)
"""Forms without options: the answer is written."""


class Provenance(StrEnum):
    """Where a question comes from."""

    EXAM = "exam"  # recalled from a written exam
    INTERVIEW = "interview"  # reported from an interview or a company's own list
    GUIDE = "guide"  # in preparation guides
    REPOSITORY = "repository"  # stated in a studied code base
    DERIVED = "derived"  # a variant of our own


@dataclass(frozen=True)
class Option:
    """`why` says why a wrong option is wrong, or why a right one is right. In an ordering, options
    stand in the right order and all are `correct`."""

    text: Text
    correct: bool = False
    why: Text | None = None


@dataclass(frozen=True)
class Mistake:
    """A number that a known misconception leads to."""

    value: float
    why: Text


@dataclass(frozen=True)
class Numeric:
    """A number x is right if |x - value| <= max(absolute, relative * |value|)."""

    value: float
    unit: Text
    absolute: float = 0.0
    relative: float = 0.0
    mistakes: tuple[Mistake, ...] = ()

    def accepts(self, number: float, value: float | None = None) -> bool:
        """Whether `number` is this value, or a mistake's `value` to the same tolerance."""
        wanted = self.value if value is None else value
        return abs(number - wanted) <= max(self.absolute, self.relative * abs(wanted), 1e-9 * abs(wanted))


@dataclass(frozen=True)
class Picture:
    """One request of a warp to draw: byte addresses of the 32 lanes, of which `active` take part."""

    space: str  # "global": sectors, "shared": banks
    addresses: tuple[int, ...]
    width: int  # bytes a lane
    store: bool = False
    active: int = 0xFFFFFFFF


@dataclass(frozen=True)
class Sample:
    """A kernel that does what a drawn question asks about, for the lint and a GPU to run.

    `kernel` is one kernel `sample(const T* x, T* y)`, launched as `sample<<<launch>>>`, where x and y have
    room for `floats` floats and x[i] is float(i + 1). Its line that ends in `// this` makes requests of
    `cost` sectors (space "global") or wavefronts ("shared"), and is the kernel's only `op` in that space.
    """

    kernel: str
    launch: str
    space: str
    op: str  # as in Access: "load", "store", "atomic", "ldmatrix"
    cost: int
    floats: int = 8192

    @property
    def source(self) -> str:
        """With a host function `solve(const float* x, float* y, int n)`."""
        return f"{self.kernel}\n{self.host(self.call('sample'))}"

    @property
    def digest(self) -> str:
        """Changes with the text: counters of another kernel tell nothing about this one."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    def renamed(self, name: str) -> str:
        """The kernel under another name, so that many stand in one file."""
        return self.kernel.replace("void sample(", f"void {name}(")

    def call(self, name: str) -> str:
        """C++ that launches the kernel, whatever its element type."""
        types = re.findall(r"(?:const )?\w+ ?\*(?= [xy][,)])", self.kernel)
        return f"{name}<<<{self.launch}>>>(({types[0]})x, ({types[1]})y);"

    @staticmethod
    def host(calls: str) -> str:
        return f'extern "C" void solve(const float* x, float* y, int n) {{\n    {calls}\n}}\n'


@dataclass(frozen=True)
class Proof:
    """A program for the lint to run: what `measured` reads off its run is the `answer` of a drawn question.

    `source` holds `solve(const float* x, float* y, int n)`, with x and y of `floats` elements, x[i] being
    float(i + 1) and y zero.
    """

    source: str
    answer: float
    measured: Callable[[Observed], float] = field(compare=False)
    floats: int = 8192
    n: int = 0


class Measure(StrEnum):
    """What an analysis asks for at each marked line."""

    SECTORS = "sectors"  # of a request to global memory
    WAVEFRONTS = "wavefronts"  # of a request to shared memory
    LANES = "lanes"  # active when a warp executes the branch
    DIVERGENT = "divergent"  # executions of the branch, over the whole launch, that part a warp

    @property
    def space(self) -> str:
        """Which memory: "global", "shared", or "" for branches."""
        return {Measure.SECTORS: "global", Measure.WAVEFRONTS: "shared"}.get(self, "")

    @property
    def unit(self) -> str:
        return {Measure.LANES: "active lanes", Measure.DIVERGENT: "divergent branches"}.get(self, self.value)


@dataclass(frozen=True)
class Analysis:
    """A kernel with marked lines (`// 1`, `// 2` ...) and what is to be measured at each: `costs`.

    `source` holds `solve(const float* x, float* y, int n)`, with x and y of `floats` elements.
    """

    source: str
    measure: Measure
    costs: tuple[int, ...]
    floats: int
    n: int


@dataclass(frozen=True)
class Quiz:
    """One question that can be asked as it stands. `numeric` instead of `options` for numbers."""

    form: Form
    prompt: Text
    explanation: Text
    options: tuple[Option, ...] = ()
    numeric: Numeric | None = None
    gpu: str | None = None  # the GPU that the numbers belong to; None: they hold for all
    picture: Picture | None = None
    sample: Sample | None = None
    proof: Proof | None = None  # where no single request is the answer
    analysis: Analysis | None = None  # form "lines"
    parameters: Mapping[str, int | str] = field(default_factory=dict)  # what a template drew


@dataclass(frozen=True)
class QuizFile:
    """What a quiz file holds: a `quiz` as it stands, or the Python file of a `template` that draws one."""

    provenance: Provenance
    followups: tuple[str, ...] = ()
    quiz: Quiz | None = None
    template: Path | None = None
