"""What compiling a submission yields, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Diagnostic:
    """One compiler message. `line` and `column` are the user's own, from 1; 0 when not in their file."""

    line: int
    column: int
    severity: Severity
    message: str


@dataclass(frozen=True)
class Parameter:
    """A parameter of `solve`, spelled as in C: `ctype` is e.g. "const float*", "int", "size_t", "float"."""

    name: str
    ctype: str

    @property
    def is_pointer(self) -> bool:
        return self.ctype.rstrip().endswith("*")


@dataclass(frozen=True)
class Signature:
    """The host entry a task demands: `void <entry>(<parameters>)`."""

    entry: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        inner = ", ".join(f"{p.ctype} {p.name}" for p in self.parameters)
        return f'extern "C" void {self.entry}({inner})'


@dataclass(frozen=True)
class KernelResources:
    """What ptxas reports for one kernel (`--ptxas-options=-v`, sm_90 unless a GPU is there).

    Where it has reported nothing, the numbers are None: not known is not none.
    """

    name: str  # as the user wrote it, demangled: "reduce<256>"
    symbol: str  # the mangled `.entry`
    line: int  # where the kernel is defined; 0 when not known
    registers: int | None
    shared_bytes: int | None  # static
    spill_bytes: int | None
    max_threads: int = 1024  # __launch_bounds__

    @property
    def least_shared_bytes(self) -> int:
        """Static shared memory that the kernel is known to take: 0 where nobody told."""
        return self.shared_bytes or 0


@dataclass(frozen=True)
class Program:
    """A compiled submission: everything either backend needs, nothing loaded or run yet.

    `host_ptx` is the `-rdc` compile; it is read only for `entry` (the host function).
    `device_ptx` is the plain compile of the kernels (compute_90, RawModule's flags, -lineinfo):
    the simulator executes it. `gpu_source`, `name_expressions` and `options` are what
    `cupy.RawModule` gets for the very same kernels.
    """

    source: str
    entry: str  # "solve" or "_Z5solve..."
    host_ptx: str
    device_ptx: str
    gpu_source: str
    name_expressions: tuple[str, ...]
    options: tuple[str, ...]
    kernels: tuple[KernelResources, ...]
    diagnostics: tuple[Diagnostic, ...]
    log: str
    compile_s: float
    cubin: bytes = b""  # for the real architecture of `device_ptx`, e.g. sm_90
