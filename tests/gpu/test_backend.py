"""The whole GPU backend over a fake driver: real front end, real host function, kernels in Python."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.gpu import submissions
from tests.gpu.fake_driver import ABOUT, FakeDriver
from tests.gpu.submissions import SIGNATURE, arguments, request
from tests.gpu.test_ceilings import FakeYardsticks
from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.gpu import backend as backend_module
from trainer.gpu import ceilings, timed, timing
from trainer.gpu.backend import GpuBackend
from trainer.gpu.driver import DriverError
from trainer.grade.backend import ArgumentValue, TimeRequest
from trainer.grade.verdict import Verdict

KERNEL = "_Z1kPKfPfi"


def double(driver: FakeDriver, parameters: bytes) -> None:
    source, target, count = struct.unpack_from("<QQi", parameters)
    values = driver.view(source, 4 * count).view(np.float32)
    driver.view(target, 4 * count).view(np.float32)[:] = 2 * values


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    driver = FakeDriver()
    driver.kernels[KERNEL] = double
    monkeypatch.setattr(backend_module, "require", lambda: None)
    monkeypatch.setattr(backend_module, "Driver", lambda: driver)
    monkeypatch.setattr(backend_module, "properties", lambda driver: ABOUT)
    monkeypatch.setattr(timed, "Yardsticks", lambda driver: FakeYardsticks())
    monkeypatch.setattr(ceilings, "COPY_BYTES", (1 << 20,))
    return driver


@pytest.fixture
def backend(driver: FakeDriver) -> GpuBackend:
    backend = GpuBackend()
    assert backend.compile(submissions.DOUBLE, SIGNATURE).ok
    return backend


def data(count: int = 100) -> tuple[tuple[object, ...], ...]:
    rng = np.random.default_rng(1)
    return tuple(arguments(rng.random(count, dtype=np.float32)) for _ in range(2))


def test_a_right_kernel_gives_its_outputs(backend: GpuBackend) -> None:
    given = request(33)
    outcome = backend.run(given)
    assert outcome.verdict is None and outcome.changed_inputs == () and outcome.guards_broken == ()
    assert np.array_equal(outcome.outputs["C"], 2 * np.asarray(given.arguments[0].value))
    assert outcome.launches[0].grid == (1, 1, 1) and outcome.launches[0].kernel == "k"


@pytest.mark.parametrize("capability", [(7, 5), (8, 6), (8, 9), (10, 0), (12, 0)])
def test_every_generation_of_gpus_is_compiled_for(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, capability: tuple[int, int]
) -> None:
    about = replace(ABOUT, compute_capability=capability)
    monkeypatch.setattr(backend_module, "properties", lambda driver: about)
    backend = GpuBackend()
    assert backend.compile(submissions.DOUBLE, SIGNATURE).ok
    assert backend.run(request(33)).verdict is None


def test_everything_is_given_back_after_each_run(driver: FakeDriver, backend: GpuBackend) -> None:
    backend.run(request())
    before = dict(driver.live)
    backend.run(request())
    assert driver.live == before


def test_what_the_host_keeps_lasts_until_a_fresh_run(driver: FakeDriver) -> None:
    def add(driver: FakeDriver, parameters: bytes) -> None:
        source, target, kept, count = struct.unpack_from("<QQQi", parameters)
        values, total, out = (driver.view(a, 4 * count).view(np.float32) for a in (source, kept, target))
        total += values
        out[:] = total

    driver.kernels["_Z3addPKfPfS1_i"] = add
    backend = GpuBackend()
    before = dict(driver.live)
    assert backend.compile(submissions.HOST_STATICS, SIGNATURE).ok
    given = [request(8, fresh_module=fresh) for fresh in (True, False, False, True)]
    outcomes = [backend.run(each) for each in given]
    value = given[0].arguments[0].value
    assert isinstance(value, np.ndarray)
    times = [float(outcome.outputs["C"][0] / value[0]) for outcome in outcomes]
    assert times == pytest.approx([1, 2, 3, 1])
    backend.close()
    assert driver.live == before


def test_a_pointer_kept_from_an_earlier_call_leads_to_garbage(driver: FakeDriver) -> None:
    backend = GpuBackend()
    assert backend.compile(submissions.KEEPS_A_POINTER, SIGNATURE).ok
    given = [request(8, fresh_module=fresh) for fresh in (True, False)]
    right = [
        np.array_equal(backend.run(each).outputs["C"], 2 * np.asarray(each.arguments[0].value))
        for each in given
    ]
    assert right == [True, False]


def test_a_deadly_fault_spends_the_process(driver: FakeDriver, backend: GpuBackend) -> None:
    def crash(driver: FakeDriver, parameters: bytes) -> None:
        driver.fail = DriverError("cuStreamSynchronize", 716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned")

    driver.kernels[KERNEL] = crash
    outcome = backend.run(request())
    assert (
        outcome.verdict is Verdict.RUNTIME_ERROR and "misaligned address in k<<<4, 256>>>" in outcome.message
    )
    assert outcome.line == 5 and backend.spent


def test_a_refused_launch_does_not(driver: FakeDriver) -> None:
    backend = GpuBackend()
    backend.compile(submissions.BLOCK_TOO_LARGE, SIGNATURE)
    outcome = backend.run(request())
    assert outcome.verdict is Verdict.RUNTIME_ERROR and not backend.spent and outcome.line > 0


def test_a_launch_of_no_blocks_is_told(driver: FakeDriver) -> None:
    backend = GpuBackend()
    backend.compile(submissions.GRID_OF_NOTHING, SIGNATURE)
    outcome = backend.run(request())
    assert outcome.verdict is None and outcome.empty_launch is not None and outcome.empty_launch[1] > 0


def test_a_file_that_does_not_compile_is_refused_with_its_line(driver: FakeDriver) -> None:
    compiled = GpuBackend().compile("\nint x = y;" + submissions.DOUBLE, SIGNATURE)
    assert not compiled.ok and compiled.verdict is Verdict.COMPILE_ERROR and compiled.diagnostics[0].line == 2


def test_times_of_submission_and_rungs_come_with_checked_outputs(
    driver: FakeDriver, backend: GpuBackend
) -> None:
    driver.kernel_us = 7.0
    sets = data()
    outcome = backend.time(TimeRequest(sets, {"same": submissions.DOUBLE, "broken": "no"}, 800, 100))  # type: ignore[arg-type]
    assert outcome.verdict is None and outcome.timing is not None
    assert outcome.timing.median_us == pytest.approx(7.0) and outcome.timing.samples >= 20
    assert outcome.timing.gbps == pytest.approx(800 / 7 / 1e3)
    assert outcome.timing.cold and not outcome.timing.stepwise
    assert list(outcome.baselines) == ["same"]
    for given, found in zip(sets, outcome.outputs, strict=True):
        assert np.array_equal(found["C"], 2 * np.asarray(given[0].value))  # type: ignore[attr-defined]


def test_memory_is_given_back_after_timing(driver: FakeDriver, backend: GpuBackend) -> None:
    before = dict(driver.live)
    backend.time(TimeRequest(data(), {}, 800, 100))  # type: ignore[arg-type]
    assert driver.live == before


def right_answers(backend: GpuBackend) -> list[bool]:
    """Of a timing with two data sets: whether the outputs that come back are right."""
    sets = data()
    outcome = backend.time(TimeRequest(sets, {}, 800, 100))  # type: ignore[arg-type]
    return [
        np.array_equal(found["C"], 2 * np.asarray(given[0].value))  # type: ignore[attr-defined]
        for given, found in zip(sets, outcome.outputs, strict=True)
    ]


def test_a_kernel_that_skips_later_calls_leaves_old_answers(driver: FakeDriver, backend: GpuBackend) -> None:
    calls = 0

    def lazy(driver: FakeDriver, parameters: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls < 30:
            double(driver, parameters)

    driver.kernels[KERNEL] = lazy
    assert right_answers(backend) == [False, False]


def test_a_kernel_that_remembers_answers_by_address_is_wrong(driver: FakeDriver, backend: GpuBackend) -> None:
    known: dict[int, bytes] = {}

    def remembering(driver: FakeDriver, parameters: bytes) -> None:
        _source, target, count = struct.unpack_from("<QQi", parameters)
        if target not in known:
            double(driver, parameters)
            known[target] = driver.view(target, 4 * count).tobytes()
        driver.view(target, 4 * count)[:] = np.frombuffer(known[target], np.uint8)

    driver.kernels[KERNEL] = remembering
    assert right_answers(backend) == [False, False]


def test_a_kernel_that_works_only_where_it_finds_poison_is_wrong(
    driver: FakeDriver, backend: GpuBackend
) -> None:
    done: dict[int, bytes] = {}

    def looking(driver: FakeDriver, parameters: bytes) -> None:
        _source, target, count = struct.unpack_from("<QQi", parameters)
        if done.get(target) != driver.view(target, 4 * count).tobytes():
            double(driver, parameters)
            done[target] = driver.view(target, 4 * count).tobytes()

    driver.kernels[KERNEL] = looking
    assert right_answers(backend) == [False, False]


@pytest.mark.parametrize("host", ["k<<<1, 1>>>(C, N);", "float x; k<<<1, 1>>>(C, N); "
    "cudaMemcpy(&x, C, 4, cudaMemcpyDeviceToHost); if (x != 0) k<<<1, 1>>>(C, N);"])  # fmt: skip
def test_every_timed_replay_in_place_finds_the_data_that_was_given(driver: FakeDriver, host: str) -> None:
    given = np.full(5000, 3.0, np.float32), np.full(5000, 5.0, np.float32)
    seen: set[float] = set()
    places: set[int] = set()

    def grow(driver: FakeDriver, parameters: bytes) -> None:
        target, count = struct.unpack_from("<Qi", parameters)
        values = driver.view(target, 4 * count).view(np.float32)
        places.add(target)
        if recording:
            seen.add(float(values[0]))
        values *= 2

    driver.kernels["_Z1kPfi"] = grow
    backend, recording = GpuBackend(), False
    signature = Signature("solve", (Parameter("C", "float*"), Parameter("N", "int")))
    source = f'__global__ void k(float* C, int N) {{}}\nextern "C" void solve(float* C, int N) {{ {host} }}'
    assert backend.compile(source, signature).ok
    count = ArgumentValue("N", "int", Role.SCALAR, "int32", 5000)
    sets = tuple((ArgumentValue("C", "float*", Role.INOUT, "float32", a, a.shape), count) for a in given)
    measure = timing.Runner.sample

    def sample(runner: timing.Runner) -> None:
        nonlocal recording
        recording = True
        measure(runner)
        recording = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing.Runner, "sample", sample)
        outcome = backend.time(TimeRequest(sets, {}, 800, 100, budget_s=0.2))
    assert outcome.timing is not None and outcome.timing.stepwise == ("cudaMemcpy" in host), outcome.message
    assert seen == ({3.0, 5.0, 6.0, 10.0} if outcome.timing.stepwise else {3.0, 5.0})
    assert len(places) == 8, "with two sets, a sample would be two iterations"
    calls = 2 if outcome.timing.stepwise else 1
    for array, found in zip(given, outcome.outputs, strict=True):
        assert np.array_equal(found["C"], array * 2**calls)


def test_what_is_never_written_comes_back_as_poison(driver: FakeDriver, backend: GpuBackend) -> None:
    driver.kernels[KERNEL] = lambda driver, parameters: None
    assert right_answers(backend) == [False, False]


def test_a_data_dependent_host_function_is_stepwise(driver: FakeDriver) -> None:
    def grow(driver: FakeDriver, parameters: bytes) -> None:
        target, count = struct.unpack_from("<Qi", parameters)
        driver.view(target, 4 * count).view(np.float32)[:] *= 2

    driver.kernels["_Z4growPfi"] = grow
    backend = GpuBackend()
    assert backend.compile(submissions.DATA_DEPENDENT, SIGNATURE).ok
    assert backend.run(request()).data_dependent
    outcome = backend.time(TimeRequest(data(), {}, 800, 100, budget_s=0.2))  # type: ignore[arg-type]
    assert outcome.timing is not None and outcome.timing.stepwise, outcome.message


def test_warming_up_leaves_no_trace(driver: FakeDriver, tmp_path: Path) -> None:
    driver.kernels["_Z1kv"] = lambda driver, parameters: None
    backend = GpuBackend()
    backend.warm_up()
    assert driver.live == {} and not backend.spent
