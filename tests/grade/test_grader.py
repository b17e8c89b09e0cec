from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.grade.fakes import DOUBLE, Call, FakeBackend, Solve, double, question, timing
from trainer.bank.model import Array, CaseSpec, Oracle, Role, Rung
from trainer.errors import DeviceFault, TimeLimitError, UnsupportedError, WarpDojoError, WorkerError
from trainer.grade.backend import Compiled, TimeOutcome, TimeRequest
from trainer.grade.grader import Options, Ranks, grade
from trainer.grade.reporter import Reporter, Stage
from trainer.grade.result import Grade
from trainer.grade.verdict import CaseResult, Verdict
from trainer.sim.report import Hazard, HazardKind, Model, SimReport

RACE = Hazard(HazardKind.SHARED_RACE, 7, "k", (0, 0, 0), (3, 0, 0), "shared+0x10", "thread 3 races thread 4")


def run(solve: Solve = double, source: str = "ok", **changes: object) -> Grade:
    return grade(question(), source, FakeBackend(solve), options=Options(seed=1, **changes))  # type: ignore[arg-type]


def test_a_right_answer_is_accepted_on_every_case() -> None:
    result = run()
    assert result.verdict is Verdict.ACCEPTED
    assert len(result.cases) == len(DOUBLE.cases) + 1  # and the modelled size
    assert all(c.verdict is Verdict.ACCEPTED for c in result.cases)
    assert result.score.total == 100


def test_cases_that_were_not_run_are_counted_as_a_right_file_goes_through_them() -> None:
    def wrong(call: Call) -> None:
        call["output"][:] = 1

    def broken(call: Call) -> None:
        call.outcome["verdict"] = Verdict.RUNTIME_ERROR

    assert run().not_run == ""
    assert run(wrong).not_run == "one more case was not run"
    assert run(broken).not_run == f"{len(DOUBLE.cases)} more cases were not run"


def test_a_compile_error_runs_nothing() -> None:
    backend = FakeBackend()
    result = grade(question(), "error", backend, options=Options(seed=1))
    assert result.verdict is Verdict.COMPILE_ERROR
    assert "undefined" in result.message
    assert backend.runs == []


def test_a_wrong_last_element_is_named_with_its_size() -> None:
    def tail(call: Call) -> None:
        double(call)
        if call["N"] % 256:
            call["output"][-1] = 0

    result = run(tail)
    assert result.verdict is Verdict.WRONG_ANSWER
    assert "N = 1:" in result.message and "output[0]" in result.message
    assert "multiple of 32" in result.hint or "multiple of 256" in result.hint


def test_an_output_never_written_is_told_from_a_wrong_one() -> None:
    result = run(lambda call: None)
    assert result.verdict is Verdict.WRONG_ANSWER
    assert "never written" in result.hint


IN_PLACE = replace(
    DOUBLE,
    arguments=(replace(DOUBLE.arguments[0], ctype="float*", role=Role.INOUT), DOUBLE.arguments[2]),
    oracle=Oracle(lambda input, N: {"input": 2 * input.astype(np.float64)}, DOUBLE.oracle.inputs),
)


def test_an_array_may_be_overwritten_with_the_answer() -> None:
    def twice(call: Call) -> None:
        call["input"][:] *= 2

    result = grade(question(IN_PLACE), "ok", FakeBackend(twice), options=Options(seed=1))
    assert result.verdict is Verdict.ACCEPTED, result.message


def test_what_still_holds_its_input_was_never_written() -> None:
    def front(call: Call) -> None:
        call["input"][:32] *= 2

    result = grade(question(IN_PLACE), "ok", FakeBackend(front), options=Options(seed=1))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert re.search(r"\d+ of \d+ elements of input are never written, from index 32 on", result.hint)


def test_nan_fill_is_wrong() -> None:
    def fill(call: Call) -> None:
        call["output"][:] = np.nan

    result = run(fill)
    assert result.verdict is Verdict.WRONG_ANSWER and "NaN" in result.hint


def test_changed_inputs_are_rejected() -> None:
    def clobber(call: Call) -> None:
        double(call)
        call["input"][0] += 1

    result = run(clobber)
    assert result.verdict is Verdict.REJECTED and "input" in result.message


def test_a_damaged_guard_zone_is_an_out_of_bounds_hazard() -> None:
    def overrun(call: Call) -> None:
        double(call)
        call.outcome["guards_broken"] = ("output: 4 bytes written past the end",)

    result = run(overrun)
    assert result.verdict is Verdict.HAZARD
    assert result.hazards[0].kind is HazardKind.OUT_OF_BOUNDS
    assert "past the end" in result.message


def test_a_kernel_that_skips_later_calls_is_rejected() -> None:
    def once(call: Call) -> None:
        call.state["calls"] = call.state.get("calls", 0) + 1
        if call.state["calls"] < 3:
            double(call)

    result = run(once)
    assert result.verdict is Verdict.REJECTED and "called again" in result.message


def test_an_answer_that_depends_on_the_order_of_blocks_is_wrong() -> None:
    def in_order(call: Call) -> None:
        double(call)
        if call.backwards:
            call["output"][:] = call["output"][::-1].copy()

    result = run(in_order)
    assert result.verdict is Verdict.WRONG_ANSWER and "order of their numbers" in result.message
    assert result.cases[-1].name.endswith(", backwards")


def test_a_kernel_that_needs_the_order_of_blocks_only_to_go_on_is_right() -> None:
    def waits(call: Call) -> None:
        double(call)
        if call.backwards:
            call.outcome["verdict"] = Verdict.TIMED_OUT

    assert run(waits).verdict is Verdict.ACCEPTED


def test_a_kernel_that_keeps_an_earlier_result_is_rejected() -> None:
    def remember(call: Call) -> None:
        if "kept" not in call.state:
            call.state["kept"] = 2 * call["input"]
        call["output"][:] = call.state["kept"]

    assert run(remember).verdict is Verdict.REJECTED


def test_every_run_is_on_other_data_for_another_seed() -> None:
    first, second = FakeBackend(), FakeBackend()
    grade(question(), "ok", first, options=Options(seed=1))
    grade(question(), "ok", second, options=Options(seed=2))
    one, two = first.runs[-1].arguments[0].value, second.runs[-1].arguments[0].value
    assert isinstance(one, np.ndarray) and isinstance(two, np.ndarray)
    assert not np.array_equal(one, two)


def test_a_fatal_hazard_comes_before_a_wrong_answer_and_advice_fails_nothing() -> None:
    backend = FakeBackend(lambda call: None, report=SimReport(hazards=(RACE,)))
    result = grade(question(), "ok", backend, options=Options(seed=1))
    assert result.verdict is Verdict.HAZARD and result.message.startswith(RACE.message) and result.line == 7
    advice = FakeBackend(report=SimReport(hazards=(replace(RACE, fatal=False),)))
    result = grade(question(), "ok", advice, options=Options(seed=1))
    assert result.verdict is Verdict.ACCEPTED and len(result.hazards) == 1
    assert result.hazards[0].count == len(DOUBLE.cases) + 1
    assert result.score.total < 100


def test_a_race_that_was_only_advice_explains_a_wrong_answer() -> None:
    report = SimReport(hazards=(replace(RACE, fatal=False),))
    result = grade(question(), "ok", FakeBackend(lambda call: None, report=report), options=Options(seed=1))
    assert result.verdict is Verdict.HAZARD and result.line == 7
    assert RACE.message in result.message and "the answer is wrong" in result.message


@pytest.mark.parametrize("verdict", [Verdict.TIMED_OUT, Verdict.UNSUPPORTED, Verdict.RUNTIME_ERROR])
def test_after_a_run_that_cannot_go_on_no_further_case_is_run(verdict: Verdict) -> None:
    def stuck(call: Call) -> None:
        call.outcome.update(outputs={}, verdict=verdict, message="stuck", line=4)

    backend = FakeBackend(stuck)
    result = grade(question(), "ok", backend, options=Options(seed=1))
    assert (result.verdict, result.message, result.line) == (verdict, "stuck (case N=1)", 4)
    assert len(backend.runs) == 1


def test_a_size_that_only_the_explained_run_has_still_counts() -> None:
    def small_only(call: Call) -> None:
        if call["N"] <= 1024:
            double(call)

    result = run(small_only)
    assert result.verdict is Verdict.WRONG_ANSWER and "N = 2048" in result.message


def test_a_size_that_is_too_much_for_the_simulator_fails_nothing() -> None:
    def slow(call: Call) -> None:
        double(call)
        if call["N"] > 1024:
            call.outcome.update(outputs={}, verdict=Verdict.TIMED_OUT, message="still running")

    result = run(slow)
    assert result.verdict is Verdict.ACCEPTED and result.message == f"all {len(DOUBLE.cases)} cases are right"
    assert any("too much work for the simulator" in note for note in result.notes)


def test_a_large_case_finds_who_counted_on_small_ones_but_may_be_too_much() -> None:
    def limited(call: Call) -> None:
        if call["N"] <= 4096:
            double(call)

    def slow(call: Call) -> None:
        double(call)
        if call["N"] > 4096:
            call.outcome.update(outputs={}, verdict=Verdict.TIMED_OUT, message="still running")

    task = question(replace(DOUBLE, large=CaseSpec("large", {"N": 5000})))
    assert grade(task, "ok", FakeBackend(limited), options=Options(seed=1)).verdict is Verdict.WRONG_ANSWER
    result = grade(task, "ok", FakeBackend(slow), options=Options(seed=1))
    assert result.verdict is Verdict.ACCEPTED and any("too much work" in note for note in result.notes)
    backend = FakeBackend(slow, name="gpu")
    assert grade(task, "ok", backend, options=Options(seed=1, speed=False)).verdict is Verdict.TIMED_OUT


def test_running_out_of_time_is_never_accepted() -> None:
    assert run(total_budget_s=-1.0).verdict is Verdict.TIMED_OUT


def test_a_wrong_file_that_is_slow_is_not_run_on_every_case() -> None:
    def wrong(call: Call) -> None:
        call["output"][:] = 1

    assert len(run(wrong).cases) == len(DOUBLE.cases)
    hasty = run(wrong, wrong_budget_s=-1.0)
    assert hasty.verdict is Verdict.WRONG_ANSWER and len(hasty.cases) == 1
    assert run(wrong_budget_s=-1.0).verdict is Verdict.ACCEPTED


def test_a_worker_that_cannot_work_is_a_verdict() -> None:
    class Broken(FakeBackend):
        def run(self, request: object) -> object:  # type: ignore[override]
            raise WorkerError("the worker spoke nonsense")

    result = grade(question(), "ok", Broken(), options=Options(seed=1))  # type: ignore[arg-type]
    assert result.verdict is Verdict.RUNTIME_ERROR and "nonsense" in result.message


@pytest.mark.parametrize(
    ("problem", "verdict"),
    [
        (DeviceFault("out of memory"), Verdict.RUNTIME_ERROR),
        (UnsupportedError("textures"), Verdict.UNSUPPORTED),
        (TimeLimitError("too long"), Verdict.TIMED_OUT),
    ],
)
def test_what_a_backend_raises_is_a_verdict_all_the_same(problem: WarpDojoError, verdict: Verdict) -> None:
    def fail(call: Call) -> None:
        raise problem

    result = run(fail)
    assert result.verdict is verdict and result.message == problem.message


class Recorder(Reporter):
    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.ended: list[tuple[Stage, bool]] = []
        self.cases: list[CaseResult] = []
        self.seen: list[Compiled] = []

    def stage_started(self, stage: Stage) -> None:
        self.stages.append(stage)

    def stage_ended(self, stage: Stage, ok: bool, detail: str, elapsed_s: float) -> None:
        self.ended.append((stage, ok))

    def compiled(self, compiled: Compiled) -> None:
        self.seen.append(compiled)

    def case_done(self, result: CaseResult, done: int, total: int) -> None:
        self.cases.append(result)


def test_every_stage_is_reported_as_it_starts_and_ends() -> None:
    reporter = Recorder()
    backend = FakeBackend(name="gpu")
    backend.timing = timing(10.0)
    grade(question(), "ok", backend, options=Options(seed=1), reporter=reporter, observer=FakeBackend())
    names = [Stage.COMPILE, Stage.PLAN, Stage.CHECK, Stage.HAZARDS, Stage.TIME]
    assert reporter.stages == names
    assert reporter.ended == [(name, True) for name in names]
    assert len(reporter.cases) == len(DOUBLE.cases) and len(reporter.seen) == 1


@pytest.mark.parametrize(
    ("verdict", "stages"),
    [
        (Verdict.WRONG_ANSWER, [Stage.COMPILE, Stage.PLAN, Stage.CHECK, Stage.HAZARDS]),
        (Verdict.RUNTIME_ERROR, [Stage.COMPILE, Stage.PLAN]),
    ],
)
def test_only_stages_that_had_something_to_do_are_reported(verdict: Verdict, stages: list[Stage]) -> None:
    def solve(call: Call) -> None:
        if verdict is Verdict.RUNTIME_ERROR:
            call.outcome["verdict"] = verdict

    reporter = Recorder()
    graded = grade(
        question(), "ok", FakeBackend(solve), options=Options(seed=1), reporter=reporter,
        ranks=Ranks((Rung("01-a", {"en": "A"}, {}, {}, {}, Path("a.cu")),)),
    )  # fmt: skip
    assert graded.verdict is verdict and graded.ladder is not None and graded.ladder.rungs
    assert reporter.stages == stages


# With a GPU


def on_gpu(solve: Solve = double, median_us: float = 10.0, observer: FakeBackend | None = None) -> Grade:
    backend = FakeBackend(solve, name="gpu")
    backend.timing = timing(median_us, floor_us=8.0)
    return grade(question(), "ok", backend, options=Options(seed=1), observer=observer)


def test_a_time_is_measured_on_a_gpu_only() -> None:
    accepted = on_gpu()
    assert accepted.verdict is Verdict.ACCEPTED and accepted.timing is not None
    assert run().timing is None


@pytest.mark.parametrize("line", ["block 7 says 3\n", "."])
def test_what_prints_line_after_line_is_not_timed(line: str) -> None:
    def chatty(call: Call) -> None:
        double(call)
        call.outcome["printed"] = line * 400

    graded = on_gpu(chatty)
    assert graded.verdict is Verdict.ACCEPTED
    assert (graded.timing is None) == any("not timed" in note for note in graded.notes) == (len(line) > 1)


def test_a_gpu_is_not_asked_for_another_order_of_blocks() -> None:
    for name, asked in (("gpu", False), ("sim", True)):
        backend = FakeBackend(name=name)
        backend.timing = timing(10.0)
        assert grade(question(), "ok", backend, options=Options(seed=1)).verdict is Verdict.ACCEPTED
        assert any(request.backwards for request in backend.runs) == asked


def test_the_gpu_times_while_the_oracle_still_computes_what_must_come_out() -> None:
    backend = FakeBackend(name="gpu")
    backend.timing = timing(10.0)
    started = threading.Event()
    measure = backend.time

    def time(request: TimeRequest) -> TimeOutcome:
        started.set()
        return measure(request)

    def reference(input: Array, N: int) -> dict[str, Array]:
        if DOUBLE.timed.sizes["N"] == N:
            assert started.wait(10)
        return DOUBLE.oracle.reference(input, N)

    backend.time = time  # type: ignore[method-assign]
    slow = replace(DOUBLE, oracle=replace(DOUBLE.oracle, reference=reference))
    assert grade(question(slow), "ok", backend, options=Options(seed=1)).verdict is Verdict.ACCEPTED


def test_what_prints_line_after_line_is_not_run_at_large_sizes() -> None:
    def chatty(call: Call) -> None:
        double(call)
        call.outcome["printed"] = "block 7 says 3\n" * 400

    task = question(replace(DOUBLE, large=CaseSpec("large", {"N": 5000})))
    result = grade(task, "ok", FakeBackend(chatty), options=Options(seed=1))
    assert result.verdict is Verdict.ACCEPTED and result.not_run == "one more case was not run"
    assert any("not checked at large, because it prints" in note for note in result.notes)


def test_a_time_below_the_floor_is_rejected() -> None:
    result = on_gpu(median_us=7.0)
    assert result.verdict is Verdict.REJECTED and "less than" in result.message


def test_timed_runs_that_compute_nothing_are_rejected() -> None:
    def lazy(call: Call) -> None:
        call.state["calls"] = call.state.get("calls", 0) + 1
        if call["N"] != 5000 or call.state["calls"] == 1:
            double(call)

    result = on_gpu(lazy)
    assert result.verdict is Verdict.REJECTED and "timed runs" in result.message


def test_a_bug_that_only_the_timed_size_shows_is_a_wrong_answer() -> None:
    def small_only(call: Call) -> None:
        if call["N"] < 5000:
            double(call)

    assert on_gpu(small_only).verdict is Verdict.WRONG_ANSWER


def test_the_simulator_explains_beside_a_gpu() -> None:
    model = Model("H200", 1, 1, 1.0, "memory")
    result = on_gpu(observer=FakeBackend(report=SimReport(model=model)))
    assert result.backend == "gpu" and result.model == model


def test_a_race_that_only_the_simulator_sees_fails_the_grade_on_a_gpu() -> None:
    result = on_gpu(observer=FakeBackend(report=SimReport(hazards=(RACE,))))
    assert result.verdict is Verdict.HAZARD


def test_what_the_simulator_cannot_do_is_only_a_note_beside_a_gpu() -> None:
    def unknown(call: Call) -> None:
        call.outcome.update(outputs={}, verdict=Verdict.UNSUPPORTED, message="wgmma")

    result = on_gpu(observer=FakeBackend(unknown))
    assert result.verdict is Verdict.ACCEPTED and "wgmma" in result.notes[0]


def test_no_rungs_means_no_ladder() -> None:
    assert grade(question(), "ok", FakeBackend(), options=Options(seed=1), ranks=Ranks()).ladder is None


def test_a_launch_of_no_blocks_only_fails_what_it_leaves_undone() -> None:
    def nothing_launched(call: Call) -> None:
        call.outcome["empty_launch"] = ("k<<<0, 256, 0>>> was not launched", 9)

    def harmless(call: Call) -> None:
        double(call)
        nothing_launched(call)

    failed, right = run(nothing_launched), run(harmless)
    assert (failed.verdict, failed.line) == (Verdict.RUNTIME_ERROR, 9) and "not launched" in failed.message
    assert right.verdict is Verdict.ACCEPTED and any("line 9" in note for note in right.notes)
