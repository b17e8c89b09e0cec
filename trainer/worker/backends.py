"""Which backends a grade runs on."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from trainer.errors import MissingToolError, WorkerError

if TYPE_CHECKING:
    from trainer.worker.client import RemoteBackend

# Device files of the Linux driver and of WSL. Asking the driver itself costs a fifth of a second.
_GPU_SIGNS = ("/dev/nvidiactl", "/dev/dxg")


@dataclass(frozen=True)
class Backends:
    """`primary` decides; `observer` is a simulator beside a GPU. A context manager: closing kills both."""

    primary: RemoteBackend
    observer: RemoteBackend | None = None

    def __enter__(self) -> Backends:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def cancel(self) -> None:
        self.primary.cancel()
        if self.observer is not None:
            self.observer.cancel()

    def close(self) -> None:
        try:
            self.primary.close()
        finally:
            if self.observer is not None:
                self.observer.close()


def start_early(choice: str) -> None:
    """Let the processes that `open_backends` will want get ready meanwhile."""
    from trainer.worker.start import start_early as start

    if _looks_for_gpu(choice):
        start("gpu")
    start("sim")


def stop_unused() -> None:
    """End what `start_early` started and nobody opened: there was nothing to run after all."""
    from trainer.worker.start import kill_unused

    kill_unused()


def _looks_for_gpu(choice: str) -> bool:
    return choice == "gpu" or (choice == "auto" and any(map(os.path.exists, _GPU_SIGNS)))


def open_backends(choice: str, warn: Callable[[str], None], *, spare: bool = False) -> Backends:
    """`choice` is "auto", "gpu" or "sim". The worker processes start at once. `warn` hears why "auto"
    means the simulator where there seemed to be a GPU.

    Raises MissingToolError where "gpu" was asked for and there is none that works.
    """
    from trainer.worker.client import RemoteBackend

    if _looks_for_gpu(choice):
        backends = Backends(RemoteBackend("gpu", spare=spare), RemoteBackend("sim"))
        try:
            backends.primary.device  # noqa: B018  waits until the worker has a CUDA context, or says why not
            return backends
        except (MissingToolError, WorkerError) as problem:
            backends.close()
            if choice == "gpu":
                raise
            warn(f"no GPU to grade on, the simulator grades instead: {problem}")
        except BaseException:
            backends.close()
            raise
    return Backends(RemoteBackend("sim", spare=spare))
