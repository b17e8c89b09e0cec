"""Run the cases of a task on a backend, one after the other, and keep what each showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trainer.bank.model import CaseSpec, KernelTask
from trainer.grade import judge as judging
from trainer.grade.backend import Backend, RunRequest
from trainer.grade.cases import Case, build_case
from trainer.grade.defences import SECOND_CALLS
from trainer.grade.judge import Judged, judge
from trainer.grade.options import Options
from trainer.grade.reporter import Reporter
from trainer.grade.verdict import Verdict

_ORDER_BUDGET_S = 2.0  # for a run that took milliseconds in the order of numbers


@dataclass
class Checker:
    """`specs` in the order of checking; `judged` grows with every case."""

    backend: Backend
    task: KernelTask
    options: Options
    reporter: Reporter
    specs: Sequence[CaseSpec]
    judged: list[Judged] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Nothing has failed so far."""
        return all(j.verdict is Verdict.ACCEPTED for j in self.judged)

    def check(self, spec: CaseSpec, *, observe: bool = False) -> Judged:
        """Run one case; with `observe`, count what it does to memory, too."""
        return self._keep(self._run(spec, observe, self.options.run_budget_s))

    def attempt(self, spec: CaseSpec, budget_s: float, *, observe: bool = False) -> Judged | None:
        """Like `check`, but None, and nothing kept, where `budget_s` was not enough: being slow in the
        simulator says little about a GPU."""
        judged = self._run(spec, observe, budget_s)
        return None if judged.verdict is Verdict.TIMED_OUT else self._keep(judged)

    def _run(self, spec: CaseSpec, observe: bool, budget_s: float) -> Judged:
        case = build_case(self.task, spec, self.options.seed)
        request = replace(self.request(case, observe=observe), budget_s=budget_s)
        return judge(case, self.backend.run(request), self.task.tolerance)

    def call_again(self, spec: CaseSpec) -> None:
        """`solve` must work every time: fresh data, other poison, the module of the run before."""
        for call in range(1, SECOND_CALLS + 1):
            case = build_case(self.task, spec, self.options.seed + call)
            request = replace(self.request(case, salt=call), fresh_module=False)
            judged = judge(case, self.backend.run(request), self.task.tolerance)
            if judged.verdict is Verdict.ACCEPTED:
                continue
            message = (
                "right the first time, not when called again on fresh data (does it keep something in a "
                f"__device__ or static variable?): {judged.result.message}"
            )
            name = f"{spec.name}, call {call + 1}"
            self._keep_as(judged, name=name, message=message, verdict=Verdict.REJECTED)
            return
        if self.backend.name == "sim":
            self._call_in_another_order(spec)

    def _call_in_another_order(self, spec: CaseSpec) -> None:
        """Blocks and warps run in any order on a GPU, and the simulator can show another. Only a wrong
        answer tells: whoever waits for blocks of lower numbers, which a GPU starts first, may wait for
        ever here.
        """
        case = build_case(self.task, spec, self.options.seed)
        request = replace(self.request(case), backwards=True, budget_s=_ORDER_BUDGET_S)
        judged = judge(case, self.backend.run(request), self.task.tolerance)
        if judged.verdict is Verdict.WRONG_ANSWER:
            message = (
                "right as long as blocks and warps run in the order of their numbers, which no GPU promises "
                f"(do places come from an atomic?): {judged.result.message}"
            )
            self._keep_as(judged, name=f"{spec.name}, backwards", message=message, verdict=judged.verdict)

    def look_for_poison(self) -> None:
        """Repeat the first wrong case with equal inputs and other poison: what changes was not written."""
        index = next((i for i, j in enumerate(self.judged) if j.verdict is Verdict.WRONG_ANSWER), None)
        if index is None:
            return
        judged = self.judged[index]
        same = self.backend.run(self.request(judged.case))
        if any(mask.any() for mask in judging.follows_poison(judged, same).values()):
            return  # not the same twice with equal poison: a difference tells nothing
        other = self.backend.run(self.request(judged.case, salt=1))
        self.judged[index] = replace(judged, unwritten=judging.follows_poison(judged, other))

    def request(self, case: Case, *, observe: bool = False, salt: int = 0) -> RunRequest:
        """The run of a case; another `salt` means other poison."""
        return RunRequest(
            arguments=case.arguments,
            seed=(self.options.seed + 7919 * salt) % 2**32,
            observe=observe,
            device_model=self.options.device_model,
            budget_s=self.options.run_budget_s,
        )

    def _keep_as(self, judged: Judged, *, name: str, message: str, verdict: Verdict) -> None:
        """A further call of a case that was right the first time; its hazards are those of that one."""
        result = replace(judged.result, name=name, verdict=verdict, message=message)
        self._keep(replace(judged, result=result, hazards=()))

    def _keep(self, judged: Judged) -> Judged:
        self.judged.append(judged)
        self.reporter.case_done(judged.result, len(self.judged), len(self.specs))
        return judged
