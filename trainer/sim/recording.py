"""Everything that the launches of one run leave behind, and the report made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from trainer.cuda.device import Launch
from trainer.cuda.model import KernelResources
from trainer.ptx.engine import LaunchResult
from trainer.sim import devices
from trainer.sim.hazards import merge
from trainer.sim.occupancy import occupancy
from trainer.sim.prediction import predict
from trainer.sim.report import Hazard, LaunchRecord, SimReport
from trainer.sim.roofline import LaunchWork, estimate
from trainer.sim.tally import Tally, accesses
from trainer.sim.work import BlockTotals, divergence_of, flops_of, instruction_mix

# A loop of a million launches is told by its first ones.
MAX_LAUNCH_RECORDS = 256


@dataclass
class Recording:
    """Filled in launch by launch."""

    model: devices.Model
    source: str
    launches: list[LaunchRecord] = field(default_factory=list)
    hazards: list[Hazard] = field(default_factory=list)
    work: list[LaunchWork] = field(default_factory=list)
    totals: dict[str, BlockTotals] = field(default_factory=dict)  # by readable kernel name
    tallies: dict[str, Tally] = field(default_factory=dict)

    def begin(self, launch: Launch, name: str, resources: KernelResources | None) -> None:
        """Note a launch before it runs, so that it is there even if it fails."""
        if len(self.launches) >= MAX_LAUNCH_RECORDS:
            return
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        registers = resources.registers if resources else 0
        shared = launch.shared_bytes + (resources.least_shared_bytes if resources else 0)
        fraction = occupancy(self.model, threads, registers, shared).fraction if registers else None
        self.launches.append(LaunchRecord(name, launch.grid, launch.block, shared, fraction))

    def finish(
        self, name: str, result: LaunchResult, touched: tuple[int, int, int] | None, *, noted: bool
    ) -> None:
        """Add what a launch did; `noted`: its record is the last one."""
        flops = flops_of(result.kernel, result.counters)
        if noted:
            self.launches[-1] = replace(
                self.launches[-1], thread_instructions=result.thread_instructions, flops=flops.total
            )
        self.totals.setdefault(name, BlockTotals(result.kernel)).add(result.counters)
        if touched is not None:
            read, written, resident = touched
            self.work.append(
                LaunchWork(read, written, flops.single, flops.double, flops.tensor, resident_bytes=resident)
            )

    def source_line(self, number: int) -> str:
        """The user's own line, stripped; "" when there is none."""
        lines = self.source.splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def report(self, *, observed: bool, printed: str, fatal_kept: Callable[[Hazard], bool]) -> SimReport:
        """The report; `fatal_kept` says which fatal findings stay fatal."""
        found = [h if not h.fatal or fatal_kept(h) else replace(h, fatal=False) for h in self.hazards]
        access = tuple(
            row for name, tally in self.tallies.items() for row in accesses(tally, name, self.source_line)
        )
        divergence = tuple(
            row
            for name, totals in self.totals.items()
            for row in divergence_of(totals, name, self.source_line)
        )
        report = SimReport(
            launches=tuple(self.launches),
            access=access if observed else (),
            hazards=merge(found),
            divergence=divergence if observed else (),
            model=estimate(self.work, self.model) if observed and self.work else None,
            printed=printed,
            instruction_mix=instruction_mix(self.totals.values()) if observed else {},
        )
        predicted = predict(report, self.model)
        if report.model is None or predicted is None:
            return report
        model = replace(report.model, predicted_us=predicted.predicted_us, parts_us=predicted.parts_us)
        return replace(report, model=model)
