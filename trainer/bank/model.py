"""Questions as data. `loader` reads them from YAML, `lint` proves them sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.cuda.model import Signature

Array = NDArray[Any]
Text = Mapping[str, str]  # language -> text; "en" is always there


class Kind(StrEnum):
    QUIZ = "quiz"
    ANALYSIS = "analysis"
    KERNEL = "kernel"
    STRATEGY = "strategy"


class Role(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    SCALAR = "scalar"


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
    """One case to check: named sizes plus, for adversarial ones, the `values` family to draw."""

    name: str
    sizes: Mapping[str, int]
    values: str = "random"


Inputs = dict[str, Array | int | float]


@dataclass(frozen=True)
class Oracle:
    """The task's own Python module: `reference(**args)`, `inputs(rng, sizes, values)`, `terms(**args)`.

    `inputs` returns every input array and scalar by argument name; `reference` takes them all and
    returns {output name: float64 or exact integer array}; `terms` likewise, for tolerance "terms".
    """

    reference: Callable[..., dict[str, Array]]
    inputs: Callable[[np.random.Generator, Mapping[str, int], str], Inputs]
    terms: Callable[..., dict[str, Array]] | None = None


@dataclass(frozen=True)
class Cost:
    """Least bytes moved and flops, as expressions over the sizes: for the floor and the roofline."""

    dram_bytes: str
    flops: str


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


@dataclass(frozen=True)
class Question:
    id: str
    kind: Kind
    topic: str
    level: str  # "easy" | "medium" | "hard"
    title: Text
    statement: Text
    hints: tuple[Text, ...]
    path: Path
    task: KernelTask | None = None  # kind "kernel"


@dataclass(frozen=True)
class Rung:
    """One step of a reference ladder."""

    id: str  # "03-sequential"
    title: Text
    idea: Text
    removes: Text  # the bottleneck this rung takes away
    watch: Text  # what to see in the counters
    source: Path
