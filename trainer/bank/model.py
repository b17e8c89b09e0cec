"""Questions as data. `schema` reads them from YAML, `lint` proves them sound.

NumPy is only needed once arrays are handled, so that listing questions stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trainer.bank.quiz import QuizFile
    from trainer.bank.strategy import Strategy
    from trainer.cuda.model import Signature
    from trainer.errors import Location

    Array = NDArray[Any]
else:

    def __getattr__(name: str) -> Any:
        """`Array` is NDArray[Any]; asking for it is what imports NumPy."""
        if name != "Array":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from numpy.typing import NDArray

        return NDArray[Any]


Text = Mapping[str, str]  # language -> text; "en" is always there
LEVELS = ("easy", "medium", "hard")


def localized(text: Text, language: str = "en") -> str:
    """The text in `language`, or in English where there is no translation."""
    return text.get(language, text["en"])


class Kind(StrEnum):
    QUIZ = "quiz"
    ANALYSIS = "analysis"
    KERNEL = "kernel"
    STRATEGY = "strategy"


class Role(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"  # an array that is given and overwritten with the answer
    SCALAR = "scalar"

    @property
    def is_read(self) -> bool:
        """An array that holds data when `solve` is called."""
        return self in (Role.INPUT, Role.INOUT)

    @property
    def is_written(self) -> bool:
        """An array that holds part of the answer afterwards."""
        return self in (Role.OUTPUT, Role.INOUT)


@dataclass(frozen=True)
class Argument:
    """One parameter of `solve`. `shape` is an expression over the scalar names, e.g. ["M", "K"]."""

    name: str
    ctype: str
    role: Role
    dtype: str  # numpy name: "float32", "int32"
    shape: tuple[str, ...] = ()
    zeroed: bool = False  # outputs only: zero before each run; otherwise poisoned


@dataclass(frozen=True)
class Tolerance:
    """How far an output may be from the fp64 oracle.

    kind "exact": equal. "ulp": |out - ref| <= bound ulps of the float32 reference.
    "terms": |out - ref| <= bound * terms, where `terms` is what the oracle module's
    `terms(**inputs)` returns per element (the sum of the absolute terms; DESIGN section 4).
    """

    kind: str
    bound: float = 0.0


@dataclass(frozen=True)
class CaseSpec:
    """One case to check: named sizes plus, for adversarial ones, the `values` family to draw. `line` of
    the question file, to say where a case that cannot be built comes from."""

    name: str
    sizes: Mapping[str, int]
    values: str = "random"
    line: int | None = field(default=None, compare=False)


Inputs = dict[str, "Array | int | float"]


@dataclass(frozen=True)
class Oracle:
    """The task's own Python module: `reference(**args)`, `inputs(rng, sizes, values)`, `terms(**args)`.

    `inputs` returns every input array and scalar by argument name; `reference` takes them all and
    returns {output name: float64 or exact integer array}; `terms` likewise, for tolerance "terms".
    An argument that is overwritten in place is in both; its array may not be changed.
    `mistakes` likewise returns, by a name for the mistake, what typical wrong solutions compute:
    {"scale missing": {output name: array}}. `where` tells the place of one of them, if there is a file.
    """

    reference: Callable[..., dict[str, Array]]
    inputs: Callable[[np.random.Generator, Mapping[str, int], str], Inputs]
    terms: Callable[..., dict[str, Array]] | None = None
    mistakes: Callable[..., dict[str, dict[str, Array]]] | None = None
    where: Callable[[str], Location | None] = lambda name: None


@dataclass(frozen=True)
class Cost:
    """Least bytes moved and flops, as expressions over the sizes: for the floor and the roofline.

    `arithmetic` says which units may do them: "fp32", or "tensor" for 16-bit inputs to tensor cores.
    """

    dram_bytes: str
    flops: str
    arithmetic: str = "fp32"


@dataclass(frozen=True)
class LibraryGemm:
    """The library call that a task is held against: result = left x right, row after row, by names of
    arguments; extents and the number of products are expressions over the sizes."""

    left: str
    right: str
    result: str
    rows: str
    inner: str
    columns: str
    batch: str = "1"


@dataclass(frozen=True)
class Example:
    """What the statement shows; values are numbers or nested lists, by argument name."""

    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class KernelTask:
    arguments: tuple[Argument, ...]
    signature: Signature
    tolerance: Tolerance
    cases: tuple[CaseSpec, ...]  # small: run on every backend
    timed: CaseSpec  # large: GPU timing
    modelled: CaseSpec  # middling: what the simulator explains
    cost: Cost
    oracle: Oracle
    starter: Path
    solutions: Path  # folder with NN-name.cu and ladder.yaml; may be missing
    accumulates: bool = False  # float atomics expected: order varies
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # size -> least, largest
    large: CaseSpec | None = None  # checked last, and left out where it is too much for the simulator
    examples: tuple[Example, ...] = ()
    library: LibraryGemm | None = None


@dataclass(frozen=True)
class Entry:
    """A question as the list shows it: only its head has been read."""

    id: str
    kind: Kind
    topic: str
    level: str  # one of LEVELS
    title: Text
    path: Path


@dataclass(frozen=True)
class Question:
    id: str
    kind: Kind
    topic: str
    level: str  # one of LEVELS
    title: Text
    statement: Text
    hints: tuple[Text, ...]
    path: Path
    task: KernelTask | None = None  # kind "kernel"
    quiz: QuizFile | None = None  # kinds "quiz" and "analysis"
    strategy: Strategy | None = None  # kind "strategy"


@dataclass(frozen=True)
class Level:
    """One of the levels that a ladder sorts its rungs into, and submissions with them."""

    number: int
    name: Text


@dataclass(frozen=True)
class Rung:
    """One step of a reference ladder. `needs` is the architecture without whose own instructions it does
    not run, such as "sm_90a"; the simulator has none of those."""

    id: str  # "03-sequential"
    title: Text
    idea: Text
    removes: Text  # the bottleneck this rung takes away
    watch: Text  # what to see in the counters
    source: Path
    level: Level | None = None
    needs: str = ""


@dataclass(frozen=True)
class RecordedTime:
    """Time of one rung in microseconds at the task's timed size, as `ladder --measure` saw it. Of rungs
    that were timed as baselines of a grade only the median is known."""

    median_us: float
    p5_us: float | None
    p95_us: float | None
    samples: int | None
    cold: bool
    fingerprint: str = ""  # of what was timed: `trainer.bank.ladder.fingerprint`


@dataclass(frozen=True)
class Recording:
    """Measured times of one GPU: `times[task id][rung id]`. The file is solutions/measured/<gpu>.json."""

    device: str  # "NVIDIA H200"
    driver: str
    date: str  # ISO, e.g. "2026-11-30"
    command: str  # what to run to measure again
    times: Mapping[str, Mapping[str, RecordedTime]]
    path: Path
