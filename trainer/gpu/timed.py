"""One timing request from start to end: buffers, plans, ceilings, samples, and the outputs to check."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from trainer.bank.model import Array
from trainer.cuda.device import DeviceProperties
from trainer.cuda.host import run_host
from trainer.cuda.model import Program
from trainer.errors import DeviceFault, SubmissionError
from trainer.gpu import ceilings, sampling
from trainer.gpu.arguments import BoundArguments
from trainer.gpu.device import GpuDevice, LoadedModule
from trainer.gpu.driver import Driver
from trainer.gpu.memory import Memory
from trainer.gpu.nvml import Nvml, Reading
from trainer.gpu.timing import Runner, Subject, measure
from trainer.gpu.yardsticks import Yardsticks
from trainer.grade.backend import TimeOutcome, TimeRequest, Timing

# Sets of buffers together exceed the L2 cache this many times, so that none of it is reused.
_L2_MULTIPLE = 3

# Before each cold sample so many times the L2 cache is read from elsewhere: what a submission left in
# it, streaming stores above all, would otherwise decide how fast the next sample is (seen on an
# H200: the same kernel at 47.7, 50.3 or 55.4 us, for many samples in a row).
_SWEEP_MULTIPLE = 2

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
        self.dead = False

    def time(self, program: Program, baselines: Mapping[str, Program], request: TimeRequest) -> TimeOutcome:
        """Raises DeviceFault or DriverError for what the submission does wrong."""
        with ExitStack() as stack:
            memory = Memory(self._driver, random.getrandbits(32))
            stack.callback(self._close_memory, memory)
            sets, cold = self._sets(memory, request)
            before = self._sweeper(stack) if request.cold else self._spin
            runners = [
                self._runner(stack, name, each, memory, sets, before)
                for name, each in {"": program, **baselines}.items()
            ]
            ceilings.settle_clock(self._yardsticks)
            ceiling = self._ceilings = self._ceilings or ceilings.load_or_measure(
                self._driver, self._yardsticks
            )
            for runner in runners:
                runner.prepare()
            count = min(len(request.data_sets), len(sets))
            check = OutputCheck(self._driver, memory, runners[0], sets[:count], request.min_samples)
            measure(
                runners,
                budget_s=request.budget_s,
                least=request.min_samples,
                interrupt=check.at,
            )
            reading = self._nvml.read()
            outputs = check.finish()
            timings = [_timing(runner.subject, request, ceiling, cold, reading) for runner in runners]
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
        runner = Runner(self._driver, Subject(name, plans), before)
        stack.callback(self._close_runner, runner)
        return runner

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


class OutputCheck:
    """Collects outputs of replays at two moments the submission cannot foresee, to be compared later.

    Outputs are poisoned (or zeroed where the task says so), the submission is replayed on every
    set, and the outputs are put aside. Before the last time the data sets change places: whoever
    remembers an answer by its address gives the wrong one.
    """

    def __init__(
        self, driver: Driver, memory: Memory, runner: Runner, sets: Sequence[BoundArguments], least: int
    ) -> None:
        """`least` samples are sure to be taken: the first moment falls into those."""
        self._driver = driver
        self._memory = memory
        self._runner = runner
        self._sets = sets
        self._when = random.randrange(1, max(2, least))
        self._from_middle = [random.random() < 0.5 for _ in sets]
        # All memory that this needs is taken before the first sample: samples before and after an
        # allocation differ by up to 10 % on an H200.
        self._middle = [self._like(each.output_addresses()) for each in sets]
        self._kept = self._like([(place.address, place.nbytes) for place in sets[0].inputs])

    def at(self, number: int) -> None:
        """Called before every round of samples. Only queues work."""
        if number == self._when:
            self._replay()
            for each, copies in zip(self._sets, self._middle, strict=True):
                self._copy(copies, each.output_addresses())

    def finish(self) -> tuple[dict[str, Array], ...]:
        """One dict for each data set: at random from the round in the middle or the last one."""
        order = self._change_places()
        self._replay()
        found: list[dict[str, Array]] = [{} for _ in self._sets]
        for place, data in enumerate(order):
            if not self._from_middle[data]:
                found[data] = self._sets[place].outputs()
        for each, copies, data in zip(self._sets, self._middle, range(len(self._sets)), strict=True):
            if self._from_middle[data]:
                self._copy(each.output_addresses(), copies)
                found[data] = each.outputs()
        return tuple(found)

    def _replay(self) -> None:
        for each in self._sets:
            each.reset_outputs()
        self._runner.replay_round()

    def _like(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Memory for copies of what is at these (address, bytes)."""
        return [(self._memory.allocate("put aside", nbytes).address, nbytes) for _, nbytes in places]

    def _copy(self, targets: Sequence[tuple[int, int]], sources: Sequence[tuple[int, int]]) -> None:
        for (target, nbytes), (source, _) in zip(targets, sources, strict=True):
            self._driver.copy(target, source, nbytes)

    def _change_places(self) -> list[int]:
        """Moves the data one set on; which data each set holds now.

        Not where a plan belongs to its data: by its numbers, or by decisions of the host.
        """
        count = len(self._sets)
        scalars = {each.scalars for each in self._sets}
        if count < 2 or len(scalars) > 1 or self._runner.subject.stepwise:
            return list(range(count))
        first, last = (
            [(place.address, place.nbytes) for place in self._sets[index].inputs] for index in (0, -1)
        )
        self._copy(self._kept, first)
        for mine, theirs in zip(self._sets, self._sets[1:], strict=False):
            mine.copy_inputs_from(theirs)
        self._copy(last, self._kept)
        return [(place + 1) % count for place in range(count)]


def _timing(
    subject: Subject, request: TimeRequest, ceiling: ceilings.Ceilings, cold: bool, reading: Reading
) -> Timing:
    found = sampling.summarize(subject.samples_us)
    floor_us = ceiling.floor_us(request.dram_bytes, request.flops)
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
    )
