"""A backend that misbehaves on demand: the first word of the source says how."""

from __future__ import annotations

import ctypes
import os
import subprocess
import time

import numpy as np

from trainer.cuda.model import Diagnostic, KernelResources, Severity, Signature
from trainer.errors import MissingToolError, UnsupportedError
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest, Timing
from trainer.grade.verdict import Verdict
from trainer.sim.report import Hazard, HazardKind, SimReport


class FakeBackend:
    name = "fake"
    device = "fake device"

    def __init__(self) -> None:
        self.spent = False
        self.deed = ""
        self.compiles = 0

    def compile(self, source: str, signature: Signature) -> Compiled:
        self.deed = source.split()[0]
        self.compiles += 1
        if self.deed.startswith("compile-"):
            misbehave(self.deed.removeprefix("compile-"))
        kernel = KernelResources("k<256>", "_Z1k", 3, 32, 1024, 0)
        warning = Diagnostic(2, 5, Severity.WARNING, "unused")
        ok = self.deed != "refuse"
        verdict = None if ok else Verdict.COMPILE_ERROR
        return Compiled(ok, "solve", (kernel,), (warning,), f"{os.getpid()}", 0.01, verdict, "no" * (not ok))

    def run(self, request: RunRequest) -> RunOutcome:
        misbehave(self.deed)
        if self.deed == "spend":
            self.spent = True
            return RunOutcome({}, Verdict.RUNTIME_ERROR, "illegal address in k")
        doubled = {
            a.name: np.asarray(a.value) * 2 for a in request.arguments if isinstance(a.value, np.ndarray)
        }
        hazard = Hazard(HazardKind.SHARED_RACE, 7, "k", (0, 1, 2), (3, 4, 5), "shared+0x40", "race")
        report = SimReport(hazards=(hazard,), instruction_mix={"fma": 3})
        return RunOutcome(doubled, report=report, printed=f"compiled {self.compiles} times")

    def time(self, request: TimeRequest) -> TimeOutcome:
        misbehave(self.deed)
        timing = Timing(10.0, 9, 11, 20, True, None, 1.5, 9.0, 0.9)
        return TimeOutcome(timing, dict.fromkeys(request.baselines, timing))

    def close(self) -> None:
        pass


class UnpreparedBackend(FakeBackend):
    def warm_up(self) -> None:
        raise MissingToolError("no compiler")


class BrokenBackend:
    def __init__(self) -> None:
        raise MissingToolError("no GPU here", hint="use --backend sim")


def misbehave(deed: str) -> None:
    if deed == "sleep":
        time.sleep(60)
    elif deed == "busy-in-c":
        ctypes.CDLL(None).sleep(60)
    elif deed == "segfault":
        ctypes.string_at(0)
    elif deed == "abort":
        os.write(2, b"LLVM ERROR: out of registers\n")
        os.abort()
    elif deed == "exit":
        os._exit(3)
    elif deed == "eat":
        hoard = []
        while True:
            hoard.append(bytearray(64 << 20))
    elif deed == "flood":
        for _ in range(3000):
            os.write(1, b"x" * 1000)
    elif deed == "print":
        ctypes.CDLL(None).puts(b"hello from a kernel")
    elif deed == "raise":
        raise ZeroDivisionError("oops")
    elif deed == "unsupported":
        raise UnsupportedError("no textures", hint="use plain loads")
    elif deed == "grandchild":
        child = subprocess.Popen(["sleep", "61"])
        os.write(2, f"{child.pid}\n".encode())
        time.sleep(60)
