"""What this GPU can do at best, measured once and kept: the floor under every time.

The file is in the user's cache folder, keyed by the GPU's UUID and the driver, since a new driver
can change both numbers. Deleting it is harmless.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from trainer.cuda.device import DeviceProperties
from trainer.gpu.driver import Driver
from trainer.gpu.probe import driver_version
from trainer.gpu.yardsticks import Yardsticks

_MIB = 1 << 20

# Small sizes would be served by the L2 cache, huge ones do not fit everywhere. On an H200 the rate
# still grows from 4.12 TB/s at 512 MiB to 4.25 at 2 GiB.
COPY_BYTES = (128 * _MIB, 256 * _MIB, 512 * _MIB, 1024 * _MIB, 2048 * _MIB)
_REPEATS = 7

# The clock is settled when this many successive runs of one load differ by less than 1 %.
_STEADY_RUNS = 3
_STEADY = 0.01
_LOAD_ROUNDS = 4000


@dataclass(frozen=True)
class Ceilings:
    """Bytes count twice in a copy: read and written. Only reading is a little faster."""

    copy_bytes_per_s: float
    read_bytes_per_s: float
    fp32_flops_per_s: float

    def floor_us(self, dram_bytes: int, flops: int, peak_flops_per_s: float | None = None) -> float:
        """The least time for so much traffic and arithmetic, whichever takes longer; fp32 by default."""
        bytes_per_s = max(self.copy_bytes_per_s, self.read_bytes_per_s)
        return 1e6 * max(dram_bytes / bytes_per_s, flops / (peak_flops_per_s or self.fp32_flops_per_s))


# Multiply-adds, times two, of 16-bit inputs per clock and multiprocessor, without sparsity; the faster of
# those with fp16 and fp32 sums (whitepapers of the architectures; H100: 989 TFLOP/s at 1830 MHz).
_TENSOR_FLOPS = {
    (7, 0): 1024, (7, 5): 1024, (8, 0): 2048, (8, 6): 1024, (8, 7): 2048, (8, 9): 1024, (9, 0): 4096,
    (10, 0): 8192, (10, 3): 8192, (12, 0): 1024,
}  # fmt: skip


def tensor_flops_per_s(about: DeviceProperties) -> float:
    """What the tensor cores could do at the highest clock; infinite for an architecture not known here.

    Computed, not measured: no single kernel of ours reaches it on every architecture.
    """
    per_clock = _TENSOR_FLOPS.get(about.compute_capability, math.inf)
    return per_clock * about.multiprocessors * about.clock_khz * 1e3


def settle_clock(yardsticks: Yardsticks, budget_s: float = 0.6) -> float:
    """Loads the GPU until its clock no longer rises; the microseconds that took.

    An idle H200 runs at 345 MHz and takes some tenths of a second to reach 1980.
    """
    spent, recent = 0.0, [0.0]
    while spent < budget_s * 1e6:
        recent = [*recent[-_STEADY_RUNS + 1 :], yardsticks.fma_us(_LOAD_ROUNDS)]
        spent += recent[-1]
        if len(recent) == _STEADY_RUNS and max(recent) - min(recent) < _STEADY * min(recent):
            break
    return spent


def measure(driver: Driver, yardsticks: Yardsticks) -> Ceilings:
    """About 0.2 s after the clock has settled."""
    rounds = _LOAD_ROUNDS
    flops = yardsticks.fma_flops(rounds) / _median(partial(yardsticks.fma_us, rounds)) * 1e6
    copies, reads = _rates(driver, yardsticks)
    return Ceilings(max(copies), max(reads), flops)


def load_or_measure(driver: Driver, yardsticks: Yardsticks, cache: Path | None = None) -> Ceilings:
    """From the cache file if it is there and sound. A cache that cannot be written is no error."""
    key = f"{driver.uuid()} driver {driver_version() or '{}.{}'.format(*driver.version())}"
    path = (cache or cache_folder()) / "ceilings.json"
    known = _read(path)
    with suppress(KeyError, TypeError):
        return Ceilings(**known[key])
    measured = measure(driver, yardsticks)
    with suppress(OSError):
        _write(path, {**known, key: asdict(measured)})
    return measured


def cache_folder() -> Path:
    """$XDG_CACHE_HOME/warpdojo, else ~/.cache/warpdojo."""
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path("~/.cache").expanduser()) / "warpdojo"


def _rates(driver: Driver, yardsticks: Yardsticks) -> tuple[list[float], list[float]]:
    """Bytes per second of copying and of reading, at each size that fits."""
    copies, reads = [], []
    for nbytes in COPY_BYTES:
        if 2 * nbytes > driver.free_memory() // 2:
            break  # a small GPU: the sizes that fit have to do
        source, target = driver.allocate(nbytes), driver.allocate(nbytes)
        driver.fill(source, 0x5A, nbytes)
        for copy_us in (yardsticks.copy_us, yardsticks.driver_copy_us):
            copies.append(2e6 * nbytes / _median(partial(copy_us, source, target, nbytes)))
        reads.append(1e6 * nbytes / _median(partial(yardsticks.read_us, source, nbytes)))
        driver.free(source)
        driver.free(target)
    return copies, reads


def _median(measure_us: Callable[[], float]) -> float:
    return median(measure_us() for _ in range(_REPEATS))


def _read(path: Path) -> dict[str, dict[str, float]]:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(path: Path, known: dict[str, dict[str, float]]) -> None:
    """Whole or not at all: another process may be reading it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}")
    scratch.write_text(json.dumps(known, indent=1), encoding="utf-8")
    scratch.replace(path)
