"""The whole record of a grade, and its JSON form (DESIGN section 5, schema 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from trainer.grade.backend import Access, Compiled, Divergence, Hazard, LaunchRecord, Model, Timing
from trainer.grade.ladder import Ladder
from trainer.grade.rates import library_ratio
from trainer.grade.score import Score
from trainer.grade.verdict import CaseResult, Mismatch, Verdict

SCHEMA = 1


@dataclass(frozen=True)
class Grade:
    """`message` is for people, in one or two sentences; `hint` says what to do next; `notes` are
    remarks that changed nothing. `planned` is how many cases a right file goes through. `compiled` is
    None where the file never reached a compiler."""

    task: str
    language: str
    backend: str
    device: str
    seed: int
    verdict: Verdict
    message: str
    hint: str
    score: Score
    elapsed_s: float
    line: int = 0
    compiled: Compiled | None = None
    launches: tuple[LaunchRecord, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    planned: int = 0
    hazards: tuple[Hazard, ...] = ()
    access: tuple[Access, ...] = ()
    divergence: tuple[Divergence, ...] = ()
    timing: Timing | None = None
    model: Model | None = None
    ladder: Ladder | None = None
    printed: str = ""
    notes: tuple[str, ...] = ()

    @property
    def not_run(self) -> str:
        """How many cases were left out, as a sentence; "" where none was."""
        missing = self.planned - len(self.cases)
        if missing <= 0:
            return ""
        return "one more case was not run" if missing == 1 else f"{missing} more cases were not run"


def grade_json(grade: Grade) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "task": grade.task,
        "language": grade.language,
        "backend": grade.backend,
        "device": grade.device,
        "verdict": grade.verdict.value,
        "message": " ".join(part for part in (grade.message, grade.hint) if part),
        "seed": grade.seed,
        "compile": _compile(grade.compiled),
        "launches": [launch_json(launch) for launch in grade.launches],
        "cases": [_case(case) for case in grade.cases],
        "hazards": [hazard_json(hazard) for hazard in grade.hazards],
        "access": [access_json(access) for access in grade.access],
        "timing": _timing(grade.timing),
        "model": model_json(grade.model),
        "ladder": ladder_json(grade.ladder),
        "score": {"total": grade.score.total, "parts": dict(grade.score.parts)},
    }


def explain_json(grade: Grade) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "task": grade.task,
        "launches": [launch_json(launch) for launch in grade.launches],
        "access": [access_json(access) for access in grade.access],
        "hazards": [hazard_json(hazard) for hazard in grade.hazards],
        "divergence": [divergence_json(entry) for entry in grade.divergence],
        "model": model_json(grade.model),
    }


def number(value: float | None) -> float | str | None:
    """JSON has no NaN or infinity: those become the strings "nan", "inf" and "-inf"."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _compile(compiled: Compiled | None) -> dict[str, Any] | None:
    if compiled is None:
        return None
    return {
        "ok": compiled.ok,
        "log": compiled.log,
        "diagnostics": [
            {"line": d.line, "column": d.column, "severity": d.severity.value, "message": d.message}
            for d in compiled.diagnostics
        ],
        "kernels": [
            {
                "name": k.name,
                "registers": k.registers,
                "shared_bytes": k.shared_bytes,
                "spill_bytes": k.spill_bytes,
            }
            for k in compiled.kernels
        ],
    }


def launch_json(launch: LaunchRecord) -> dict[str, Any]:
    return {
        "kernel": launch.kernel,
        "grid": list(launch.grid),
        "block": list(launch.block),
        "shared_bytes": launch.shared_bytes,
        "occupancy": launch.occupancy,
    }


def _case(case: CaseResult) -> dict[str, Any]:
    return {
        "name": case.name,
        "verdict": case.verdict.value,
        "elements": case.elements,
        "worst": _worst(case.worst),
    }


def _worst(worst: Mismatch | None) -> dict[str, Any] | None:
    if worst is None:
        return None
    return {
        "index": worst.index,
        "got": number(worst.got),
        "expected": number(worst.expected),
        "error": number(worst.error),
        "tolerance": number(worst.tolerance),
    }


def hazard_json(hazard: Hazard) -> dict[str, Any]:
    return {
        "kind": hazard.kind.value,
        "line": hazard.line,
        "kernel": hazard.kernel,
        "block": list(hazard.block),
        "thread": list(hazard.thread),
        "address": hazard.address,
        "message": hazard.message,
    }


def access_json(access: Access) -> dict[str, Any]:
    return {
        "kernel": access.kernel,
        "line": access.line,
        "source": access.source,
        "space": access.space.value,
        "op": access.op,
        "bytes_per_lane": access.bytes_per_lane,
        "requests": access.requests,
        "sectors": access.sectors,
        "ideal_sectors": access.ideal_sectors,
        "wavefronts": access.wavefronts,
        "ideal_wavefronts": access.ideal_wavefronts,
    }


def divergence_json(entry: Divergence) -> dict[str, Any]:
    return {
        "kernel": entry.kernel,
        "line": entry.line,
        "source": entry.source,
        "executions": entry.executions,
        "active_lanes": entry.active_lanes,
        "divergent_branches": entry.divergent_branches,
    }


def model_json(model: Model | None) -> dict[str, Any] | None:
    if model is None:
        return None
    return {
        "device": model.device,
        "dram_bytes": model.dram_bytes,
        "flops": model.flops,
        "floor_us": number(model.floor_us),
        "bound": model.bound,
        "predicted_us": number(model.predicted_us),
        "parts_us": {name: number(us) for name, us in model.parts_us.items()},
    }


def _timing(timing: Timing | None) -> dict[str, Any] | None:
    if timing is None:
        return None
    return {
        "median_us": timing.median_us,
        "p5_us": timing.p5_us,
        "p95_us": timing.p95_us,
        "samples": timing.samples,
        "cold": timing.cold,
        "gbps": timing.gbps,
        "tflops": timing.tflops,
        "floor_us": number(timing.floor_us),
        "floor_fraction": number(timing.floor_fraction),
        "efficiency": timing.efficiency,
        "bandwidth_use": timing.bandwidth_use,
        "library": {
            "name": timing.library.name,
            "median_us": timing.library.median_us,
            "ratio": library_ratio(timing),
        }
        if timing.library
        else None,
    }


def ladder_json(ladder: Ladder | None) -> dict[str, Any] | None:
    if ladder is None:
        return None
    return {
        "rung": ladder.rung,
        "between": list(ladder.between),
        "level": vars(ladder.level) if ladder.level else None,
        "size": ladder.size,
        "rungs": [
            {"id": r.id, "title": r.title, "median_us": r.median_us, "source": r.source, "level": r.level}
            for r in ladder.rungs
        ],
    }
