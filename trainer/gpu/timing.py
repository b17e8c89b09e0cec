"""Times plans against each other: graphs, batches, interleaving, and what the timed runs computed.

One call of `solve` is one *iteration*. Iterations rotate over several *sets* of argument buffers,
which together are larger than the L2 cache (cold) or just one (warm). A *sample* is a batch of
iterations between two events.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trainer.gpu import sampling
from trainer.gpu.driver import CapturedGraph, Driver
from trainer.gpu.plan import Plan

# Replays before anything is measured: the first ones upload the graph and fill instruction caches.
_WARM_UP = 3


@dataclass
class Subject:
    """A submission or a baseline: one plan for each set of buffers, all of the same shape.

    `restore`, where plans overwrite their data, puts it back in every set: it is called before each
    sample, untimed, and a sample then uses no set twice.
    """

    name: str
    plans: Sequence[Plan]
    restore: Callable[[], None] | None = None
    samples_us: list[float] = field(default_factory=list)

    @property
    def stepwise(self) -> bool:
        """The host decides in the middle: iterations cannot be captured as one graph."""
        return any(plan.data_dependent for plan in self.plans)


class Runner:
    """Replays one subject. Close it to free its graphs."""

    def __init__(
        self,
        driver: Driver,
        subject: Subject,
        before: Callable[[], None],
        longest_us: float = sampling.LONG_SAMPLE_US,
    ) -> None:
        """`before` is called ahead of each sample and should keep the GPU busy for 0.1 ms: the first
        event of a pair is then recorded when the graph is already queued. On an idle GPU the launch of
        the graph, 10 to 30 us, would be timed too. No sample is longer than `longest_us`, unless one
        iteration is."""
        self._driver = driver
        self._longest_us = longest_us
        self._before = before
        self.subject = subject
        self._graphs: list[CapturedGraph] = []
        self._steps = [self._capture_steps(plan) for plan in subject.plans] if subject.stepwise else []
        self._round = None if subject.stepwise else self._capture(subject.plans)
        self._events = driver.create_event(), driver.create_event()
        self.batch = 1  # iterations in a sample
        self._batches: list[CapturedGraph] = []
        self._taken = 0

    def prepare(self) -> None:
        """Warms up, then chooses the batch from a first measurement."""
        for _ in range(_WARM_UP):
            self.replay_round()
        self._driver.synchronize()
        if self.subject.stepwise:
            return
        plans = self.subject.plans
        operations = max(plan.operations for plan in plans)
        once = self.subject.restore is not None
        self.batch = sampling.batch(
            self._iteration_us(), len(plans), operations, once=once, longest_us=self._longest_us
        )
        if self.batch == len(plans) and self._round is not None:
            self._batches = [self._round]
        elif self.batch > len(plans):
            self._batches = [self._capture([*plans] * (self.batch // len(plans)))]
        else:
            cuts = range(0, len(plans), self.batch)
            self._batches = [self._capture(plans[cut : cut + self.batch]) for cut in cuts]
        for graph in self._batches:
            graph.launch()
        self._driver.synchronize()

    def replay_round(self) -> None:
        """One iteration on every set, in order."""
        if self._round is not None:
            self._round.launch()
            return
        for plan, graphs in zip(self.subject.plans, self._steps, strict=True):
            self._run_steps(plan, graphs)

    def sample(self) -> None:
        """Appends the microseconds of one iteration, averaged over a batch."""
        turn = self._taken
        self._taken += 1
        if self.subject.restore is not None:
            self.subject.restore()
        if self.subject.stepwise:
            index = turn % len(self.subject.plans)
            self._driver.synchronize()
            started = time.perf_counter()
            self._run_steps(self.subject.plans[index], self._steps[index])
            self.subject.samples_us.append((time.perf_counter() - started) * 1e6)
            return
        graph = self._batches[turn % len(self._batches)]
        self._before()
        self.subject.samples_us.append(self._time(graph.launch) / self.batch)

    def close(self) -> None:
        for graph in self._graphs:
            graph.close()
        for event in self._events:
            self._driver.destroy_event(event)

    def _iteration_us(self) -> float:
        return min(self._time(self.replay_round) for _ in range(2)) / len(self.subject.plans)

    def _time(self, action: Callable[[], None]) -> float:
        self._driver.record(self._events[0])
        action()
        self._driver.record(self._events[1])
        return self._driver.elapsed_us(*self._events)

    def _capture(self, plans: Sequence[Plan]) -> CapturedGraph:
        with self._driver.capture() as graph:
            for plan in plans:
                for operation in plan.segments[0].operations:
                    operation.issue(self._driver)
        self._graphs.append(graph)
        return graph

    def _capture_steps(self, plan: Plan) -> list[CapturedGraph]:
        captured = []
        for segment in plan.segments:
            with self._driver.capture() as graph:
                for operation in segment.operations:
                    operation.issue(self._driver)
            captured.append(graph)
        self._graphs.extend(captured)
        return captured

    def _run_steps(self, plan: Plan, graphs: Sequence[CapturedGraph]) -> None:
        """As the host function went: run, read back, go on. What it decided is already in the plan."""
        for segment, graph in zip(plan.segments, graphs, strict=True):
            graph.launch()
            for address, nbytes in segment.reads:
                self._driver.download(address, memoryview(bytearray(nbytes)))
        self._driver.synchronize()


def measure(runners: Sequence[Runner], *, budget_s: float, least: int) -> None:
    """Takes samples of all in turn until each has settled or the budget is spent.

    The first runner is the submission; the others, its baselines, need not be known as exactly.

    The order within a round is drawn anew each time: who runs second reads a few percent slower.
    """
    deadline = time.monotonic() + budget_s
    targets = [sampling.TARGET_INTERVAL, *[sampling.BASELINE_INTERVAL] * (len(runners) - 1)]
    order = list(runners)
    number = 0
    while True:
        random.shuffle(order)
        for runner in order:
            runner.sample()
        number += 1
        enough = all(
            sampling.settled(r.subject.samples_us, least, target)
            for r, target in zip(runners, targets, strict=True)
        )
        if enough or (number >= least and time.monotonic() > deadline):
            return
        if time.monotonic() > deadline + budget_s:
            return  # samples so long that not even the least number fits: what there is has to do
