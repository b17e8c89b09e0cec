"""A task and a backend made of NumPy, to test grading without compiling anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trainer.bank.model import (
    Argument,
    Array,
    CaseSpec,
    Cost,
    KernelTask,
    Kind,
    Oracle,
    Question,
    Role,
    Tolerance,
)
from trainer.cuda.model import Diagnostic, KernelResources, Parameter, Severity, Signature
from trainer.grade.backend import (
    Compiled,
    LaunchRecord,
    RunOutcome,
    RunRequest,
    TimeOutcome,
    TimeRequest,
    Timing,
)
from trainer.grade.verdict import Verdict
from trainer.sim.report import SimReport

Solve = Callable[["Call"], None]


class Call:
    """What a fake kernel sees: arrays by name (outputs poisoned), scalars, and state that stays."""

    def __init__(
        self, arrays: dict[str, Array], scalars: dict[str, Any], state: dict[str, Any], backwards: bool
    ) -> None:
        self.arrays = arrays
        self.scalars = scalars
        self.state = state
        self.backwards = backwards
        self.outcome: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self.arrays[name] if name in self.arrays else self.scalars[name]


def double(call: Call) -> None:
    call["output"][:] = 2 * call["input"]


def inputs(rng: np.random.Generator, sizes: Mapping[str, int], values: str) -> dict[str, Any]:
    n = sizes["N"]
    data = rng.standard_normal(n).astype(np.float32)
    if values == "large":
        data += np.float32(1000)
    return {"input": data, "N": n}


def reference(input: Array, N: int) -> dict[str, Array]:
    return {"output": 2 * input.astype(np.float64)}


DOUBLE = KernelTask(
    arguments=(
        Argument("input", "const float*", Role.INPUT, "float32", ("N",)),
        Argument("output", "float*", Role.OUTPUT, "float32", ("N",)),
        Argument("N", "int", Role.SCALAR, "int32"),
    ),
    signature=Signature(
        "solve",
        (Parameter("input", "const float*"), Parameter("output", "float*"), Parameter("N", "int")),
    ),
    tolerance=Tolerance("ulp", 1.0),
    cases=(
        *(CaseSpec(f"N={n}", {"N": n}) for n in (1, 3, 31, 32, 255, 256, 257, 1024)),
        CaseSpec("N=100 large", {"N": 100}, "large"),
    ),
    timed=CaseSpec("timed", {"N": 5000}),
    modelled=CaseSpec("modelled", {"N": 2048}),
    cost=Cost("8 * N", "N"),
    oracle=Oracle(reference, inputs),
    starter=Path("double.cu"),
    solutions=Path("double"),
)


def question(task: KernelTask = DOUBLE) -> Question:
    text = {"en": "Double"}
    return Question("double", Kind.KERNEL, "vectors", "easy", text, text, (), Path("double.yaml"), task)


class FakeBackend:
    """Runs `solve` on NumPy arrays. Poison follows the seed; `state` lives as long as the module."""

    def __init__(self, solve: Solve = double, *, name: str = "sim", report: SimReport | None = None) -> None:
        self._solve = solve
        self._name = name
        self._state: dict[str, Any] = {}
        self.report = report
        self.runs: list[RunRequest] = []
        self.timing: Timing | None = None
        self.baselines: dict[str, Timing] = {}
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def device(self) -> str:
        return "a fake"

    def compile(self, source: str, signature: Signature) -> Compiled:
        if "error" in source:
            diagnostic = Diagnostic(1, 5, Severity.ERROR, 'identifier "error" is undefined')
            return Compiled(
                False, "", (), (diagnostic,), "log", 0.1, Verdict.COMPILE_ERROR, diagnostic.message
            )
        return Compiled(True, "solve", (KernelResources("k", "k", 1, 16, 0, 0),), (), "", 0.1)

    def run(self, request: RunRequest) -> RunOutcome:
        self.runs.append(request)
        if request.fresh_module:
            self._state = {}
        before = {a.name: a.value for a in request.arguments if a.role is Role.INPUT}
        poison = np.random.default_rng(request.seed)
        call = self._call(request, poison)
        self._solve(call)
        fields: dict[str, Any] = {
            "changed_inputs": tuple(n for n, v in before.items() if not np.array_equal(v, call[n])),
            "launches": (LaunchRecord("k", (4, 1, 1), (256, 1, 1), 0, 1.0),),
            "report": self.report,
            **call.outcome,
        }
        outputs = {a.name: call.arrays[a.name] for a in request.arguments if a.role.is_written}
        return RunOutcome(outputs=fields.pop("outputs", outputs), **fields)

    def time(self, request: TimeRequest) -> TimeOutcome:
        outputs = []
        self._state = {}
        for arguments in request.data_sets:
            call = self._call(RunRequest(arguments, 0), np.random.default_rng(1))
            self._solve(call)
            outputs.append({a.name: call.arrays[a.name] for a in arguments if a.role.is_written})
        return TimeOutcome(self.timing, self.baselines, tuple(outputs))

    def close(self) -> None:
        self.closed = True

    def _call(self, request: RunRequest, poison: np.random.Generator) -> Call:
        arrays: dict[str, Array] = {}
        scalars: dict[str, Any] = {}
        for argument in request.arguments:
            if argument.role is Role.SCALAR:
                scalars[argument.name] = argument.value
            elif argument.role.is_read:
                assert isinstance(argument.value, np.ndarray)
                arrays[argument.name] = argument.value.copy()
            else:
                count = int(np.prod(argument.shape))
                noise = poison.integers(1, 2**31, count, dtype=np.uint32).view(argument.dtype)
                arrays[argument.name] = np.zeros(count, argument.dtype) if argument.zeroed else noise
        return Call(arrays, scalars, self._state, request.backwards)


def timing(median_us: float, floor_us: float = 1.0) -> Timing:
    return Timing(
        median_us, median_us * 0.99, median_us * 1.01, 20, True, 1.0, None, floor_us, floor_us / median_us
    )


def verdicts(results: Sequence[Any]) -> list[str]:
    return [r.verdict.value for r in results]
