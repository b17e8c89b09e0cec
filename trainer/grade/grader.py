"""Grade one submission: compile, plan, check, hazards, time, explain, place.

Drives a `Backend` and never raises for what a submission does; whatever went wrong is in the `Grade`.
KeyboardInterrupt and MissingToolError pass through.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from trainer.bank.model import KernelTask, Question
from trainer.errors import SubmissionError, TimeLimitError, UnsupportedError, WarpDojoError, WorkerError
from trainer.grade import judge as judging
from trainer.grade.backend import Backend, Compiled, RunOutcome, RunRequest, TimeOutcome
from trainer.grade.cases import Case
from trainer.grade.checking import Checker
from trainer.grade.defences import order_cases
from trainer.grade.judge import STOPPERS
from trainer.grade.ladder import Ladder, Reached, RungTime, place, rung_times
from trainer.grade.modelled import level_by_model, predicted_us
from trainer.grade.observation import Observed, observe
from trainer.grade.options import Options, Ranks
from trainer.grade.reporter import Reporter, Stage
from trainer.grade.result import Grade
from trainer.grade.score import score
from trainer.grade.timed import DATA_SETS, Coming, Doubt, doubt, draw_timed, time_request
from trainer.grade.verdict import Verdict


def grade(
    question: Question,
    source: str,
    backend: Backend,
    *,
    options: Options,
    ranks: Ranks | None = None,
    observer: Backend | None = None,
    reporter: Reporter | None = None,
) -> Grade:
    """Grade `source` as an answer to the kernel task `question`.

    `backend` decides about right and wrong. `observer`, a simulator beside a GPU, looks for hazards
    and explains; without one the backend itself does, as far as it can.
    """
    if question.task is None:
        raise ValueError(f"{question.id} is not a kernel task")
    pool = ThreadPoolExecutor(2 + DATA_SETS, "grade")
    try:
        grading = _Grading(
            question=question,
            task=question.task,
            source=source,
            backend=backend,
            observer=observer,
            options=options,
            ranks=ranks or Ranks(),
            reporter=reporter or Reporter(),
            pool=pool,
            checker=Checker(
                backend, question.task, options, reporter or Reporter(), order_cases(question.task.cases)
            ),
        )
        return grading.run()
    finally:
        # After Ctrl-C the observer's call ends when its owner closes it: not waited for here.
        pool.shutdown(wait=False, cancel_futures=True)


class _StageEnd:
    """What a stage says about itself when it ends."""

    ok = True
    detail = ""

    def __call__(self, ok: bool, detail: str) -> None:
        self.ok, self.detail = ok, detail


LARGE_BUDGET_S = 6.0
"""For the large case, which most files get through in a fraction of a second."""

MAX_PRINT = 4096
"""Characters printed in all cases together, beyond which a file is not run at large sizes, where printing
takes minutes; a line or two a call is no obstacle."""

_VERDICTS: dict[type[WarpDojoError], Verdict] = {
    UnsupportedError: Verdict.UNSUPPORTED,
    TimeLimitError: Verdict.TIMED_OUT,
}
"""For what a backend raises instead of answering; anything else is a runtime error."""


@dataclass
class _Grading:
    question: Question
    task: KernelTask
    source: str
    backend: Backend
    observer: Backend | None
    options: Options
    ranks: Ranks
    reporter: Reporter
    pool: ThreadPoolExecutor
    checker: Checker
    compiled: Compiled | None = None
    explained: RunOutcome | None = None
    timed: TimeOutcome | None = None
    ladder: Ladder | None = None
    doubt: Doubt | None = None
    notes: list[str] = field(default_factory=list)
    observing: Future[Observed] | None = None
    started: float = field(default_factory=time.monotonic)
    name: str = ""
    device: str = ""

    def run(self) -> Grade:
        # Asked once, at the start: a worker that dies later would be replaced only to tell its name.
        # A simulator tells the GPU that it models from the start; requests name another.
        self.name = self.backend.name
        self.device = re.sub(r"\(models .+\)", f"(models {self.options.device_model})", self.backend.device)
        try:
            timing = self.name == "gpu" and self.options.speed
            data = draw_timed(self.task, self.options.seed, self.pool) if timing else ()
            if self._compile():
                self._plan()
                self._check()
                # The simulator looks for hazards meanwhile; stages are told in their order all the same.
                timed = self.pool.submit(self._measure, data) if data and self._may_be_timed() else None
                self._hazards()
                if timed is not None and self.checker.good:
                    self._time(timed, data)
                if self.options.explain and self.observer is None and self.checker.good:
                    self._explain()
                if self.ranks.rungs and self.checker.good:
                    with self._stage(Stage.PLACE) as end:
                        end(True, self._place().rung or "no place")
                elif self.ranks.rungs:
                    self._place()  # no place, but the rungs there are
            return self._conclude()
        except (WorkerError, SubmissionError) as problem:
            verdict = _VERDICTS.get(type(problem), Verdict.RUNTIME_ERROR)
            line = problem.where.line or 0 if problem.where else 0
            return self._finish(verdict, problem.message, problem.hint, line)

    # Stages, in order

    def _compile(self) -> bool:
        with self._stage(Stage.COMPILE) as end:
            compiled = self.compiled = self.backend.compile(self.source, self.task.signature)
            self.reporter.compiled(compiled)
            end(compiled.ok, _count(len(compiled.kernels), "kernel") if compiled.ok else "failed")
        if compiled.ok and self.observer is not None:
            self.observing = self.pool.submit(
                observe,
                self.observer,
                self.task,
                self.source,
                self.checker.specs,
                self.options.seed,
                self._request,
                self.options.explain,
            )
        return compiled.ok

    def _plan(self) -> None:
        """The first case shows what the host function does."""
        with self._stage(Stage.PLAN) as end:
            first = self.checker.check(self.checker.specs[0])
            launches = judging.launches_of(first.outcome)
            end(first.verdict not in STOPPERS, _count(len(launches), "launch", "launches"))

    def _check(self) -> None:
        if self._stopped():
            return
        with self._stage(Stage.CHECK) as end:
            for spec in self.checker.specs[1:]:
                if self._stopped() or self._out_of_time():
                    break
                self.checker.check(spec)
            if self.checker.good and len(self.checker.judged) == len(self.checker.specs):
                self.checker.call_again(self.checker.specs[-1])
            self._check_large()
            self.checker.look_for_poison()
            passed = sum(j.verdict is Verdict.ACCEPTED for j in self.checker.judged)
            total = max(self._to_check(), len(self.checker.judged))
            end(self.checker.good, f"{passed} of {total} cases right")

    def _stopped(self) -> bool:
        """Whether the latest case said that no other will run."""
        return self.checker.judged[-1].verdict in STOPPERS

    def _check_large(self) -> None:
        large = self.task.large
        if large is None or not self.checker.good or self._out_of_time():
            return
        if self._prints_much():
            self.notes.append(f"not checked at {large.name}, because it prints: take the printf calls out")
        elif self.name == "gpu":
            self.checker.check(large)
        elif self.checker.attempt(large, LARGE_BUDGET_S) is None:
            self.notes.append(f"too much work for the simulator at {large.name}: not checked there")

    def _hazards(self) -> None:
        """The simulator looks for them in the cases of the check; where those were cut short and had none,
        there is nothing to tell."""
        if self.observing is None and self._stopped() and not judging.merge_hazards(self.checker.judged):
            return
        with self._stage(Stage.HAZARDS) as end:
            if self.observing is not None:
                observed = self.observing.result()
                self.checker.judged.extend(observed.judged)
                self.explained = observed.explained
                if observed.note:
                    self.notes.append(observed.note)
            found = judging.merge_hazards(self.checker.judged)
            end(not any(h.fatal for h in found), f"{len(found)} found" if found else "none found")

    def _may_be_timed(self) -> bool:
        """Not what is wrong, nor what prints line after line."""
        if self.checker.good and self._prints_much():
            self.notes.append("not timed, because it prints: take the printf calls out to get a time")
        return self.checker.good and not self._prints_much()

    def _prints_much(self) -> bool:
        return sum(len(judged.outcome.printed) for judged in self.checker.judged) > MAX_PRINT

    def _measure(self, data: Sequence[Coming]) -> TimeOutcome:
        rungs = self.ranks.rungs if self.ranks.measure else ()
        data_sets = [coming.call.result().arguments for coming in data]
        return self.backend.time(time_request(self.task, data_sets, rungs))

    def _time(self, running: Future[TimeOutcome], data: Sequence[Coming]) -> None:
        with self._stage(Stage.TIME) as end:
            self.timed = running.result()
            cases = [coming.case.result() for coming in data]
            self.doubt = doubt(self.backend, self.task, cases, self.timed, self.options.seed)
            timing = self.timed.timing
            end(self.doubt is None, f"{timing.median_us:.2f} us" if timing else "no time")

    def _explain(self) -> None:
        with self._stage(Stage.EXPLAIN) as end:
            judged = self.checker.attempt(self.task.modelled, self.options.run_budget_s, observe=True)
            if judged is None:
                size = self.task.modelled.name
                self.notes.append(f"too much work for the simulator at {size}: not checked, not explained")
                end(False, "took too long")
                return
            self.explained = judged.outcome
            report = self.explained.report
            detail = _count(len(report.access), "access", "accesses") if report else "nothing to show"
            end(judged.verdict is Verdict.ACCEPTED, detail)

    def _place(self) -> Ladder:
        measured = {k: t.median_us for k, t in self.timed.baselines.items()} if self.timed else {}
        recorded = self.ranks.recorded
        times = rung_times(
            self.ranks.rungs, self.options.language, measured, recorded.times_us, recorded.device
        )
        timing = self.timed.timing if self.timed and self.doubt is None else None
        # A recorded time only compares with one of the same kind of GPU.
        comparable = bool(measured) or recorded.device == self.device
        self.ladder = place(timing.median_us if timing and comparable else None, times, self.task.timed.name)
        if timing is None:
            self.ladder = replace(self.ladder, level=self._modelled_level(times))
        return self.ladder

    def _modelled_level(self, times: Sequence[RungTime]) -> Reached | None:
        """Without a time: what the model says, held against times recorded on the GPU that is modelled."""
        report = self.explained.report if self.explained else None
        modelled = self.options.device_model
        if report is None or not self.ranks.recorded.device.endswith(f" {modelled}"):
            return None
        predicted = predicted_us(self.task, report, modelled)
        return level_by_model(predicted, times) if predicted else None

    def _request(self, case: Case, observe: bool) -> RunRequest:
        return self.checker.request(case, observe=observe)

    # The end

    def _to_check(self) -> int:
        return len(self.checker.specs) + (self.task.large is not None)

    def _planned(self) -> int:
        """The explained run, where it is this backend's, is a case as well."""
        return self._to_check() + (self.options.explain and self.observer is None)

    def _out_of_time(self) -> bool:
        """Of a file that is wrong, more cases only help to say why: they may not take long."""
        budget_s = self.options.total_budget_s
        if not self.checker.good:
            budget_s = min(budget_s, self.options.wrong_budget_s)
        return time.monotonic() - self.started > budget_s

    def _conclude(self) -> Grade:
        compiled = self.compiled
        if compiled is not None and not compiled.ok:
            return self._finish(compiled.verdict or Verdict.COMPILE_ERROR, compiled.message, compiled.hint)
        decided = judging.deciding(self.checker.judged)
        assert decided is not None, "the first case is always judged"
        if decided.verdict is not Verdict.ACCEPTED:
            message, hint = decided.result.message, decided.hint
            if decided.verdict is Verdict.WRONG_ANSWER:
                hint = judging.explain_wrong(self.checker.judged) or hint
            elif decided.verdict is not Verdict.REJECTED:
                message = f"{message} (case {decided.result.name})"
            return self._finish(decided.verdict, message, hint, decided.line)
        if self.doubt is not None:
            return self._finish(self.doubt.verdict, self.doubt.message)
        if len(self.checker.judged) < len(self.checker.specs):
            done = f"{len(self.checker.judged)} of {len(self.checker.specs)} cases"
            message = f"checking took longer than {self.options.total_budget_s:g} s; {done} were right so far"
            return self._finish(Verdict.TIMED_OUT, message)
        return self._finish(Verdict.ACCEPTED, f"all {len(self.checker.judged)} cases are right")

    def _finish(self, verdict: Verdict, message: str, hint: str = "", line: int = 0) -> Grade:
        report = self.explained.report if self.explained else None
        last = self.explained or (self.checker.judged[-1].outcome if self.checker.judged else None)
        hazards = judging.merge_hazards(self.checker.judged)
        timing = self.timed.timing if self.timed else None
        cases = tuple(j.result for j in self.checker.judged)
        if note := judging.empty_launch_note(self.checker.judged):
            self.notes.append(note)
        if timing is not None and timing.stepwise:
            self.notes.append("solve reads results back and decides on them: that is inside its time")
        return Grade(
            task=self.question.id,
            language="cuda",
            backend=self.name,
            device=self.device,
            seed=self.options.seed,
            verdict=verdict,
            message=message,
            hint=hint,
            line=line,
            score=score(verdict, cases, hazards, timing, self.ladder, report.access if report else ()),
            elapsed_s=time.monotonic() - self.started,
            compiled=self.compiled,
            launches=judging.launches_of(last),
            cases=cases,
            planned=self._planned(),
            hazards=hazards,
            access=report.access if report else (),
            divergence=report.divergence if report else (),
            timing=timing,
            model=report.model if report else None,
            ladder=self.ladder,
            printed=last.printed if last else "",
            notes=tuple(self.notes),
        )

    @contextmanager
    def _stage(self, stage: Stage) -> Iterator[Callable[[bool, str], None]]:
        end, began = _StageEnd(), time.monotonic()
        self.reporter.stage_started(stage)
        try:
            yield end
        except BaseException:
            end(False, "stopped")
            raise
        finally:
            self.reporter.stage_ended(stage, end.ok, end.detail, time.monotonic() - began)


def _count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


__all__ = ["Options", "Ranks", "grade"]
