"""Content lint: proof that a task tells right from wrong, before anybody is graded by it.

For every case of every kernel task: wrong outputs fail (`mutants`, and the mistakes that the task's
oracle computes), right ones pass with three quarters of the tolerance to spare (`orders`), the
answer depends on the inputs, and inputs are what the task says. Statements' examples are computed.
Quizzes have a lint of their own (`trainer.quiz.lint`). This is the one module of the bank that uses
grading: it has to judge exactly as a grade does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.bank import expressions, ladder, schema
from trainer.bank.dtypes import dtype_of, is_float, limits
from trainer.bank.finding import SPARE, Finding, Severity
from trainer.bank.index import followup_files, load_index, question_files
from trainer.bank.lint_examples import untrue_examples
from trainer.bank.lint_folder import taken, unused
from trainer.bank.lint_solutions import lint_solutions
from trainer.bank.model import Argument, CaseSpec, Inputs, KernelTask, Kind, Question
from trainer.bank.mutants import mutants
from trainer.bank.oracle import load_module, oracle_function
from trainer.bank.orders import ORDERS
from trainer.bank.roots import Root, built_in
from trainer.bank.source import read_text
from trainer.bank.time_limit import at_most
from trainer.errors import ContentError, Location
from trainer.grade.backend import Backend
from trainer.grade.cases import Case, build_case, check_outputs
from trainer.grade.compare import Comparison, compare

Array = NDArray[Any]

SEEDS_APART = 20.0  # tolerances between the answers of two seeds
VACUOUS = 0.01  # share of elements that may accept a zero; exact tasks may have true zeros
VACUOUS_EXACT = 0.65
TELLING = 128  # elements from which an answer should depend on its inputs
HINTS = 3
RUNGS = 3
LARGEST_GIB = 4  # of arrays in a case that is checked; drawing and comparing takes a few times as much
_NUMBER = re.compile(r"[\d.]+|\binf\b")


def lint_bank(root: Root, seed: int = 1, backend: Backend | None = None) -> Iterator[Finding]:
    """Everything wrong with one bank, question by question; starters and rungs are run on `backend`."""
    index = load_index([root])
    yield from (_of(problem) for problem in (*index.problems, *taken(root, index)))
    yield from unused(root, index)
    known = _kinds(root)
    for path in (*(entry.path for entry in index.entries), *followup_files(root)):
        yield from lint_file(root, path, seed, backend, known)
    try:
        ladder.load_recordings(root.solutions)
    except ContentError as problem:
        yield _of(problem)


def lint_file(
    root: Root,
    path: Path,
    seed: int = 1,
    backend: Backend | None = None,
    known: Mapping[str, Kind] | None = None,
) -> Iterator[Finding]:
    """Everything wrong with one file of a bank, and with a task's ladder. `known`: questions there are."""
    known = _kinds(root) if known is None else known
    try:
        if path.parent == root.followups:
            from trainer.strategy.lint import lint_followups  # this and the next need this package, too

            yield from lint_followups(path, known, {p.parent.name for p in question_files(root)})
            return
        question = schema.load_file(root, path)
        yield from lint_question(question, seed)
        if question.quiz:
            from trainer.quiz.lint import lint_quiz

            yield from lint_quiz(question, known, backend)
        if question.strategy:
            from trainer.strategy.lint import lint_strategy

            yield from lint_strategy(question, known, backend)
        if question.task:
            rungs = ladder.load_rungs(question.task.solutions)
            if len(rungs) < RUNGS:
                message = f"has {len(rungs)} rungs; a ladder needs {RUNGS}"
                yield Finding(Location(question.task.solutions), Severity.WARNING, message)
            for rung in rungs:
                if not read_text(rung.source).lstrip().startswith(("//", "/*")):
                    message = "should start with a comment: what it does, and what that costs"
                    yield Finding(Location(rung.source, 1), Severity.WARNING, message)
            if backend is not None:
                yield from lint_solutions(question, question.task, rungs, backend, seed)
    except ContentError as problem:
        yield _of(problem)


def _kinds(root: Root) -> dict[str, Kind]:
    """What a follow-up may name, with its kind: questions of the same bank or of the built-in one."""
    return {entry.id: entry.kind for entry in load_index([root, built_in()]).entries}


def lint_question(question: Question, seed: int = 1) -> Iterator[Finding]:
    """Everything wrong with a question that could be read."""
    task = question.task
    if task is None:
        return
    if len(question.hints) != HINTS:
        message = f"has {len(question.hints)} hints; {HINTS} stages are usual"
        yield Finding(Location(question.path), Severity.WARNING, message)
    try:
        with at_most():
            lint = _Lint(question, task, seed)
    except ContentError as problem:
        yield _of(problem, question.path)
        return
    yield from lint.findings()


def _of(problem: ContentError, path: Path | None = None) -> Finding:
    where = problem.where or Location(path or "")
    return Finding(where, Severity.ERROR, problem.message, problem.hint)


class _Lint:
    """One run over one kernel task; `findings` yields what is wrong."""

    def __init__(self, question: Question, task: KernelTask, seed: int) -> None:
        self.question, self.task, self.seed = question, task, seed
        self.module = load_module(
            question.path.with_suffix(".py"), needs_terms=task.tolerance.kind == "terms"
        )
        self.caught: dict[str, bool] = {}  # mistake -> whether some case catches it

    def findings(self) -> Iterator[Finding]:
        """What many cases have in common is told once; after a case that cannot be built there are none."""
        yield from self.costs()
        told: dict[str, list[tuple[CaseSpec, str]]] = {}  # problem without its numbers -> where it was met
        broken: ContentError | None = None
        try:
            with at_most():
                examples = [(example.line, problem) for example, problem in untrue_examples(self.task)]
            yield from (self.finding(problem, line) for line, problem in examples)
            for spec in self.specs():
                for problem in self.about(spec):
                    told.setdefault(_NUMBER.sub("#", problem), []).append((spec, problem))
        except ContentError as problem_met:
            broken = problem_met
        for (spec, problem), *others in told.values():
            more = f" and {len(others)} more" if others else ""
            yield self.finding(f"case {spec.name!r}{more}: {problem}", spec.line)
        if broken:
            yield _of(broken, self.question.path)
            return
        missed = [name for name, caught in self.caught.items() if not caught]
        for name in missed:
            where = self.task.oracle.where("mistakes") or Location(self.question.path)
            yield Finding(where, Severity.ERROR, f"no case catches the mistake {name!r}")

    def specs(self) -> tuple[CaseSpec, ...]:
        large = (self.task.large,) if self.task.large else ()
        return (*self.task.cases, *large, self.task.modelled)

    def finding(self, message: str, line: int | None) -> Finding:
        return Finding(Location(self.question.path, line), Severity.ERROR, message)

    def about(self, spec: CaseSpec) -> list[str]:
        """What is wrong with one case. Raises ContentError if it cannot be built, or not in time."""
        try:
            self.refuse_huge(spec)
            with at_most():
                case = build_case(self.task, spec, self.seed)
                inputs = _inputs(case)
                return [
                    *self.declared(spec),
                    *self.wrong_outputs(case, inputs),
                    *self.right_outputs(case, inputs),
                    *self.substance(case),
                ]
        except TimeoutError as late:
            message = f"checking the case {spec.name!r} {late}"
            where = Location(self.question.path, spec.line)
            raise ContentError(message, where=where, hint="A smaller size proves as much.") from late
        except ContentError as problem:
            where = problem.where or Location(self.question.path, spec.line)
            raise ContentError(problem.message, where=where, hint=problem.hint) from problem

    def refuse_huge(self, spec: CaseSpec) -> None:
        """Raises ContentError rather than draw what does not fit into the memory of most machines."""
        held = 0
        for a in (a for a in self.task.arguments if a.shape):
            extents = [expressions.evaluate(extent, spec.sizes) for extent in a.shape]
            held += math.prod(extents) * dtype_of(a.dtype).itemsize
        if held > LARGEST_GIB << 30:
            message = f"the arrays of the case {spec.name!r} take {held / (1 << 30):.0f} GiB"
            raise ContentError(message, hint=f"At most {LARGEST_GIB} GiB; `timed` alone may be larger.")

    def costs(self) -> Iterator[Finding]:
        """What no solution can avoid is something, at the sizes that are timed and modelled."""
        for name, source in (("dram_bytes", self.task.cost.dram_bytes), ("flops", self.task.cost.flops)):
            for spec in (self.task.timed, self.task.modelled):
                least = 1 if name == "dram_bytes" else 0  # some tasks only move data
                try:
                    value = expressions.evaluate(source, spec.sizes)
                except ContentError as problem:
                    yield self.finding(f"cost.{name} at {spec.name}: {problem.message}", spec.line)
                    continue
                if value < least:
                    yield self.finding(f"cost.{name} is {value} at {spec.name}", spec.line)

    def shapes(self, case: Case) -> dict[str, tuple[int, ...]]:
        return {name: case.shape(name) for name in case.expected}

    def judge(self, outputs: Mapping[str, Array], case: Case) -> Comparison:
        with np.errstate(all="ignore"):
            typed = {n: np.ravel(v).astype(dtype_of(self.argument(n).dtype)) for n, v in outputs.items()}
        return compare(typed, case.expected, self.task.tolerance, case.terms)

    def argument(self, name: str) -> Argument:
        return next(a for a in self.task.arguments if a.name == name)

    def declared(self, spec: CaseSpec) -> Iterator[str]:
        """Inputs have the declared types, are the same for the same seed, and hold no NaN."""
        first, again = (
            self.task.oracle.inputs(np.random.default_rng(self.seed), spec.sizes, spec.values)
            for _ in range(2)
        )
        for a in self.task.arguments:
            if not a.role.is_read:
                continue
            value = np.asarray(first[a.name])
            if value.dtype != dtype_of(a.dtype):
                yield f"{a.name} is drawn as {value.dtype}, declared as {a.dtype}"
            if not np.array_equal(value, np.asarray(again[a.name])):
                yield f"{a.name} differs between two draws from one seed"
            if is_float(value.dtype) and not _is_plain(value):
                yield f"{a.name} holds NaN or denormal numbers"

    def wrong_outputs(self, case: Case, inputs: Inputs) -> Iterator[str]:
        rng = np.random.default_rng(self.seed)
        for name, outputs in mutants(self.task.arguments, inputs, case.expected, rng).items():
            if not self.is_right(outputs, case) and self.judge(outputs, case).ok:
                yield f"accepts a wrong output: {name}"
        with np.errstate(all="ignore"):
            mistakes = self.task.oracle.mistakes(**inputs) if self.task.oracle.mistakes else {}
        for name, outputs in mistakes.items():
            check_outputs(outputs, self.shapes(case), f"mistakes()[{name!r}]", "mistakes", self.task.oracle)
            self.caught[name] = self.caught.get(name, False) or not self.judge(outputs, case).ok

    def is_right(self, outputs: Mapping[str, Array], case: Case) -> bool:
        """Whether a mutant happens to be the right answer, up to two roundings."""
        for name, expected in case.expected.items():
            wanted = np.ravel(expected).astype(dtype_of(self.argument(name).dtype))
            got = np.ravel(outputs[name])
            with np.errstate(all="ignore"):
                slack: Any = 0
                apart = np.abs(got - wanted)
                if is_float(wanted.dtype):  # denormals may be flushed
                    slack = 2 * np.spacing(np.abs(wanted)).astype(np.float64) + limits(wanted.dtype)[0]
                    apart = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
                if not np.all((got == wanted) | (apart <= slack)):
                    return False
        return True

    def right_outputs(self, case: Case, inputs: Inputs) -> Iterator[str]:
        """The rounded reference, and float32 in three orders, use a quarter of the tolerance at most."""
        results = {"the rounded reference": case.expected}
        for name, values in case.expected.items():
            narrow = is_float(values.dtype) and values.dtype.itemsize < np.dtype(np.float64).itemsize
            if narrow and self.task.tolerance.kind != "exact":
                yield f"reference() gives {name!r} as {values.dtype}, not as float64"
        if hasattr(self.module, "in_float32"):
            compute = oracle_function(self.question.path.with_suffix(".py"), "in_float32")
            results |= {f"float32 summed {n}": compute(add, **inputs) for n, add in ORDERS.items()}
        elif self.task.tolerance.kind == "terms":
            yield 'the oracle has no in_float32(add, **inputs), which tolerance "terms" needs'
        for name, outputs in results.items():
            check_outputs(outputs, self.shapes(case), "in_float32()", "in_float32", self.task.oracle)
            used = self.judge(outputs, case).used
            if used > SPARE:
                yield f"{name} uses {used:.2f} of the tolerance; at most {SPARE} should do"

    def substance(self, case: Case) -> Iterator[str]:
        """Random cases with more than a few elements: few accept zero, and seeds matter."""
        if case.spec.values != "random" or case.elements < TELLING:
            return
        allowed = VACUOUS_EXACT if self.task.tolerance.kind == "exact" else VACUOUS
        for output in self.judge({n: np.zeros_like(v) for n, v in case.expected.items()}, case).outputs:
            share = 1 - output.wrong_count / output.elements
            if share >= allowed:
                yield f"{share:.0%} of {output.output} accepts zero"
        other = build_case(self.task, case.spec, self.seed + 1)
        if self.judge(other.expected, case).used < (
            0 if self.task.tolerance.kind == "exact" else SEEDS_APART
        ) or self.judge(other.expected, case).ok:
            yield "two seeds give answers that are hardly apart"


def _inputs(case: Case) -> Inputs:
    return {a.name: a.value for a in case.arguments if a.value is not None}


def _is_plain(values: Array) -> bool:
    sizes = np.abs(values)
    return not (np.isnan(values).any() or ((sizes > 0) & (sizes < limits(values.dtype)[0])).any())
