"""One timing request from start to end: buffers, plans, ceilings, samples, and the outputs to check."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from trainer.bank.model import Array
from trainer.cuda.device import DeviceProperties
from trainer.cuda.host import run_host
from trainer.cuda.model import Program
from trainer.errors import DeviceFault, MissingToolError, SubmissionError
from trainer.gpu import ceilings, sampling
from trainer.gpu.arguments import BoundArguments
from trainer.gpu.cublas import Cublas, Multiply, Product
from trainer.gpu.device import GpuDevice, LoadedModule
from trainer.gpu.driver import Driver
from trainer.gpu.memory import Memory
from trainer.gpu.nvml import Nvml, Reading
from trainer.gpu.plan import Plan
from trainer.gpu.timing import Runner, Subject, measure
from trainer.gpu.yardsticks import Yardsticks
from trainer.grade.backend import LibraryTime, TimeOutcome, TimeRequest, Timing

# Sets of buffers together exceed the L2 cache this many times, so that none of it is reused.
_L2_MULTIPLE = 3

# Before each cold sample so many times the L2 cache is read from elsewhere: what a submission left in
# it, streaming stores above all, would otherwise decide how fast the next sample is (seen on an
# H200: the same kernel at 47.7, 50.3 or 55.4 us, for many samples in a row).
_SWEEP_MULTIPLE = 2

# Up to so many more samples are taken than asked for: nobody should know which call is the last.
_MORE_SAMPLES = 5

# What overwrites its data can use each set once per sample: as many iterations make a sample. With two, the
# times of one rung spread by 3 % on an H200.
_IN_PLACE_SETS = 8

# About 0.1 ms on an H200, longer on smaller GPUs: enough to queue a graph meanwhile.
_SPIN_ROUNDS = 100

# Each set costs one run of the host function, about a millisecond. Tasks that need more sets than
# this are timed warm.
MAX_SETS = 96


class Stopwatch:
    """Keeps what all timings on a device share. `dead` after a fault that ended the context."""

    def __init__(self, driver: Driver, about: DeviceProperties) -> None:
        self._driver = driver
        self._about = about
        self._yardsticks = Yardsticks(driver)
        self._ceilings: ceilings.Ceilings | None = None
        self._nvml = Nvml(driver.uuid())
        self._cublas: Cublas | None = None
        self.dead = False

    def time(self, program: Program, baselines: Mapping[str, Program], request: TimeRequest) -> TimeOutcome:
        """Raises DeviceFault or DriverError for what the submission does wrong."""
        with ExitStack() as stack:
            memory = Memory(self._driver, random.getrandbits(32))
            stack.callback(self._close_memory, memory)
            sets, cold = self._sets(memory, request)
            before = self._sweeper(stack) if request.cold else self._spin
            runners = [
                self._runner(stack, name, each, memory, sets, before, _sample_limit_us(name, request))
                for name, each in {"": program, **baselines}.items()
            ]
            ceilings.settle_clock(self._yardsticks)
            ceiling = self._ceilings = self._ceilings or ceilings.load_or_measure(
                self._driver, self._yardsticks
            )
            library = self._library_runner(stack, request, sets, before)
            for runner in (*runners, *library):
                runner.prepare()
            count = min(len(request.data_sets), len(sets))
            check = OutputCheck(self._driver, memory, runners[0], sets[:count])
            least = request.min_samples + random.randrange(_MORE_SAMPLES)
            measure([*runners, *library], budget_s=request.budget_s, least=least)
            reading = self._nvml.read()
            outputs = check.outputs()
            peak = self._peak(request, ceiling)
            timings = [_timing(runner.subject, request, ceiling, peak, cold, reading) for runner in runners]
            for runner in library:
                found = LibraryTime(Cublas.name, sampling.summarize(runner.subject.samples_us).median)
                timings = [replace(timing, library=found) for timing in timings]
            names = list(baselines)
            return TimeOutcome(timings[0], dict(zip(names, timings[1:], strict=True)), outputs)

    def _sets(self, memory: Memory, request: TimeRequest) -> tuple[list[BoundArguments], bool]:
        """Buffers for every data set, and more with the same data until the cache is too small.

        The second value tells whether it is: else times are warm.
        """
        given = request.data_sets if request.cold else request.data_sets[:1]
        sets = [BoundArguments(self._driver, memory, arguments) for arguments in given]
        needed = _L2_MULTIPLE * self._about.l2_bytes
        if not request.cold:
            return sets, False
        wanted = max(len(sets), math.ceil(needed / max(1, sets[0].nbytes)))
        if sets[0].in_place:
            affordable = self._driver.free_memory() // (4 * sets[0].nbytes)
            wanted = max(wanted, min(_IN_PLACE_SETS, affordable))
        while len(sets) < min(wanted, MAX_SETS):
            sets.append(BoundArguments(self._driver, memory, given[len(sets) % len(given)]))
        return sets, sum(each.nbytes for each in sets) >= needed

    def _sweeper(self, stack: ExitStack) -> Callable[[], None]:
        nbytes = _SWEEP_MULTIPLE * self._about.l2_bytes
        address = self._driver.allocate(nbytes)
        stack.callback(self._free, address)

        def sweep() -> None:
            self._yardsticks.sweep(address, nbytes)
            self._spin()

        return sweep

    def _spin(self) -> None:
        self._yardsticks.spin(_SPIN_ROUNDS)

    def _runner(
        self,
        stack: ExitStack,
        name: str,
        program: Program,
        memory: Memory,
        sets: Sequence[BoundArguments],
        before: Callable[[], None],
        longest_us: float,
    ) -> Runner:
        """Runs the host function once on each set, which notes down the plans to replay."""
        module = LoadedModule(self._driver, program)
        stack.callback(self._close_module, module)
        plans = []
        for arguments in sets:
            arguments.reset_outputs()
            device = GpuDevice(self._driver, self._about, module, memory)
            try:
                run_host(program, device, arguments.values)
                device.synchronize()
            except SubmissionError as error:
                self.dead = self.dead or device.dead
                raise DeviceFault(f"the rung {name}: {error.message}") if name else error from error
            plans.append(device.plan)
        restore = partial(_restore, sets) if sets[0].in_place else None
        runner = Runner(self._driver, Subject(name, plans, restore), before, longest_us)
        stack.callback(self._close_runner, runner)
        return runner

    def _library_runner(
        self,
        stack: ExitStack,
        request: TimeRequest,
        sets: Sequence[BoundArguments],
        before: Callable[[], None],
    ) -> list[Runner]:
        """The library call that the task is held against; none where the library is not installed."""
        call = request.library
        if call is None:
            return []
        try:
            self._cublas = self._cublas or Cublas(self._driver)
        except MissingToolError:
            return []
        places = {a.name: (k, a.dtype) for k, a in enumerate(request.data_sets[0])}
        plans = []
        for arguments in sets:
            left, right, result = (
                int(arguments.values[places[name][0]]) for name in (call.left, call.right, call.result)
            )
            extents = call.rows, call.inner, call.columns, call.batch
            dtypes = places[call.left][1], places[call.result][1]
            plan = Plan()
            plan.add(Multiply(self._cublas, Product(left, right, result, *extents, *dtypes)))
            plans.append(plan)
        runner = Runner(self._driver, Subject(Cublas.name, plans), before)
        stack.callback(self._close_runner, runner)
        return [runner]

    def _peak(self, request: TimeRequest, ceiling: ceilings.Ceilings) -> float:
        """Flops per second of the units that the task may use."""
        if request.arithmetic == "tensor":
            return ceilings.tensor_flops_per_s(self._about)
        return ceiling.fp32_flops_per_s

    def _free(self, address: int) -> None:
        if not self.dead:
            self._driver.free(address)

    def _close_memory(self, memory: Memory) -> None:
        if not self.dead:
            memory.close()

    def _close_module(self, module: LoadedModule) -> None:
        if not self.dead:
            module.close()

    def _close_runner(self, runner: Runner) -> None:
        if not self.dead:
            runner.close()


def _sample_limit_us(name: str, request: TimeRequest) -> float:
    """The submission has no `name`. A slow first rung would else take most of the time of a grade."""
    exact = request.record or not name
    return sampling.LONG_SAMPLE_US if exact else sampling.LONG_BASELINE_SAMPLE_US


def _restore(sets: Sequence[BoundArguments]) -> None:
    for each in sets:
        each.restore()


class OutputCheck:
    """What the submission computes when it is called once more, at a moment it cannot foresee.

    After the last sample the data sets change places, so that the outputs of before are wrong now,
    and one more replay has to set them right. Whoever skips calls, remembers answers by address, or
    finds the output already done, leaves old answers; what is never written still holds poison.
    """

    def __init__(
        self, driver: Driver, memory: Memory, runner: Runner, sets: Sequence[BoundArguments]
    ) -> None:
        self._driver = driver
        self._runner = runner
        self._sets = sets
        # Taken before the first sample: times before and after an allocation can differ.
        self._kept = [memory.allocate("inputs put aside", a.nbytes).address for a in sets[0].inputs]

    def outputs(self) -> tuple[dict[str, Array], ...]:
        """One dict for each data set, in the order of the request."""
        moved = self._can_move()
        if moved:
            self._move_data()
        for each in self._sets:
            each.reset_outputs(keep=moved)
        self._runner.replay_round()
        found = [each.outputs() for each in self._sets]
        return tuple(found[-1:] + found[:-1]) if moved else tuple(found)

    def _can_move(self) -> bool:
        """Not where a plan belongs to its data: by its numbers, or by decisions of the host."""
        scalars = {each.scalars for each in self._sets}
        return len(self._sets) > 1 and len(scalars) == 1 and not self._runner.subject.stepwise

    def _move_data(self) -> None:
        """Each set gets the inputs of the next, the last one those of the first."""
        for kept, place in zip(self._kept, self._sets[0].inputs, strict=True):
            self._driver.copy(kept, place.address, place.nbytes)
        for mine, theirs in zip(self._sets, self._sets[1:], strict=False):
            mine.copy_inputs_from(theirs)
        for kept, place in zip(self._kept, self._sets[-1].inputs, strict=True):
            self._driver.copy(place.address, kept, place.nbytes)


def _timing(
    subject: Subject,
    request: TimeRequest,
    ceiling: ceilings.Ceilings,
    peak_flops_per_s: float,
    cold: bool,
    reading: Reading,
) -> Timing:
    found = sampling.summarize(subject.samples_us)
    floor_us = ceiling.floor_us(request.dram_bytes, request.flops, peak_flops_per_s)
    seconds = found.median / 1e6
    return Timing(
        median_us=found.median,
        p5_us=found.p5,
        p95_us=found.p95,
        samples=found.count,
        cold=cold,
        gbps=request.dram_bytes / found.median / 1e3 if request.dram_bytes else None,
        tflops=request.flops / found.median / 1e6 if request.flops else None,
        floor_us=floor_us,
        floor_fraction=floor_us / found.median,
        sm_clock_mhz=reading.sm_clock_mhz,
        temperature_c=reading.temperature_c,
        stepwise=subject.stepwise,
        efficiency=request.flops / seconds / peak_flops_per_s if request.flops else None,
        bandwidth_use=request.dram_bytes / seconds / ceiling.copy_bytes_per_s if request.dram_bytes else None,
    )
