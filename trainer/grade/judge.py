"""From what a run did to the verdict on a case, and from all cases to what the user is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from trainer.bank.model import Role, Tolerance
from trainer.grade.backend import Hazard, LaunchRecord, RunOutcome
from trainer.grade.cases import Case
from trainer.grade.compare import Comparison, Mask, compare
from trainer.grade.defences import broken_guards, changed_inputs
from trainer.grade.diagnose import HAZARD_HINTS, Evidence, diagnose
from trainer.grade.verdict import CaseResult, Mismatch, Verdict
from trainer.sim.report import HazardKind

PRECEDENCE = (
    Verdict.COMPILE_ERROR,
    Verdict.UNSUPPORTED,
    Verdict.TIMED_OUT,
    Verdict.RUNTIME_ERROR,
    Verdict.HAZARD,
    Verdict.WRONG_ANSWER,
    Verdict.REJECTED,
    Verdict.ACCEPTED,
)
"""Of all cases the verdict that comes first here decides; a cause stands before its consequence
(an out-of-bounds write before the wrong answer that it makes)."""

STOPPERS = frozenset({Verdict.COMPILE_ERROR, Verdict.UNSUPPORTED, Verdict.TIMED_OUT, Verdict.RUNTIME_ERROR})
"""After one of these no further case is run: it would end the same way, at the same cost."""


CAUSES = frozenset(
    {
        HazardKind.SHARED_RACE,
        HazardKind.GLOBAL_RACE,
        HazardKind.UNINITIALISED_READ,
        HazardKind.UNFINISHED_COPY,
    }
)
"""Findings that may be harmless, and are only advice then; beside a wrong answer they explain it."""


@dataclass(frozen=True)
class Judged:
    """One case after its run; `comparison` is None where there was nothing to compare."""

    case: Case
    outcome: RunOutcome
    result: CaseResult
    comparison: Comparison | None
    hazards: tuple[Hazard, ...]
    line: int = 0
    hint: str = ""
    unwritten: dict[str, Mask] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        return self.result.verdict


def judge(case: Case, outcome: RunOutcome, tolerance: Tolerance) -> Judged:
    """The verdict on one case. Order as in `PRECEDENCE`."""
    found = (outcome.report.hazards if outcome.report else ()) + broken_guards(outcome)
    fatal = next((h for h in found if h.fatal), None)
    comparison = None
    if outcome.outputs and outcome.verdict not in STOPPERS:
        comparison = compare(outcome.outputs, case.expected, tolerance, case.terms)
    line, hint = outcome.line, outcome.hint
    if outcome.verdict in STOPPERS:
        verdict, message = outcome.verdict, outcome.message
    elif fatal is not None:
        verdict, message, line = Verdict.HAZARD, fatal.message, fatal.line
        hint = hint or HAZARD_HINTS.get(fatal.kind, "")
    elif outcome.verdict is not None:
        verdict, message = outcome.verdict, outcome.message
    elif comparison is not None and not comparison.ok:
        verdict, message = Verdict.WRONG_ANSWER, _wrong(case, comparison)
        cause = next((h for h in found if h.kind in CAUSES or h.undefined), None)
        if outcome.empty_launch is not None:
            verdict, (message, line) = Verdict.RUNTIME_ERROR, outcome.empty_launch
            hint = "Round the number of blocks up: (N + block - 1) / block."
        elif cause is not None:
            verdict, line, hint = Verdict.HAZARD, cause.line, HAZARD_HINTS.get(cause.kind, "")
            message = f"{cause.message}; and the answer is wrong: {message}"
    elif changed_inputs(outcome):
        verdict, message = Verdict.REJECTED, changed_inputs(outcome)
    else:
        verdict, message = Verdict.ACCEPTED, ""
    worst = comparison.worst if comparison else None
    result = CaseResult(case.spec.name, verdict, case.elements, worst, message)
    return Judged(case, outcome, result, comparison, found, line, hint)


def deciding(judged: Iterable[Judged]) -> Judged | None:
    """The first case with the verdict that decides; None without cases."""
    return min(judged, key=lambda j: PRECEDENCE.index(j.verdict), default=None)


def empty_launch_note(judged: Iterable[Judged]) -> str:
    """What to say of a launch of nothing that did no harm; "" where there is none."""
    for one in judged:
        if one.outcome.empty_launch is not None and one.verdict is Verdict.ACCEPTED:
            sentence, line = one.outcome.empty_launch
            where = f"line {line}, case {one.result.name}"
            return f"{where}: {sentence}; solve never asks, and nothing was missing"
    return ""


def explain_wrong(judged: Sequence[Judged]) -> str:
    """A guess why the wrong cases are wrong; "" if there is none."""
    return diagnose([e for e in (_evidence(j) for j in judged) if e is not None])


def merge_hazards(judged: Iterable[Judged]) -> tuple[Hazard, ...]:
    """Findings of one kind at one place over all cases become one, counted; fatal ones first."""
    merged: dict[tuple[object, ...], Hazard] = {}
    for hazard in (h for j in judged for h in j.hazards):
        key = (hazard.kind, hazard.line, hazard.other_line, hazard.kernel)
        known = merged.get(key)
        merged[key] = replace(known, count=known.count + hazard.count) if known else hazard
    return tuple(sorted(merged.values(), key=lambda h: not h.fatal))


def follows_poison(judged: Judged, again: RunOutcome) -> dict[str, Mask]:
    """Wrong elements that have other bits in `again`, a run with equal inputs but other poison."""
    if judged.comparison is None:
        return {}
    masks = {}
    for output in judged.comparison.outputs:
        if output.output in again.outputs:
            a, b = np.ravel(judged.outcome.outputs[output.output]), np.ravel(again.outputs[output.output])
            bits = np.dtype(f"u{a.dtype.itemsize}")
            masks[output.output] = (a.view(bits) != b.view(bits)) & output.wrong
    return masks


def launches_of(outcome: RunOutcome | None) -> tuple[LaunchRecord, ...]:
    """What was launched, whichever part of the outcome tells."""
    if outcome is None:
        return ()
    return (outcome.report.launches if outcome.report else ()) or outcome.launches


def _evidence(judged: Judged) -> Evidence | None:
    if judged.comparison is None:
        return None
    launches = launches_of(judged.outcome)
    block = int(np.prod(launches[-1].block)) if launches else 0
    grid = int(np.prod(launches[-1].grid)) if launches else 0
    return Evidence(
        name=judged.case.spec.name,
        sizes=judged.case.spec.sizes,
        values=judged.case.spec.values,
        comparison=judged.comparison,
        got=judged.outcome.outputs,
        expected=judged.case.expected,
        block_threads=block,
        grid_threads=block * grid,
        unwritten={**judged.unwritten, **_left_as_given(judged)},
    )


def _left_as_given(judged: Judged) -> dict[str, Mask]:
    """Of arrays that are overwritten in place, the wrong elements that hold what they held before."""
    assert judged.comparison is not None
    wrong = {output.output: output.wrong for output in judged.comparison.outputs}
    return {
        a.name: wrong[a.name] & (np.ravel(judged.outcome.outputs[a.name]) == np.ravel(a.value))
        for a in judged.case.arguments
        if a.role is Role.INOUT and isinstance(a.value, np.ndarray)
    }


def _wrong(case: Case, comparison: Comparison) -> str:
    output = next(o for o in comparison.outputs if o.wrong_count)
    shown = output.first
    assert shown is not None
    share = f"{output.wrong_count} of {output.elements} elements are wrong" if output.elements > 1 else ""
    sizes = ", ".join(f"{name} = {value}" for name, value in case.spec.sizes.items())
    values = "" if case.spec.values == "random" else f", {case.spec.values.replace('_', ' ')} values"
    place = f"{element_name(shown, case)} is {shown.got:.9g}, expected {shown.expected:.9g}"
    return f"with {sizes}{values}: {place}" + (f"; {share}" if share else "")


def element_name(mismatch: Mismatch, case: Case) -> str:
    """`output[3][5]` for the element at a flat index."""
    shape = case.shape(mismatch.output)
    places = np.unravel_index(mismatch.index, shape) if shape else (mismatch.index,)
    return mismatch.output + "".join(f"[{int(p)}]" for p in places)
