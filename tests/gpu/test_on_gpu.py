"""What only a GPU can show. Skipped, with the reason, where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from tests.gpu import submissions
from tests.gpu.submissions import SIGNATURE, arguments, request
from trainer.grade.backend import RunOutcome, TimeOutcome, TimeRequest
from trainer.grade.verdict import Verdict
from trainer.sim.backend import SimBackend
from trainer.worker.client import RemoteBackend
from trainer.worker.limits import Limits

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def backend() -> Iterator[RemoteBackend]:
    with RemoteBackend("gpu", spare=True) as remote:
        yield remote


def run(backend: RemoteBackend, source: str, **changes: object) -> RunOutcome:
    compiled = backend.compile(source, SIGNATURE)
    assert compiled.ok, compiled.message
    return backend.run(request(**changes))  # type: ignore[arg-type]


def is_double(outcome: RunOutcome, count: int = 1001, seed: int = 1) -> bool:
    values = np.random.default_rng(seed).random(count, dtype=np.float32)
    return outcome.verdict is None and np.array_equal(outcome.outputs["C"], 2 * values)


@pytest.mark.parametrize(
    "source",
    [submissions.DOUBLE, submissions.SCRATCH, submissions.DYNAMIC_SHARED],
    ids=["plain", "scratch", "dynamic shared"],
)
def test_right_files_give_right_answers(backend: RemoteBackend, source: str) -> None:
    outcome = run(backend, source)
    assert is_double(outcome), outcome.message
    assert outcome.guards_broken == () and outcome.changed_inputs == () and not outcome.data_dependent
    assert outcome.launches and outcome.launches[0].occupancy


def test_the_device_is_named(backend: RemoteBackend) -> None:
    assert backend.name == "gpu" and backend.device


def test_one_element_too_many_breaks_a_guard(backend: RemoteBackend) -> None:
    assert run(backend, submissions.ONE_TOO_MANY).guards_broken == ("C: 4 bytes written past the end",)
    assert run(backend, submissions.ONE_BEFORE).guards_broken == ("C: 4 bytes written before the start",)


def test_a_changed_input_is_named(backend: RemoteBackend) -> None:
    assert run(backend, submissions.CHANGES_INPUT).changed_inputs == ("A",)


def test_an_output_that_is_not_written_holds_poison_of_the_seed(backend: RemoteBackend) -> None:
    backend.compile(submissions.WRITES_NOTHING, SIGNATURE)
    first, again, other = (backend.run(request(seed=seed)).outputs["C"].tobytes() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (submissions.WILD, "illegal memory access in k<<<4, 256>>>"),
        (submissions.NULL, "in k<<<4, 256>>>"),
        (submissions.MISALIGNED, "misaligned address in k"),
        (submissions.TRAP, "k<<<4, 256>>>"),
        (submissions.ASSERT, "assert"),
        (submissions.USE_AFTER_FREE, "freed before"),
        (submissions.BLOCK_TOO_LARGE, "1025"),
        (submissions.DYNAMIC_SHARED_NOT_ALLOWED, "shared memory"),
    ],
    ids=["wild", "null", "misaligned", "trap", "assert", "use after free", "block", "shared"],
)
def test_a_fault_is_told_and_the_next_run_works(backend: RemoteBackend, source: str, words: str) -> None:
    outcome = run(backend, source)
    assert outcome.verdict is Verdict.RUNTIME_ERROR and words in outcome.message
    assert is_double(run(backend, submissions.DOUBLE))


def test_a_runaway_kernel_is_killed_and_the_spare_takes_over() -> None:
    with RemoteBackend("gpu", spare=True, limits=Limits(run_grace_s=0.5)) as backend:
        backend.compile(submissions.SPIN, SIGNATURE)
        started = time.monotonic()
        assert backend.run(request(budget_s=0.5)).verdict is Verdict.TIMED_OUT
        assert is_double(run(backend, submissions.DOUBLE))
        assert time.monotonic() - started < 4


def test_printf_is_collected(backend: RemoteBackend) -> None:
    outcome = run(backend, submissions.PRINT)
    assert is_double(outcome) and outcome.printed.startswith("A[0] is 0.")


def test_a_printf_flood_is_cut_and_the_answer_still_right(backend: RemoteBackend) -> None:
    outcome = run(backend, submissions.FLOOD)
    assert is_double(outcome), outcome.message
    assert len(outcome.printed) < 70_000


def test_device_variables_start_anew_unless_asked_to_stay(backend: RemoteBackend) -> None:
    backend.compile(submissions.COUNTS_CALLS, SIGNATURE)
    calls = [
        backend.run(request(count=4, fresh_module=fresh)).outputs["C"][0]
        for fresh in (True, True, False, False)
    ]
    assert calls == [0, 0, 1, 2]


def test_so_does_what_the_host_function_keeps(backend: RemoteBackend) -> None:
    backend.compile(submissions.HOST_STATICS, SIGNATURE)
    given = [request(8, fresh_module=fresh) for fresh in (True, False, False, True)]
    value = np.asarray(given[0].arguments[0].value)
    outcomes = [backend.run(each) for each in given]
    assert [o.verdict for o in outcomes] == [None] * 4
    assert [float(o.outputs["C"][0] / value[0]) for o in outcomes] == pytest.approx([1, 2, 3, 1])


def test_a_pointer_kept_from_an_earlier_call_leads_to_garbage(backend: RemoteBackend) -> None:
    backend.compile(submissions.KEEPS_A_POINTER, SIGNATURE)
    first, second = (backend.run(request(8, fresh_module=fresh)) for fresh in (True, False))
    assert is_double(first, 8) and not is_double(second, 8)


def test_a_shuffle_from_lanes_that_are_not_there_gives_zero_as_in_the_simulator(
    backend: RemoteBackend,
) -> None:
    given = request(64)
    simulated = SimBackend()
    for each in (backend, simulated):
        assert each.compile(submissions.ABSENT_LANES, SIGNATURE).ok
    values, got = np.asarray(given.arguments[0].value), backend.run(given).outputs["C"]
    for start in (0, 32):
        assert np.array_equal(got[start : start + 12], values[start + 8 : start + 20])
        assert not got[start + 12 : start + 20].any()
    assert np.array_equal(got, simulated.run(given).outputs["C"])
    simulated.close()


def timed(backend: RemoteBackend, source: str, count: int = 1 << 16, **changes: object) -> TimeOutcome:
    compiled = backend.compile(source, SIGNATURE)
    assert compiled.ok, compiled.message
    rng = np.random.default_rng(5)
    data = tuple(arguments(rng.random(count, dtype=np.float32)) for _ in range(2))
    options: dict[str, object] = {"baselines": {}, "dram_bytes": 8 * count, "flops": count, **changes}
    outcome = backend.time(TimeRequest(data, **options))  # type: ignore[arg-type]
    wrong = [
        index
        for index, (given, outputs) in enumerate(zip(data, outcome.outputs, strict=False))
        if not np.array_equal(outputs["C"], 2 * np.asarray(given[0].value))
    ]
    return TimeOutcome(**{**vars(outcome), "message": outcome.message or ("wrong" if wrong else "")})


def test_a_time_is_plausible_and_its_outputs_right(backend: RemoteBackend) -> None:
    outcome = timed(backend, submissions.DOUBLE, 1 << 24, baselines={"same": submissions.DOUBLE})
    timing = outcome.timing
    assert timing is not None and outcome.message == "" and len(outcome.outputs) == 2
    assert timing.cold and not timing.stepwise and timing.samples >= 20
    assert 0.5 < timing.floor_fraction < 1.05
    assert outcome.baselines["same"].median_us == pytest.approx(timing.median_us, rel=0.03)
    assert timing.p5_us <= timing.median_us <= timing.p95_us < 1.2 * timing.median_us


def test_warm_is_faster_than_cold_where_all_fits_the_cache(backend: RemoteBackend) -> None:
    cold = timed(backend, submissions.DOUBLE, 1 << 20).timing
    warm = timed(backend, submissions.DOUBLE, 1 << 20, cold=False).timing
    assert cold is not None and warm is not None and warm.median_us < cold.median_us and not warm.cold


@pytest.mark.parametrize(
    "source", [submissions.SKIPS_LATER_CALLS, submissions.REMEMBERS], ids=["skips", "remembers"]
)
def test_work_that_is_not_done_in_timed_runs_leaves_wrong_outputs(
    backend: RemoteBackend, source: str
) -> None:
    assert is_double(run(backend, source))
    assert timed(backend, source).message == "wrong"


def test_a_host_function_that_waits_for_results_is_timed_step_by_step(backend: RemoteBackend) -> None:
    assert run(backend, submissions.DATA_DEPENDENT).data_dependent
    timing = timed(backend, submissions.DATA_DEPENDENT).timing
    assert timing is not None and timing.stepwise and timing.median_us > 0


def test_a_fault_while_timing_is_told(backend: RemoteBackend) -> None:
    outcome = timed(backend, submissions.WILD)
    assert outcome.timing is None and outcome.verdict is Verdict.RUNTIME_ERROR
    assert is_double(run(backend, submissions.DOUBLE))


def test_the_kernel_is_the_one_that_rawmodule_would_run() -> None:
    """CuPy compiles the Program's source and options, as RawModule does, to a kernel of equal results.

    Not through RawModule itself: computing the key of its cache, it preprocesses an empty file
    without --device-as-default-execution-space, which our prelude needs.
    """
    cupy = pytest.importorskip("cupy")
    from cupy.cuda.compiler import compile_using_nvrtc

    from trainer.cuda.compile import compile_submission

    source = submissions.kernel("if (i < N) C[i] = __expf(A[i]) * 0.3f + sinf(A[i]) / (A[i] + 1e-40f);")
    program = compile_submission(source, SIGNATURE, arch="compute_90")
    cubin, _names = compile_using_nvrtc(program.gpu_source, (*program.options, "-ftz=true"))
    module = cupy.cuda.function.Module()
    module.load(cubin)
    function = module.get_function(program.kernels[0].symbol)
    values = np.random.default_rng(1).random(1001, dtype=np.float32)
    theirs = cupy.zeros(1001, cupy.float32)
    function((4,), (256,), (cupy.asarray(values), theirs, np.int32(1001)))
    with RemoteBackend("gpu") as backend:
        outcome = run(backend, source)
    assert outcome.outputs["C"].tobytes() == theirs.get().tobytes()
