"""What a host function did, in order, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.cuda.device import Launch


@dataclass(frozen=True)
class Allocate:
    address: int
    nbytes: int


@dataclass(frozen=True)
class Free:
    address: int


@dataclass(frozen=True)
class Fill:
    address: int
    value: int
    nbytes: int


@dataclass(frozen=True)
class Copy:
    """Device to device."""

    destination: int
    source: int
    nbytes: int


@dataclass(frozen=True)
class Write:
    """Host to device; `data` as it was then."""

    address: int
    data: bytes


@dataclass(frozen=True)
class Read:
    """Device to host."""

    address: int
    nbytes: int


Step = Launch | Allocate | Free | Fill | Copy | Write | Read


@dataclass(frozen=True)
class HostRun:
    """One call of the host function that came to its end.

    `data_dependent`: device results were read before more work was given to the device, so the
    steps hold for these inputs only. `exit_code` is None unless the function called exit().
    """

    steps: tuple[Step, ...]
    printed: str
    synchronizations: int
    data_dependent: bool
    exit_code: int | None = None
    failures: tuple[str, ...] = ()  # API calls that failed, whose errors the function asked for
    empty_launch: tuple[str, int] | None = None  # the first launch of no blocks: sentence, line
    instructions: int = 0

    @property
    def launches(self) -> tuple[Launch, ...]:
        return tuple(s for s in self.steps if isinstance(s, Launch))

    @property
    def fills(self) -> tuple[Fill, ...]:
        return tuple(s for s in self.steps if isinstance(s, Fill))

    @property
    def copies(self) -> tuple[Copy, ...]:
        return tuple(s for s in self.steps if isinstance(s, Copy))

    @property
    def allocations(self) -> tuple[Allocate, ...]:
        return tuple(s for s in self.steps if isinstance(s, Allocate))


@dataclass
class Recorder:
    """Collects steps while a host function runs."""

    steps: list[Step] = field(default_factory=list)
    synchronizations: int = 0
    data_dependent: bool = False
    _read_back: bool = False

    def add(self, step: Step) -> None:
        if isinstance(step, Read):
            self._read_back = True
        elif not isinstance(step, Free):
            self.data_dependent = self.data_dependent or self._read_back
        self.steps.append(step)
