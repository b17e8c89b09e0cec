"""What a grade is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.bank.model import Rung
from trainer.grade.ladder import Recorded


@dataclass(frozen=True)
class Options:
    """What a user can ask for."""

    seed: int
    speed: bool = True
    explain: bool = True
    device_model: str = "H200"
    run_budget_s: float = 20.0
    total_budget_s: float = 120.0
    wrong_budget_s: float = 8.0  # after which no more cases of a file are run that has failed one
    language: str = "en"


@dataclass(frozen=True)
class Ranks:
    """The ladder to place on: its rungs, times recorded earlier, and whether to time rungs now."""

    rungs: tuple[Rung, ...] = ()
    recorded: Recorded = field(default_factory=lambda: Recorded("", {}))
    measure: bool = False
