"""Every limit on a worker, with its reason. Seconds are wall time unless the name says CPU."""

from __future__ import annotations

from dataclasses import dataclass

_MIB = 1 << 20
_GIB = 1 << 30

# What is sent through the socket itself and what through shared memory: a 256 KiB array copies
# through a socket in 0.1 ms, less than making and mapping a memory file; 128 MiB would take 0.2 s.
SHARED_ARRAY_BYTES = 256 * 1024

# Linux hands over at most 253 descriptors with one message (SCM_MAX_FD).
MAX_SHARED_ARRAYS = 200

# No message is this large (arrays beyond SHARED_ARRAY_BYTES travel beside it): a larger length
# means that the other side is broken.
MAX_MESSAGE_BYTES = _GIB

# A kernel's printf output that is kept; a flood is cut here and the grade goes on.
MAX_PRINTED_BYTES = 64 * 1024

# The end of a dead worker's stderr that is read for the reason of its death.
STDERR_TAIL_BYTES = 4096


@dataclass(frozen=True)
class Limits:
    """What a worker may take. Tests shorten them; users never see other values than these.

    start_s: a first CUDA context on a cold machine takes seconds, a hung driver for ever.
    compile_s: CUB and cooperative groups need 1 s on a slow laptop; a template bomb never ends.
    run_grace_s: a run has a budget of its own (RunRequest.budget_s) which the backend keeps where
        it can; this is on top, for copying arrays and reporting, before the process is killed.
    time_grace_s: likewise for timing: clock warm-up, the first measurement of the ceilings and
        checking outputs of large sizes are not part of its budget.
    baseline_s: a baseline is compiled and run once before it is timed.
    poll_s: how often deadline and memory are looked at; also the latency of noticing them.
    memory_bytes: resident memory of the child. Compilers asked for huge arrays or templates
        otherwise take the machine's memory before they take 30 s.
    address_bytes: RLIMIT_AS of a simulator worker, the backstop where memory grows faster than
        poll_s. A CUDA process reserves far more address space than it uses: no such limit there.
    file_bytes: RLIMIT_FSIZE: printed output and shared arrays are memory files.
    cpu_s: RLIMIT_CPU on top of what was used when a request arrives: stops a worker whose parent
        is itself stopped (Ctrl-Z) and cannot look.
    """

    start_s: float = 60.0
    compile_s: float = 30.0
    run_grace_s: float = 5.0
    time_grace_s: float = 25.0
    baseline_s: float = 5.0
    poll_s: float = 0.1
    memory_bytes: int = 6 * _GIB
    address_bytes: int = 96 * _GIB
    file_bytes: int = 8 * _GIB
    cpu_s: int = 600


DEFAULT_LIMITS = Limits()
